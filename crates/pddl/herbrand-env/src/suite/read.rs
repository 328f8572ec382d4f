//! Constructors of suites: from files, from checked problems, with shared ids.

use std::sync::{Arc, OnceLock};

use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Domain, Problem, SteppedDomain};

use super::{ActionMode, Entry, Shared, Split, Suite, SuiteFiles, Text};
use crate::action::AgentActions;
use crate::action::ids::{Ids, SuiteIds};
use crate::config::Config;
use crate::error::EnvError;
use crate::planning::sliced::Slicing;
use crate::visibility::VisibilityRules;

impl Suite {
    /// Creates a suite from its texts. Parses the domain and the settings; problems are parsed on first use. `mode`
    /// selects declared agent actions or operators.
    ///
    /// # Errors
    /// Fails if the domain or the settings are faulty. A faulty problem is not noticed here; the first method that uses
    /// the problem fails.
    pub fn new(files: SuiteFiles, mode: ActionMode) -> Result<Self, EnvError> {
        Self::within(files, mode, Limits::default())
    }

    /// Like [`new`](Self::new), with limits on the time and memory for reading and compiling the domain and each problem.
    ///
    /// # Errors
    /// Fails if the domain or the settings are faulty, or if the domain exceeds the limits.
    pub fn within(files: SuiteFiles, mode: ActionMode, limits: Limits) -> Result<Self, EnvError> {
        let domain = Domain::parse_within(&files.domain, &Budget::new(limits))?;
        Self::with_domain(domain, files, mode, limits)
    }

    /// Like [`within`](Self::within), with a domain that was already read from the files. It must be the domain of
    /// `files.domain`, which is not parsed again.
    ///
    /// # Errors
    /// Fails if the settings are faulty.
    pub fn with_domain(
        domain: Domain,
        files: SuiteFiles,
        mode: ActionMode,
        limits: Limits,
    ) -> Result<Self, EnvError> {
        let config = files.config.as_ref().map(Config::parse).transpose()?;
        let config = config.unwrap_or_default();
        #[cfg(feature = "render")]
        if let Some(source) = &files.config {
            config.check_picture(&domain, source)?;
        }
        let visibility = match (&config.observe, &files.config) {
            (Some(observe), Some(source)) => Some(VisibilityRules::new(&domain, observe, source)?),
            _ => None,
        };
        let entries = files.problems.into_iter();
        let entries = entries.map(|file| Entry::new(file.split, file.name, Text::Unread(file.source)));
        let shared = Shared {
            domain_source: Some(files.domain),
            config_source: files.config,
            visibility,
            ..Shared::new(files.name, domain, config, mode)?
        };
        Ok(Self::of(shared, entries.collect()).with_limits(limits))
    }

    /// Creates a suite from a checked domain and problems, without settings. The suite has the domain's name. Each
    /// problem must have been checked against this domain; another problem fails when it is compiled.
    ///
    /// # Errors
    /// Fails if the domain's action predicates are faulty.
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

    pub(super) fn of(shared: Shared, problems: Vec<Arc<Entry>>) -> Self {
        Self {
            shared: Arc::new(shared),
            problems,
            limits: Limits::default(),
            ids: None,
            is_lenient: false,
            is_seen: true,
            slicing: Slicing::default(),
        }
    }

    /// Returns the suite with ids of the given kind. With [`Ids::Suite`], the ids cover the current problems, and all
    /// of them are parsed. Selections of the suite keep the ids, so a policy trained on the training problems applies
    /// to the test problems. With [`Ids::Problem`], every problem has its own. The returned suite compiles its problems
    /// again.
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
    /// With [`Ids::Suite`], fails if a problem is faulty or exceeds the suite's limits, or if all problems together
    /// have more than 2^20 actions or 2^24 atoms.
    pub fn with_ids(&self, ids: Ids) -> Result<Self, EnvError> {
        let ids = match ids {
            Ids::Problem => None,
            Ids::Suite => {
                self.check_schemas("a numbering over several problems")?;
                let read = |entry: &Arc<Entry>| {
                    let problem = self.parse(entry, &Budget::new(self.limits))?;
                    Ok::<_, EnvError>(self.shared.stepped_problem(&problem).into_owned())
                };
                let problems = self.problems.iter().map(read);
                let problems = problems.collect::<Result<Vec<_>, _>>()?;
                let ids = SuiteIds::new(self.stepped_domain(), self.shared_actions(), &problems)?;
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
    /// Creates the data that the problems of a suite share, with actions of the given mode.
    pub(super) fn new(
        name: String,
        domain: Domain,
        config: Config,
        mode: ActionMode,
    ) -> Result<Self, EnvError> {
        let actions = match mode {
            ActionMode::Declared => AgentActions::of(&domain, &config)?.map(Arc::new),
            ActionMode::Operators => None,
        };
        Ok(Self {
            name,
            config,
            domain_source: None,
            config_source: None,
            stepped: domain.takes_time().then(|| Box::new(SteppedDomain::of(&domain))),
            domain,
            normal: OnceLock::new(),
            actions,
            visibility: None,
            is_ground: false,
        })
    }
}

impl Entry {
    pub(super) fn new(split: Option<Split>, name: String, text: Text) -> Arc<Self> {
        Arc::new(Self {
            split,
            name,
            text,
            checked: OnceLock::new(),
            instance: OnceLock::new(),
        })
    }
}
