//! How suites come to be: from files, from checked problems, with numbers over all of them.

use std::sync::{Arc, OnceLock};

use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Domain, Problem};

use super::{ActionMode, Entry, Shared, Split, Suite, SuiteFiles, Text};
use crate::ids::SuiteIds;
use crate::sight::Sight;
use crate::{AgentActions, Config, EnvError, Ids};

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
        Self::with_domain(domain, files, mode, limits)
    }

    /// Like [`within`](Self::within), with the domain that was already read from the files.
    ///
    /// # Errors
    /// When the settings are at fault.
    pub fn with_domain(
        domain: Domain,
        files: SuiteFiles,
        mode: ActionMode,
        limits: Limits,
    ) -> Result<Self, EnvError> {
        let config = files.config.as_ref().map(Config::parse).transpose()?;
        let config = config.unwrap_or_default();
        if let Some(source) = &files.config {
            config.check_picture(&domain, source)?;
        }
        let sight = match (&config.observe, &files.config) {
            (Some(observe), Some(source)) => Some(Sight::new(&domain, observe, source)?),
            _ => None,
        };
        let entries = files.problems.into_iter();
        let entries = entries.map(|file| Entry::new(file.split, file.name, Text::Unread(file.source)));
        let shared = Shared {
            domain_source: Some(files.domain),
            sight,
            ..Shared::new(files.name, domain, config, mode)?
        };
        Ok(Self::of(shared, entries.collect()).with_limits(limits))
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
        let entries = problems.into_iter().map(|problem| {
            let name = problem.name.to_string();
            Entry::new(None, name, Text::Checked(Box::new(problem)))
        });
        let shared = Shared::new(domain.name.to_string(), domain, Config::default(), mode)?;
        Ok(Self::of(shared, entries.collect()))
    }

    fn of(shared: Shared, problems: Vec<Arc<Entry>>) -> Self {
        Self {
            shared: Arc::new(shared),
            problems,
            limits: Limits::default(),
            ids: None,
            is_seen: true,
        }
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
        let entries = self.problems.iter();
        let entries = entries.map(|entry| Entry::new(entry.split, entry.name.clone(), entry.text.clone()));
        Ok(Self {
            problems: entries.collect(),
            ids,
            ..self.clone()
        })
    }
}

impl Shared {
    /// What the problems of a suite share, with the actions that the mode asks for.
    fn new(name: String, domain: Domain, config: Config, mode: ActionMode) -> Result<Self, EnvError> {
        let actions = match mode {
            ActionMode::Declared => AgentActions::of(&domain, &config)?.map(Arc::new),
            ActionMode::Operators => None,
        };
        Ok(Self {
            name,
            config,
            domain_source: None,
            domain,
            normal: OnceLock::new(),
            actions,
            sight: None,
        })
    }
}

impl Entry {
    fn new(split: Option<Split>, name: String, text: Text) -> Arc<Self> {
        Arc::new(Self {
            split,
            name,
            text,
            instance: OnceLock::new(),
        })
    }
}
