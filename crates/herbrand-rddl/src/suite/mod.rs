//! Sets of instances: a domain's problems, compiled when first used.
//!
//! An [`RddlSuite`] is the [`Problems`](herbrand_core::Problems) of RDDL, so that environments, batches of them, snapshots
//! and rollouts of [`herbrand_core`] work on it:
//!
//! ```
//! use herbrand_core::EnvOptions;
//! use herbrand_rddl::suite::{RddlEnv, RddlSuite};
//! use herbrand_rddl::simulate::FluentVector;
//!
//! let suite = RddlSuite::bundled("rddl/cartpole-continuous")?.problem("1")?;
//! let mut env = RddlEnv::observed(suite, FluentVector, EnvOptions::default())?;
//! env.reset(Some(7))?;
//! let joint = env.sample()?.expect("something can always be done");
//! let step = env.step(&joint)?;
//! assert_eq!(step.reward, 1.0);
//! # Ok::<(), herbrand_rddl::suite::RddlError>(())
//! ```

#[cfg(feature = "domains")]
mod bundled;
mod error;
mod files;
mod problems;

use std::sync::{Arc, OnceLock};

use herbrand_limits::{Budget, Limits};
use herbrand_text::{Natural, Source, nearest};

pub use error::RddlError;

use crate::ground::compile_within;
use crate::simulate::{FluentVector, Preconditions, Process, RddlSimulator, Values};
use crate::{Domain, EnvSettings, Instance};

/// An environment over the instances of a suite.
pub type RddlEnv<O = FluentVector> = herbrand_core::Env<RddlSuite, O>;

/// Many environments over one suite, stepped together.
pub type RddlVecEnv<O = FluentVector> = herbrand_core::VecEnv<RddlSuite, O>;

/// Everything that the future of an environment depends on apart from its actions.
pub type RddlSnapshot = herbrand_core::Snapshot<Values>;

/// A domain and an ordered list of its instances. Cheap to clone.
///
/// Instances are compiled when they are first asked for, and then kept; clones and parts of a suite share what is
/// compiled, on any number of threads.
#[derive(Clone, Debug)]
pub struct RddlSuite {
    name: Arc<str>,
    domain: Arc<Domain>,
    settings: Arc<EnvSettings>,
    entries: Vec<Arc<Entry>>,
    preconditions: Preconditions,
    limits: Limits,
}

#[derive(Debug)]
struct Entry {
    name: String,
    instance: Arc<Instance>,
    process: OnceLock<Arc<Process>>,
}

impl RddlSuite {
    /// The suite of instances of one domain that are already checked, called by their own names.
    #[must_use]
    pub fn from_instances(domain: Arc<Domain>, instances: impl IntoIterator<Item = Instance>) -> Self {
        let name = domain.name.to_string();
        let named = |instance: Instance| (instance.name.to_string(), instance);
        Self::assemble(&name, domain, instances.into_iter().map(named))
    }

    /// The suite of the one domain and all instances that `sources` define together, in the order written. Problems are
    /// called by the names of their instances.
    ///
    /// ```
    /// use herbrand_rddl::Source;
    /// use herbrand_rddl::suite::RddlSuite;
    ///
    /// let text = "
    ///     domain counter {
    ///         pvariables { n : { state-fluent, int, default = 0 }; };
    ///         cpfs { n' = n + 1; };
    ///         reward = n;
    ///     }
    ///     instance short { domain = counter; horizon = 5; discount = 1.0; }
    ///     instance long { domain = counter; horizon = 50; discount = 0.9; }";
    /// let suite = RddlSuite::from_sources(&[Source::new("counter", text)])?;
    /// assert_eq!((suite.len(), suite.problem_name(1)), (2, Some("long")));
    /// # Ok::<(), herbrand_rddl::suite::RddlError>(())
    /// ```
    ///
    /// # Errors
    /// All faults of the texts, and when there is no instance.
    pub fn from_sources(sources: &[Source]) -> Result<Self, RddlError> {
        Self::from_sources_within(sources, Limits::default())
    }

    /// As [`from_sources`](Self::from_sources), where the texts are read, and each problem is compiled, within limits.
    ///
    /// # Errors
    /// As [`from_sources`](Self::from_sources), and when reading exceeds the limits.
    pub fn from_sources_within(sources: &[Source], limits: Limits) -> Result<Self, RddlError> {
        let (domain, instances) = crate::read::domain_and_instances(sources, &Budget::new(limits))?;
        let suite = Self::from_instances(domain, instances).with_limits(limits);
        if suite.is_empty() {
            Err(RddlError::NoProblems {
                suite: suite.name().to_owned(),
            })
        } else {
            Ok(suite)
        }
    }

    /// As [`from_sources`](Self::from_sources), called `name` if that is given, and with problems called by the names of their files
    /// without `.rddl`, in natural order: `instance2` before `instance10`. In a file with several instances, and where
    /// two files have the same name, it is the names of the instances.
    ///
    /// # Errors
    /// As [`from_sources_within`](Self::from_sources_within).
    pub fn from_named_files(
        name: Option<&str>,
        sources: &[Source],
        limits: Limits,
    ) -> Result<Self, RddlError> {
        let mut suite = Self::from_sources_within(sources, limits)?;
        let stems: Vec<Natural> = suite.entries.iter().map(|entry| Natural(entry.stem())).collect();
        let mut sorted = stems.clone();
        sorted.sort();
        sorted.dedup();
        if sorted.len() == stems.len() {
            let mut named: Vec<_> = stems.into_iter().zip(&suite.entries).collect();
            named.sort_by(|a, b| a.0.cmp(&b.0));
            suite.entries = named
                .into_iter()
                .map(|(stem, entry)| Arc::new(Entry::new(stem.0, Arc::clone(&entry.instance))))
                .collect();
        }
        suite.name = name.map_or(suite.name, Into::into);
        Ok(suite)
    }

    fn assemble(
        name: &str,
        domain: Arc<Domain>,
        instances: impl Iterator<Item = (String, Instance)>,
    ) -> Self {
        let entries = instances.map(|(name, instance)| Arc::new(Entry::new(name, Arc::new(instance))));
        Self {
            name: name.into(),
            domain,
            settings: Arc::default(),
            entries: entries.collect(),
            preconditions: Preconditions::default(),
            limits: Limits::default(),
        }
    }

    /// The same suite, in which violated action preconditions do what `preconditions` says.
    #[must_use]
    pub const fn with_preconditions(mut self, preconditions: Preconditions) -> Self {
        self.preconditions = preconditions;
        self
    }

    /// The same suite, of which each problem is compiled within these limits. Unless set, there are none.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// What the suite is called: the domain's name, the folder's, or the bundled environment's, such as
    /// `rddl/cartpole-continuous`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The domain.
    #[must_use]
    pub const fn domain(&self) -> &Arc<Domain> {
        &self.domain
    }

    /// What is said beside the domain, in `env.toml`.
    #[must_use]
    pub fn settings(&self) -> &EnvSettings {
        &self.settings
    }

    /// The same suite, with settings that `source`, the text of an `env.toml`, says.
    ///
    /// # Errors
    /// When the settings are at fault.
    pub fn with_settings(mut self, source: &Source) -> Result<Self, RddlError> {
        self.settings = Arc::new(EnvSettings::parse(source, &self.domain)?);
        Ok(self)
    }

    /// The number of problems.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no problem.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What violated action preconditions do.
    #[must_use]
    pub const fn preconditions(&self) -> Preconditions {
        self.preconditions
    }

    /// The name of the problem at `index`.
    #[must_use]
    pub fn problem_name(&self, index: usize) -> Option<&str> {
        self.entries.get(index).map(|entry| entry.name.as_str())
    }

    /// The instance at `index`.
    ///
    /// # Errors
    /// [`RddlError::UnknownProblem`].
    pub fn instance(&self, index: usize) -> Result<&Arc<Instance>, RddlError> {
        Ok(&self.entry(index)?.instance)
    }

    /// The compiled problem at `index`; compiles it if nobody has yet.
    ///
    /// # Errors
    /// When there is no such problem, or it exceeds the limits.
    pub fn process(&self, index: usize) -> Result<&Arc<Process>, RddlError> {
        let entry = self.entry(index)?;
        if let Some(process) = entry.process.get() {
            return Ok(process);
        }
        let process = compile_within(&entry.instance, &Budget::new(self.limits))?;
        Ok(entry.process.get_or_init(|| Arc::new(process)))
    }

    /// A simulator of the problem at `index`, in its initial state.
    ///
    /// # Errors
    /// As for [`process`](Self::process).
    pub fn simulator(&self, index: usize) -> Result<RddlSimulator, RddlError> {
        let process = Arc::clone(self.process(index)?);
        Ok(RddlSimulator::new(process, self.preconditions))
    }

    /// The single problem at `index`, from 0.
    ///
    /// # Errors
    /// [`RddlError::UnknownProblem`].
    pub fn only(&self, index: usize) -> Result<Self, RddlError> {
        let entry = Arc::clone(self.entry(index)?);
        Ok(Self {
            entries: vec![entry],
            ..self.clone()
        })
    }

    /// The problems at these indices, in this order.
    ///
    /// # Errors
    /// [`RddlError::UnknownProblem`].
    pub fn select(&self, indices: &[usize]) -> Result<Self, RddlError> {
        let entries = indices.iter().map(|&index| self.entry(index).cloned());
        Ok(Self {
            entries: entries.collect::<Result<_, _>>()?,
            ..self.clone()
        })
    }

    /// The single problem that `name` means: a problem's name, or else its place in the suite, counted from 1.
    ///
    /// # Errors
    /// [`RddlError::UnknownProblem`].
    pub fn problem(&self, name: &str) -> Result<Self, RddlError> {
        self.only(self.index_of(name)?)
    }

    /// The index of the problem that `name` means, as in [`problem`](Self::problem).
    ///
    /// # Errors
    /// [`RddlError::UnknownProblem`].
    pub fn index_of(&self, name: &str) -> Result<usize, RddlError> {
        let named = self.entries.iter().position(|entry| entry.name == name);
        let by_place = || {
            let index = name.parse::<usize>().ok()?.checked_sub(1)?;
            (index < self.len()).then_some(index)
        };
        named.or_else(by_place).ok_or_else(|| self.unknown_problem(name))
    }

    fn entry(&self, index: usize) -> Result<&Arc<Entry>, RddlError> {
        let entry = self.entries.get(index);
        entry.ok_or_else(|| self.unknown_problem(&index.to_string()))
    }

    fn unknown_problem(&self, name: &str) -> RddlError {
        let names = || self.entries.iter().map(|entry| entry.name.as_str());
        RddlError::UnknownProblem {
            suite: self.name().to_owned(),
            name: name.to_owned(),
            names: names().map(str::to_owned).collect(),
            suggestion: nearest(name, names()).map(str::to_owned),
        }
    }
}

impl Entry {
    const fn new(name: String, instance: Arc<Instance>) -> Self {
        Self {
            name,
            instance,
            process: OnceLock::new(),
        }
    }

    /// The name of the file that the instance is from, without `.rddl`; without a file, its own name.
    fn stem(&self) -> String {
        let path = self.instance.origin.source().map(Source::name);
        let file = path.and_then(|path| path.rsplit(['/', '\\']).next());
        let name = file.map(|file| file.strip_suffix(".rddl").unwrap_or(file));
        name.unwrap_or(&self.name).to_owned()
    }
}
