//! Suites: a domain and its problems, compiled when first used.

mod choose;
mod compile;
mod definition;
mod files;
mod folder;
mod instance;
mod lifted_states;
mod problems;
mod read;

use std::sync::{Arc, OnceLock};

use herbrand_ground::{NormalDomain, Vocabulary};
use herbrand_limits::Limits;
use herbrand_pddl::{Domain, Problem, Source};

pub use definition::Definition;
pub use files::{ProblemFile, Split, SuiteFiles};
pub use instance::Instance;
pub use problems::{Engines, LiftedSuite};

use crate::ids::{Placed, SuiteIds};
use crate::sight::Sight;
use crate::{AgentActions, Config, EnvError};

/// A domain with its environment settings and an ordered list of problems. Cheap to clone.
///
/// Problems are parsed, grounded and compiled when they are first asked for, and then kept; clones and parts of a
/// suite share what is compiled, on any number of threads.
#[derive(Clone, Debug)]
pub struct Suite {
    shared: Arc<Shared>,
    problems: Vec<Arc<Entry>>,
    limits: Limits,
    /// The numbers over all problems, if actions and atoms have those.
    ids: Option<Arc<SuiteIds>>,
    /// Whether states are looked at; if not, derived atoms that nothing needs are not kept up to date.
    is_seen: bool,
}

#[derive(Debug)]
struct Shared {
    name: String,
    config: Config,
    domain_source: Option<Source>,
    domain: Domain,
    normal: OnceLock<NormalDomain>,
    /// The agent's actions; `None` when the operators are the actions.
    actions: Option<Arc<AgentActions>>,
    /// What the agent sees; `None` when it sees everything.
    sight: Option<Sight>,
}

#[derive(Debug)]
struct Entry {
    split: Option<Split>,
    name: String,
    text: Text,
    instance: OnceLock<Arc<Instance>>,
}

#[derive(Clone, Debug)]
enum Text {
    Unread(Source),
    Checked(Box<Problem>),
}

/// How wide observations and masks of a suite are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sizes {
    /// The number of observable atoms.
    pub atoms: usize,
    /// The number of the agent's actions.
    pub actions: usize,
}

/// Whether the agent's actions are the declared ones or the operators themselves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ActionMode {
    /// The actions that `env.toml` declares, or PDDLGym's action predicates, if there are any; else the operators.
    #[default]
    Declared,
    /// The operators with all their parameters, whatever is declared.
    Operators,
}

impl Suite {
    /// The same suite, of which each problem is read and compiled within these limits. Without limits, which is the default, a problem may
    /// take what memory there is.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same suite, whose states nobody looks at.
    pub(crate) const fn unseen(mut self) -> Self {
        self.is_seen = false;
        self
    }

    /// The numbers over all problems; `None` where each problem has its own.
    #[must_use]
    pub fn ids(&self) -> Option<&SuiteIds> {
        self.ids.as_deref()
    }

    /// The numbers over all problems, read for the problem of this vocabulary.
    pub(crate) fn placed(&self, vocabulary: &Vocabulary) -> Option<Placed> {
        let ids = self.ids.as_ref()?;
        Some(Placed::new(Arc::clone(ids), vocabulary))
    }

    /// What the suite is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// The environment settings.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.shared.config
    }

    /// The domain.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.shared.domain
    }

    /// The domain's text, if it was read from one.
    #[must_use]
    pub fn domain_source(&self) -> Option<&Source> {
        self.shared.domain_source.as_ref()
    }

    /// The agent's declared actions; `None` when the operators are the actions.
    #[must_use]
    pub fn agent_actions(&self) -> Option<&AgentActions> {
        self.shared.actions.as_deref()
    }

    /// The agent's declared actions, shared.
    pub(crate) fn shared_actions(&self) -> Option<Arc<AgentActions>> {
        self.shared.actions.clone()
    }

    /// The number of problems.
    #[must_use]
    pub fn len(&self) -> usize {
        self.problems.len()
    }

    /// Whether there is no problem.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// The name of the problem at `index`: its file's, without `.pddl`; for a checked problem its own.
    #[must_use]
    pub fn problem_name(&self, index: usize) -> Option<&str> {
        self.problems.get(index).map(|entry| entry.name.as_str())
    }

    /// The name of the problem at `index` with its part of the suite before it: `test/03`.
    #[must_use]
    pub fn full_problem_name(&self, index: usize) -> Option<String> {
        self.problems.get(index).map(|entry| entry.full_name())
    }

    /// The part of the suite that the problem at `index` belongs to, if the suite has parts.
    #[must_use]
    pub fn problem_split(&self, index: usize) -> Option<Split> {
        self.problems.get(index)?.split
    }

    /// The text of the problem at `index`, if it is read from one.
    #[must_use]
    pub fn problem_source(&self, index: usize) -> Option<&Source> {
        match &self.problems.get(index)?.text {
            Text::Unread(source) => Some(source),
            Text::Checked(_) => None,
        }
    }

    /// The domain as a text that any planner reads: as it was written, or else printed.
    #[must_use]
    pub fn domain_text(&self) -> String {
        match self.domain_source() {
            Some(source) => source.text().to_owned(),
            None => self.domain().to_pddl(),
        }
    }

    /// The problem at `index` as a text that any planner reads: as it was written, or else printed.
    ///
    /// # Errors
    /// When there is no such problem.
    pub fn problem_text(&self, index: usize) -> Result<String, EnvError> {
        Ok(match &self.entry(index)?.text {
            Text::Unread(source) => source.text().to_owned(),
            Text::Checked(problem) => problem.to_pddl(self.domain()),
        })
    }
}

impl Entry {
    /// The name with the part of the suite before it, if there are parts.
    fn full_name(&self) -> String {
        match self.split {
            Some(split) => format!("{split}/{}", self.name),
            None => self.name.clone(),
        }
    }
}
