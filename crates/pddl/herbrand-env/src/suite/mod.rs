//! Suites: a domain with its problems, compiled on first use.

mod choose;
mod compile;
mod definition;
mod earliest;
mod explained;
mod files;
mod folder;
mod ground;
mod lifted_states;
mod never;
mod numeric;
mod problems;
mod read;

use std::sync::{Arc, OnceLock};

use herbrand_ground::{NormalDomain, Vocabulary};
use herbrand_limits::Limits;
use herbrand_pddl::{Domain, Problem, Source, SteppedDomain};

pub use definition::Definition;
pub use files::{ProblemFile, Split, SuiteFiles};
pub use never::why_never;
pub use problems::{Engines, LiftedSuite};

use crate::action::AgentActions;
use crate::action::ids::{Placed, SuiteIds};
use crate::config::Config;
use crate::error::EnvError;
use crate::instance::CompiledProblem;
use crate::planning::sliced::Slicing;
use crate::visibility::VisibilityRules;

use ground::GroundText;

/// A domain with its environment settings and an ordered list of problems. [`Suite::from_path`], [`Suite::new`] and
/// [`Suite::from_problems`] create it; `Registry::get` returns a bundled one. Cloning is cheap.
///
/// Problems are parsed, grounded and compiled on first use and then cached. Clones and selections of a suite share the cache
/// across threads.
#[derive(Clone, Debug)]
pub struct Suite {
    shared: Arc<Shared>,
    problems: Vec<Arc<Entry>>,
    limits: Limits,
    /// The ids over all problems, if they share ids.
    ids: Option<Arc<SuiteIds>>,
    /// Whether faults of problems with an obvious repair are repaired.
    is_lenient: bool,
    /// Whether states are observed. If not, derived atoms that no action depends on are not kept up to date.
    is_seen: bool,
    /// Whether its systems make blocks of copies.
    slicing: Slicing,
}

#[derive(Debug)]
struct Shared {
    name: String,
    config: Config,
    domain_source: Option<Source>,
    config_source: Option<Source>,
    domain: Domain,
    /// The domain with its durative actions split, if it has time.
    stepped: Option<Box<SteppedDomain>>,
    normal: OnceLock<NormalDomain>,
    /// The declared agent actions; `None` if the operators are the actions.
    actions: Option<Arc<AgentActions>>,
    /// The visibility rules; `None` if everything is visible.
    visibility: Option<VisibilityRules>,
    /// Whether the problem is a ground task without schemas.
    is_ground: bool,
}

#[derive(Debug)]
struct Entry {
    split: Option<Split>,
    name: String,
    text: Text,
    /// The problem as it was read for the first answer about its states.
    checked: OnceLock<Box<Problem>>,
    instance: OnceLock<Arc<CompiledProblem>>,
}

#[derive(Clone, Debug)]
enum Text {
    Unread(Source),
    Checked(Box<Problem>),
    Ground(Arc<GroundText>),
}

/// The maximum numbers of atoms and actions over the problems of a suite, as required for the shapes of observations
/// and masks. [`Suite::sizes`] returns them. Both are 0 for a suite without problems.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sizes {
    /// The maximum number of observable atoms of the part that was asked for; with shared ids, the number of atom ids.
    pub atoms: usize,
    /// The maximum number of agent actions, which is the length of a mask; with shared ids, the number of action ids.
    pub actions: usize,
}

/// Whether agents take the declared actions or the operators. An argument of [`Suite::new`] and
/// [`Suite::from_problems`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ActionMode {
    /// The default: the actions declared by `env.toml` or by PDDLGym's action predicates; the operators if none are
    /// declared.
    #[default]
    Declared,
    /// The operators with all of their parameters, even if actions are declared.
    Operators,
}

impl Suite {
    /// Sets the limits of memory and time for reading and compiling each problem. By default there are no limits, and
    /// a problem may use all memory. A problem that exceeds them makes the methods fail that compile it. Problems that
    /// are compiled already are not compiled again. For the lifted engine, they also limit each step.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether its systems make blocks of copies.
    pub(crate) const fn with_slicing(mut self, slicing: Slicing) -> Self {
        self.slicing = slicing;
        self
    }

    /// Makes the suite read its problems leniently, when they are first used: faults with one obvious repair are
    /// repaired, as described at [`ReadOptions::lenient`](herbrand_pddl::ReadOptions::lenient). To get the warnings,
    /// read the text of a problem by [`Problem::parse_with`](herbrand_pddl::Problem::parse_with). The domain was read
    /// before: see [`with_domain`](Self::with_domain).
    #[must_use]
    pub const fn leniently(mut self) -> Self {
        self.is_lenient = true;
        self
    }

    /// Disables observations of states.
    pub(crate) const fn unseen(mut self) -> Self {
        self.is_seen = false;
        self
    }

    /// Returns the ids that all problems share; `None` if each problem has its own. [`with_ids`](Self::with_ids) sets
    /// them.
    #[must_use]
    pub fn ids(&self) -> Option<&SuiteIds> {
        self.ids.as_deref()
    }

    /// Applies the ids over all problems to the problem with this vocabulary.
    pub(crate) fn placed(&self, vocabulary: &Vocabulary) -> Option<Placed> {
        let ids = self.ids.as_ref()?;
        Some(Placed::new(Arc::clone(ids), vocabulary))
    }

    /// Returns the name of the suite: that of its folder or of the bundled domain, with `-` and the level if it has
    /// levels, or else the domain's declared name. For [`SuiteFiles`] composed by hand, it is [`SuiteFiles::name`].
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Returns the name to show to people: the domain's declared name, unless the [name](Self::name) begins with it or names
    /// a collection. A folder often has a name that says nothing about the domain.
    #[must_use]
    pub fn title(&self) -> &str {
        let (name, declared) = (self.name(), self.domain().name.as_str());
        if name.contains('/') || name.starts_with(declared) {
            name
        } else {
            declared
        }
    }

    /// Returns the settings of the domain's `env.toml`; the defaults if the suite has no such file.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.shared.config
    }

    /// Returns the source text of the settings; `None` if the suite has none.
    #[must_use]
    pub fn config_source(&self) -> Option<&Source> {
        self.shared.config_source.as_ref()
    }

    /// Returns the limits of reading and compiling a problem.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the domain that all problems of the suite share.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.shared.domain
    }

    /// Returns the domain whose schemas are stepped: that of the suite, or, if that has time, one with a start and an end in
    /// place of each durative action.
    #[must_use]
    pub fn stepped_domain(&self) -> &Domain {
        self.shared.stepped_domain()
    }

    /// Returns the source text of the domain; `None` if the suite was given a checked domain.
    #[must_use]
    pub fn domain_source(&self) -> Option<&Source> {
        self.shared.domain_source.as_ref()
    }

    /// Returns the declared agent actions; `None` if the operators are the actions.
    #[must_use]
    pub fn agent_actions(&self) -> Option<&AgentActions> {
        self.shared.actions.as_deref()
    }

    /// Returns the declared agent actions behind an `Arc`.
    pub(crate) fn shared_actions(&self) -> Option<Arc<AgentActions>> {
        self.shared.actions.clone()
    }

    /// Returns the number of problems in the suite.
    #[must_use]
    pub fn len(&self) -> usize {
        self.problems.len()
    }

    /// Returns whether the suite has no problems.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// Returns the name of the problem at `index`: its file name without `.pddl`, or its own name if it was given as a
    /// checked problem. `None` if there is no such index.
    #[must_use]
    pub fn problem_name(&self, index: usize) -> Option<&str> {
        self.problems.get(index).map(|entry| entry.name.as_str())
    }

    /// Returns the name of the problem at `index` with its split, such as `test/03`; `None` if there is no such index.
    #[must_use]
    pub fn full_problem_name(&self, index: usize) -> Option<String> {
        self.problems.get(index).map(|entry| entry.full_name())
    }

    /// Returns the split of the problem at `index`; `None` if the suite has no splits or there is no such index.
    #[must_use]
    pub fn problem_split(&self, index: usize) -> Option<Split> {
        self.problems.get(index)?.split
    }

    /// Returns the source text of the problem at `index`; `None` if the suite was given the checked problem, or
    /// if there is no such index.
    #[must_use]
    pub fn problem_source(&self, index: usize) -> Option<&Source> {
        match &self.problems.get(index)?.text {
            Text::Unread(source) => Some(source),
            Text::Checked(_) => None,
            Text::Ground(text) => Some(&text.source),
        }
    }

    /// Returns the text that the problem at `index` was read from, by the suite or before.
    pub(crate) fn problem_origin(&self, index: usize) -> Option<&Source> {
        match &self.problems.get(index)?.text {
            Text::Unread(source) => Some(source),
            Text::Checked(problem) => problem.origin.source(),
            Text::Ground(text) => Some(&text.source),
        }
    }

    /// Returns the domain as PDDL for other planners: the source text, or else the printed domain.
    #[must_use]
    pub fn domain_text(&self) -> String {
        match self.domain_source() {
            Some(source) => source.text().to_owned(),
            None => self.domain().to_pddl(),
        }
    }

    /// Returns the problem at `index` as PDDL for other planners: the source text, or else the printed problem.
    ///
    /// # Errors
    /// Fails if there is no such problem.
    pub fn problem_text(&self, index: usize) -> Result<String, EnvError> {
        Ok(match &self.entry(index)?.text {
            Text::Unread(source) => source.text().to_owned(),
            Text::Checked(problem) => problem.to_pddl(self.domain()),
            Text::Ground(text) => text.source.text().to_owned(),
        })
    }
}

impl Entry {
    /// Returns the name with the split, if there are splits.
    fn full_name(&self) -> String {
        match self.split {
            Some(split) => format!("{split}/{}", self.name),
            None => self.name.clone(),
        }
    }
}
