//! Suites: a domain and its problems, compiled when first used.

mod files;
mod folder;
mod instance;
mod lifted_states;
mod problems;

use std::sync::{Arc, OnceLock};

use herbrand_ground::{GroundError, GroundOptions, LiftedTask, NormalDomain, Vocabulary};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Domain, Problem, Source};
use herbrand_step::{CompileError, LiftedSimulator, Maintenance, Options, Simulator, compile_within};
use herbrand_text::nearest;

pub use files::{ProblemFile, Split, SuiteFiles};
pub use instance::Instance;
pub(crate) use problems::Unseen;
pub use problems::{Engines, LiftedSuite};

use crate::ids::{Placed, SuiteIds};
use crate::observe::Eye;
use crate::sight::Sight;
use crate::{AgentActions, Config, EnvError, Grounded, Ids, Lifted, Part, Planning, PlanningError};

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
    /// The suite of a domain's files. Reads the domain and its settings, no problem yet.
    ///
    /// # Errors
    /// When the domain or the settings are at fault.
    pub fn new(files: SuiteFiles, mode: ActionMode) -> Result<Self, EnvError> {
        Self::within(files, mode, Limits::default())
    }

    /// The suite of a domain's files, of which the domain and each problem are read and compiled within these limits.
    ///
    /// # Errors
    /// When the domain or the settings are at fault; a domain that takes more than the limits is at fault.
    pub fn within(files: SuiteFiles, mode: ActionMode, limits: Limits) -> Result<Self, EnvError> {
        let domain = Domain::parse_within(&files.domain, &Budget::new(limits))?;
        let config = files.config.as_ref().map(Config::parse).transpose()?;
        let config = config.unwrap_or_default();
        if let Some(source) = &files.config {
            config.check_picture(&domain, source)?;
        }
        let sight = match (&config.observe, &files.config) {
            (Some(observe), Some(source)) => Some(Sight::new(&domain, observe, source)?),
            _ => None,
        };
        let entries = files.problems.into_iter().map(|file| Entry {
            split: file.split,
            name: file.name,
            text: Text::Unread(file.source),
            instance: OnceLock::new(),
        });
        let entries = entries.map(Arc::new).collect();
        let suite = Self::assemble(
            files.name,
            domain,
            Some(files.domain),
            (config, sight),
            mode,
            entries,
        )?;
        Ok(suite.with_limits(limits))
    }

    /// The suite of problems that are already checked, without settings.
    ///
    /// # Errors
    /// None but for a fault in the domain's action predicates.
    pub fn from_problems(
        domain: Domain,
        problems: impl IntoIterator<Item = Problem>,
        mode: ActionMode,
    ) -> Result<Self, EnvError> {
        let entries = problems.into_iter().map(|problem| Entry {
            split: None,
            name: problem.name.to_string(),
            text: Text::Checked(Box::new(problem)),
            instance: OnceLock::new(),
        });
        let entries = entries.map(Arc::new).collect();
        Self::assemble(
            domain.name.to_string(),
            domain,
            None,
            (Config::default(), None),
            mode,
            entries,
        )
    }

    fn assemble(
        name: String,
        domain: Domain,
        domain_source: Option<Source>,
        (config, sight): (Config, Option<Sight>),
        mode: ActionMode,
        problems: Vec<Arc<Entry>>,
    ) -> Result<Self, EnvError> {
        let actions = match mode {
            ActionMode::Declared => AgentActions::of(&domain, &config)?.map(Arc::new),
            ActionMode::Operators => None,
        };
        let shared = Arc::new(Shared {
            name,
            config,
            domain_source,
            domain,
            normal: OnceLock::new(),
            actions,
            sight,
        });
        Ok(Self {
            shared,
            problems,
            limits: Limits::default(),
            ids: None,
        })
    }

    /// The same suite, of which each problem is read and compiled within these limits. Without limits, which is the default, a problem may
    /// take what memory there is.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same suite, whose actions and atoms have numbers of this meaning. Ids of the suite are over the problems that it
    /// has now, all of which are parsed for that; its parts keep them, so that what was learnt from the training problems
    /// fits the test problems.
    ///
    /// ```
    /// use herbrand_env::{ActionMode, AgentActionId, Domain, Ids, Problem, Suite};
    ///
    /// let domain = Domain::from_text(
    ///     "(define (domain lamps) (:predicates (on ?x)) (:action light :parameters (?x) :effect (on ?x)))",
    /// )?;
    /// let small = Problem::from_text("(define (problem small) (:domain lamps) (:objects a) (:init))", &domain)?;
    /// let large = Problem::from_text("(define (problem large) (:domain lamps) (:objects b c) (:init))", &domain)?;
    /// let suite = Suite::from_problems(domain, [small, large], ActionMode::Declared)?.with_ids(Ids::Suite)?;
    ///
    /// let first = AgentActionId::new(0);
    /// for (index, name) in ["(light a)", "(light b)"].into_iter().enumerate() {
    ///     assert_eq!(suite.instance(index)?.space().display(first).to_string(), name);
    ///     assert_eq!(suite.instance(index)?.space().len(), 2);
    /// }
    /// assert_eq!(suite.ids().and_then(|ids| ids.action_text(first)).as_deref(), Some("(light object#1)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a problem is at fault, or all problems together have more than 2^20 actions or 2^24 atoms.
    pub fn with_ids(&self, ids: Ids) -> Result<Self, EnvError> {
        let ids = match ids {
            Ids::Problem => None,
            Ids::Suite => {
                let read = |entry: &Arc<Entry>| self.shared.parse(entry, &Budget::new(self.limits));
                let problems = self.problems.iter().map(read);
                let problems = problems.collect::<Result<Vec<_>, _>>()?;
                let ids = SuiteIds::new(self.domain(), self.shared_actions(), &problems)?;
                Some(Arc::new(ids))
            }
        };
        let entries = self.problems.iter().map(|entry| Entry {
            split: entry.split,
            name: entry.name.clone(),
            text: entry.text.clone(),
            instance: OnceLock::new(),
        });
        Ok(Self {
            shared: Arc::clone(&self.shared),
            problems: entries.map(Arc::new).collect(),
            limits: self.limits,
            ids,
        })
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

    /// The problems of one part of the suite.
    #[must_use]
    pub fn split(&self, split: Split) -> Self {
        self.filtered(|entry| entry.split == Some(split))
    }

    /// The single problem at `index`, from 0.
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`].
    pub fn only(&self, index: usize) -> Result<Self, EnvError> {
        self.select(&[index])
    }

    /// The problems at `indices`, in that order.
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`].
    pub fn select(&self, indices: &[usize]) -> Result<Self, EnvError> {
        let entries = indices.iter().map(|&index| Ok(Arc::clone(self.entry(index)?)));
        Ok(Self {
            shared: Arc::clone(&self.shared),
            problems: entries.collect::<Result<_, EnvError>>()?,
            limits: self.limits,
            ids: self.ids.clone(),
        })
    }

    /// The single problem that `name` means: a problem's name, that with its part (`test/03`), or else its place in the
    /// suite, counted from 1.
    ///
    /// A name that both parts have means the training problem.
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`].
    pub fn problem(&self, name: &str) -> Result<Self, EnvError> {
        self.only(self.index_of(name)?)
    }

    /// The index of the problem that `name` means, as in [`problem`](Self::problem).
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`].
    pub fn index_of(&self, name: &str) -> Result<usize, EnvError> {
        let named = |entry: &Arc<Entry>| entry.name == name || entry.full_name() == name;
        let by_place = || {
            let index = name.parse::<usize>().ok()?.checked_sub(1)?;
            (index < self.len()).then_some(index)
        };
        let index = self.problems.iter().position(named).or_else(by_place);
        index.ok_or_else(|| self.unknown_problem(name))
    }

    /// No number is like another: only names have suggestions.
    fn unknown_problem(&self, name: &str) -> EnvError {
        let names = self.problems.iter().map(|entry| entry.name.as_str());
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        let suggestion = if is_number { None } else { nearest(name, names) };
        let ends = [self.problems.first(), self.problems.last()];
        let mut ends: Vec<_> = ends
            .into_iter()
            .flatten()
            .map(|entry| entry.full_name())
            .collect();
        ends.dedup();
        EnvError::UnknownProblem {
            suite: self.name().to_owned(),
            name: name.to_owned(),
            problems: self.len(),
            range: ends.join(" to "),
            suggestion: suggestion.map(str::to_owned),
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

    fn filtered(&self, keep: impl Fn(&Entry) -> bool) -> Self {
        Self {
            limits: self.limits,
            ids: self.ids.clone(),
            shared: Arc::clone(&self.shared),
            problems: self
                .problems
                .iter()
                .filter(|entry| keep(entry))
                .cloned()
                .collect(),
        }
    }

    /// The checked problem at `index`, parsed anew if it is read from a text.
    ///
    /// # Errors
    /// When there is no such problem, or it is at fault.
    pub fn parse_problem(&self, index: usize) -> Result<Problem, EnvError> {
        self.shared.parse(self.entry(index)?, &Budget::new(self.limits))
    }

    fn entry(&self, index: usize) -> Result<&Arc<Entry>, EnvError> {
        let entry = self.problems.get(index);
        entry.ok_or_else(|| self.unknown_problem(&index.to_string()))
    }

    /// The compiled problem at `index`; compiles it if nobody has yet.
    ///
    /// # Errors
    /// When there is no such problem, or it is at fault.
    pub fn instance(&self, index: usize) -> Result<&Arc<Instance>, EnvError> {
        let entry = self.entry(index)?;
        if let Some(instance) = entry.instance.get() {
            return Ok(instance);
        }
        let instance = self.compile(entry)?;
        Ok(entry.instance.get_or_init(|| Arc::new(instance)))
    }

    fn compile(&self, entry: &Entry) -> Result<Instance, EnvError> {
        let budget = Budget::new(self.limits);
        let problem = self.shared.parse(entry, &budget)?;
        let normal = self.shared.normal(&budget)?;
        let (domain, actions) = (&self.shared.domain, self.shared_actions());
        match &self.ids {
            None => Instance::within(domain, normal, &problem, actions, &budget),
            Some(ids) => Instance::placed(domain, normal, &problem, actions, Arc::clone(ids), &budget),
        }
    }

    /// How the states of the problem at `index` are looked at; compiles that if nobody has yet.
    pub(crate) fn eye(&self, index: usize) -> Result<&Eye, EnvError> {
        let instance = self.instance(index)?;
        if let Some(eye) = instance.eye() {
            return Ok(eye);
        }
        let sight = self.shared.sight.as_ref();
        let simulator = match sight {
            None => instance.simulator().clone(),
            Some(sight) => self.watched(self.entry(index)?, sight)?,
        };
        Ok(instance.set_eye(Eye::new(instance.atoms(), simulator, sight)))
    }

    /// A problem with the predicates that say what is seen. They are derived and no action reads them, so the fluent atoms
    /// and numbers are those of the problem itself, under the same ids, and states of the one are states of the other.
    fn watched(&self, entry: &Entry, sight: &Sight) -> Result<Simulator, EnvError> {
        let budget = Budget::new(self.limits);
        let problem = entry.parse(&sight.domain, &budget)?;
        let normal = NormalDomain::within(&sight.domain, &budget).map_err(GroundError::from);
        let normal = normal.map_err(CompileError::from)?;
        let options = GroundOptions::default();
        Ok(compile_within(
            &sight.domain,
            &normal,
            &problem,
            &options,
            &budget,
        )?)
    }

    /// The largest numbers of observable atoms and of the agent's actions that a problem of the suite has. Compiles
    /// all problems, unless they are numbered together.
    ///
    /// # Errors
    /// When a problem is at fault.
    pub fn sizes(&self, part: Part) -> Result<Sizes, EnvError> {
        if let Some(ids) = self.ids() {
            return Ok(Sizes {
                atoms: ids.atom_count(part),
                actions: ids.action_count(),
            });
        }
        let mut sizes = Sizes::default();
        for index in 0..self.len() {
            let instance = self.instance(index)?;
            sizes.atoms = sizes.atoms.max(instance.atoms().len(part));
            sizes.actions = sizes.actions.max(instance.space().len());
        }
        Ok(sizes)
    }

    /// An engine for the problem at `index`, at its initial state.
    ///
    /// # Errors
    /// When there is no such problem, or it is at fault.
    pub fn engine(&self, index: usize) -> Result<Planning<Grounded>, EnvError> {
        Ok(self.instance(index)?.engine())
    }
}

impl Suite {
    /// An engine for the problem at `index` that does not ground it, at its initial state.
    ///
    /// # Errors
    /// When there is no such problem, or it is at fault.
    pub fn lifted_engine(
        &self,
        index: usize,
        maintenance: Maintenance,
    ) -> Result<Planning<Lifted>, EnvError> {
        let (simulator, actions) = (self.lifted_simulator(index)?, self.shared_actions());
        let planning = match self.placed(simulator.vocabulary()) {
            None => Planning::lifted(&simulator, maintenance, actions),
            Some(ids) => Lifted::placed(&simulator, maintenance, actions, ids).map(Planning::on),
        };
        Ok(planning.map_err(PlanningError::from)?)
    }

    /// The problem at `index` without grounding it.
    ///
    /// # Errors
    /// When there is no such problem, or it is at fault.
    pub fn lifted_simulator(&self, index: usize) -> Result<LiftedSimulator, EnvError> {
        let (domain, budget) = (&self.shared.domain, Budget::new(self.limits));
        let problem = self.shared.parse(self.entry(index)?, &budget)?;
        let normal = self.shared.normal(&budget)?;
        let task = LiftedTask::within(domain, normal, &problem, &budget).map_err(CompileError::from)?;
        let options = Options::default();
        let step = Limits {
            bytes: self.limits.bytes.or(options.step.bytes),
            time: self.limits.time,
        };
        Ok(LiftedSimulator::with_options(task, Options { step, ..options })?)
    }
}

impl Shared {
    fn parse(&self, entry: &Entry, budget: &Budget) -> Result<Problem, EnvError> {
        entry.parse(&self.domain, budget)
    }

    /// The domain's normal form, made once for all problems.
    fn normal(&self, budget: &Budget) -> Result<&NormalDomain, CompileError> {
        if let Some(normal) = self.normal.get() {
            return Ok(normal);
        }
        let normal = NormalDomain::within(&self.domain, budget).map_err(GroundError::from)?;
        Ok(self.normal.get_or_init(|| normal))
    }
}

impl Entry {
    fn parse(&self, domain: &Domain, budget: &Budget) -> Result<Problem, EnvError> {
        Ok(match &self.text {
            Text::Unread(source) => Problem::parse_within(source, domain, budget)?,
            Text::Checked(problem) => Problem::clone(problem),
        })
    }

    /// The name with the part of the suite before it, if there are parts.
    fn full_name(&self) -> String {
        match self.split {
            Some(split) => format!("{split}/{}", self.name),
            None => self.name.clone(),
        }
    }
}
