//! Suites: a domain with its instances, compiled on first use.
//!
//! An [`RddlSuite`] implements [`Problems`](herbrand_core::Problems), so the environments, batches, snapshots and roll-outs
//! of [`herbrand_core`] work with it:
//!
//! ```
//! use herbrand_core::EnvOptions;
//! use herbrand_rddl_sim::suite::{RddlEnv, RddlSuite};
//! use herbrand_rddl_sim::simulate::FluentVector;
//!
//! let suite = RddlSuite::bundled("rddl/cartpole-continuous")?.problem("1")?;
//! let mut env = RddlEnv::observed(suite, FluentVector, EnvOptions::default())?;
//! env.reset(Some(7))?;
//! let joint = env.sample()?.expect("something can always be done");
//! let step = env.step(&joint)?;
//! assert_eq!(step.reward, 1.0);
//! # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
//! ```

#[cfg(feature = "domains")]
mod bundled;
mod error;
mod files;
mod problems;

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use herbrand_core::{Catalogue, EpisodeFault, UnknownProblem};
use herbrand_limits::{Budget, Limits};
use herbrand_text::{Natural, Source};

pub use error::RddlError;

use crate::ground::compile_within;
use crate::settings::EnvSettings;
use crate::simulate::{CompiledInstance, FluentVector, Preconditions, RddlSimulator, Values};
use herbrand_rddl::{Domain, Instance};

/// An environment over the instances of a suite. `O` is the observer that writes observations. Create it by
/// [`RddlEnv::observed`](herbrand_core::Env::observed), then reset and step it.
pub type RddlEnv<O = FluentVector> = herbrand_core::Env<RddlSuite, O>;

/// A batch of environments over one suite, stepped together. `O` is the observer that writes observations. Create it by
/// [`RddlVecEnv::new`](herbrand_core::VecEnv::new).
pub type RddlVecEnv<O = FluentVector> = herbrand_core::VecEnv<RddlSuite, O>;

/// Everything on which the future of an environment depends, except its actions: problem, state, random streams and memory.
/// [`Env::save`](herbrand_core::Env::save) returns it, [`Env::restore`](herbrand_core::Env::restore) takes it.
pub type RddlSnapshot = herbrand_core::Snapshot<Values>;

/// A domain and an ordered list of its instances. Cheap to clone.
///
/// Instances are compiled on first use. Clones and subsets of a suite share the compiled problems, also across threads.
/// Create an environment over it by [`RddlEnv`], or a simulator of one problem by [`simulator`](Self::simulator).
#[derive(Clone, Debug)]
pub struct RddlSuite {
    name: Arc<str>,
    domain: Arc<Domain>,
    /// The texts that the suite was read from.
    sources: Arc<[Source]>,
    settings: Arc<EnvSettings>,
    settings_source: Option<Source>,
    entries: Vec<Arc<Entry>>,
    preconditions: Preconditions,
    limits: Limits,
}

#[derive(Debug)]
struct Entry {
    name: String,
    instance: Arc<Instance>,
    compiled: OnceLock<Arc<CompiledInstance>>,
}

impl RddlSuite {
    /// Creates a suite of checked instances of one domain. The suite is named after the domain, and problems after
    /// their instances. Whether the instances are of this domain is not checked. Without instances, the suite is empty,
    /// and an environment over it cannot be created.
    #[must_use]
    pub fn from_instances(domain: Arc<Domain>, instances: impl IntoIterator<Item = Instance>) -> Self {
        let name = domain.name.to_string();
        let named = |instance: Instance| (instance.name.to_string(), instance);
        Self::assemble(&name, domain, instances.into_iter().map(named))
    }

    /// Loads the domain and all instances that `sources` define together, in source order. Problems are named after their
    /// instances.
    ///
    /// ```
    /// use herbrand_rddl::Source;
    /// use herbrand_rddl_sim::suite::RddlSuite;
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
    /// # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
    /// ```
    ///
    /// A text that is given twice counts once, as for a file that has both the domain and its instance.
    ///
    /// # Errors
    /// Fails if a text has faults, or if there is no instance.
    pub fn from_sources(sources: &[Source]) -> Result<Self, RddlError> {
        Self::from_sources_within(sources, Limits::default())
    }

    /// Like [`from_sources`](Self::from_sources), but parses the texts and compiles each problem within limits of
    /// memory and time.
    ///
    /// # Errors
    /// Fails like [`from_sources`](Self::from_sources), and if parsing exceeds the limits.
    pub fn from_sources_within(sources: &[Source], limits: Limits) -> Result<Self, RddlError> {
        let sources = distinct(sources);
        let (domain, instances) = herbrand_rddl::domain_and_instances(&sources, &Budget::new(limits))?;
        let mut suite = Self::from_instances(domain, instances).with_limits(limits);
        suite.sources = sources.into();
        if suite.is_empty() {
            Err(RddlError::from(EpisodeFault::NoProblems {
                problems: suite.name().to_owned(),
            }))
        } else {
            Ok(suite)
        }
    }

    /// Like [`from_sources_within`](Self::from_sources_within), but names the suite `name` if given, and names each problem
    /// after its file without `.rddl`, sorted in natural order: `instance2` before `instance10`. If a file has several
    /// instances, or two files have the same name, problems are named after the instances and keep the order of `sources`.
    ///
    /// # Errors
    /// Fails like [`from_sources_within`](Self::from_sources_within).
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
            sources: Arc::default(),
            settings: Arc::default(),
            settings_source: None,
            entries: entries.collect(),
            preconditions: Preconditions::default(),
            limits: Limits::default(),
        }
    }

    /// Sets the effect of violated action preconditions on steps of the simulators and environments created from now
    /// on, and returns the suite. The default is [`Preconditions::Reported`].
    #[must_use]
    pub const fn with_preconditions(mut self, preconditions: Preconditions) -> Self {
        self.preconditions = preconditions;
        self
    }

    /// Sets the limits of memory and time within which each problem is compiled, and returns the suite. By default
    /// there are no limits. A problem that exceeds them fails when it is first used.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the name of the suite: the name of the domain, of the folder or of the bundled environment, such as
    /// `rddl/cartpole-continuous`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the domain of the suite.
    #[must_use]
    pub const fn domain(&self) -> &Arc<Domain> {
        &self.domain
    }

    /// Returns the settings in `env.toml`; the defaults if the suite has no such file.
    #[must_use]
    pub fn settings(&self) -> &EnvSettings {
        &self.settings
    }

    /// Sets the environment settings, parsed from `source`, the text of an `env.toml`. Earlier settings are replaced.
    ///
    /// # Errors
    /// Fails if the settings have faults.
    pub fn with_settings(mut self, source: &Source) -> Result<Self, RddlError> {
        self.settings = Arc::new(EnvSettings::parse(source, &self.domain)?);
        self.settings_source = Some(source.clone());
        Ok(self)
    }

    /// Returns the text of the settings; `None` if the suite has none.
    #[must_use]
    pub const fn settings_source(&self) -> Option<&Source> {
        self.settings_source.as_ref()
    }

    /// Returns the texts that the suite was read from; none if it was given checked instances.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns the limits of compiling a problem.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the number of problems in the suite.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if the suite has no problems.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the effect of violated action preconditions on steps.
    #[must_use]
    pub const fn preconditions(&self) -> Preconditions {
        self.preconditions
    }

    /// Returns the name of the problem at `index`, counted from 0; `None` if there is no such problem.
    #[must_use]
    pub fn problem_name(&self, index: usize) -> Option<&str> {
        self.entries.get(index).map(|entry| entry.name.as_str())
    }

    /// Returns the checked instance at `index`, counted from 0.
    ///
    /// # Errors
    /// [`RddlError::UnknownProblem`] if there is no such problem.
    pub fn instance(&self, index: usize) -> Result<&Arc<Instance>, RddlError> {
        Ok(&self.entry(index)?.instance)
    }

    /// Returns the compiled problem at `index`, counted from 0. Compiles it on first use. Pass it to
    /// [`RddlSimulator::new`] or [`Rollouts::new`](crate::simulate::Rollouts::new).
    ///
    /// # Errors
    /// Fails if there is no such problem, if it has too many ground fluents or values, or if compiling it exceeds the
    /// limits or an enclosing budget.
    pub fn compiled(&self, index: usize) -> Result<&Arc<CompiledInstance>, RddlError> {
        let entry = self.entry(index)?;
        if let Some(compiled) = entry.compiled.get() {
            return Ok(compiled);
        }
        let compiled = compile_within(&entry.instance, &Budget::new(self.limits))?;
        Ok(entry.compiled.get_or_init(|| Arc::new(compiled)))
    }

    /// Creates a simulator of the problem at `index`, counted from 0, in its initial state, with the
    /// [`preconditions`](Self::preconditions) of the suite.
    ///
    /// # Errors
    /// Fails like [`compiled`](Self::compiled).
    pub fn simulator(&self, index: usize) -> Result<RddlSimulator, RddlError> {
        let compiled = Arc::clone(self.compiled(index)?);
        Ok(RddlSimulator::new(compiled, self.preconditions))
    }

    /// Returns a suite that contains only the problem at `index`, from 0.
    ///
    /// # Errors
    /// [`RddlError::UnknownProblem`] if there is no such problem.
    pub fn only(&self, index: usize) -> Result<Self, RddlError> {
        self.select(&[index])
    }

    /// Returns a suite that contains the problems at these indices, in this order. An index may occur more than once,
    /// and no index gives an empty suite.
    ///
    /// # Errors
    /// [`RddlError::UnknownProblem`] if there is no such problem.
    pub fn select(&self, indices: &[usize]) -> Result<Self, RddlError> {
        let entries = indices.iter().map(|&index| self.entry(index).cloned());
        Ok(Self {
            entries: entries.collect::<Result<_, _>>()?,
            ..self.clone()
        })
    }

    /// Returns a suite that contains only the problem called `name`, or the problem with this declared name or number,
    /// as in [`index_of`](Self::index_of).
    ///
    /// # Errors
    /// [`RddlError::UnknownProblem`] if there is no such problem.
    pub fn problem(&self, name: &str) -> Result<Self, RddlError> {
        self.only(self.index_of(name)?)
    }

    /// Returns the index of the problem called `name`, or else of the only problem whose instance declares this name, or
    /// else of the problem with this number, counted from 1. Of several problems called `name`, it is the first. The
    /// returned index is counted from 0.
    ///
    /// # Errors
    /// [`RddlError::UnknownProblem`] if there is no such problem.
    pub fn index_of(&self, name: &str) -> Result<usize, RddlError> {
        Ok(Catalogue::index_of(self, name)?)
    }

    fn entry(&self, index: usize) -> Result<&Arc<Entry>, RddlError> {
        let entry = self.entries.get(index);
        entry.ok_or_else(|| UnknownProblem::at(self, index).into())
    }
}

/// Returns the sources without those whose text an earlier one has.
fn distinct(sources: &[Source]) -> Vec<Source> {
    let mut distinct: Vec<Source> = Vec::with_capacity(sources.len());
    let mut texts = HashSet::new();
    distinct.extend(
        sources
            .iter()
            .filter(|source| texts.insert(source.text()))
            .cloned(),
    );
    distinct
}

impl Entry {
    const fn new(name: String, instance: Arc<Instance>) -> Self {
        Self {
            name,
            instance,
            compiled: OnceLock::new(),
        }
    }

    /// Returns the name of the instance's file without `.rddl`, or the name of the instance if it has no file.
    fn stem(&self) -> String {
        let path = self.instance.origin.source().map(Source::name);
        let file = path.and_then(|path| path.rsplit(['/', '\\']).next());
        let name = file.map(|file| file.strip_suffix(".rddl").unwrap_or(file));
        name.unwrap_or(&self.name).to_owned()
    }
}
