//! `RddlSuite`: an RDDL domain with its instances.

use std::path::{Path, PathBuf};

use herbrand_core::{Catalogue as _, FieldValue};
use herbrand_datalog::Limits;
use herbrand_env::ActionMode;
use herbrand_rddl::{Horizon, Limit, Range, Source};
use herbrand_rddl_sim::simulate::{CompiledInstance, FluentValue, GroundFluents};
use herbrand_rddl_sim::suite::RddlError;
use herbrand_render::Pictured as _;
use herbrand_tasks::AnyProblems;
use herbrand_text::counted;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::task::RddlTask;
use super::values::Number;
use crate::choice::parsed;
use crate::collections::Packages;
use crate::domain::source;
use crate::errors::{OrRaise, Reduced, guarded, interruptible};
use crate::limits::{limits, packed, unpacked};
use crate::observed::ObservedProblems;
use crate::picture::summary;
use crate::selection::{Selection, not_a_name};

/// An RDDL domain with an ordered list of its instances. Instances are compiled on first use.
///
/// `herbrand.suite` creates suites from names, paths or texts.
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct RddlSuite {
    pub suite: herbrand_rddl_sim::suite::RddlSuite,
    /// Whether it is a bundled environment, or a part of one.
    bundled: bool,
    /// The indices of the problems among all instances of its texts.
    chosen: Vec<usize>,
}

/// A ground fluent: its name, its range ("bool", "int", "real", or the name of a type), the items of the type, and its
/// default or initial value as a number.
type Ground = (String, String, Option<Vec<String>>, Number);

impl RddlSuite {
    fn of(suite: herbrand_rddl_sim::suite::RddlSuite, bundled: bool) -> Self {
        Self {
            chosen: (0..suite.len()).collect(),
            suite,
            bundled,
        }
    }

    fn from_files(py: Python<'_>, name: Option<&str>, files: Vec<Source>, limits: Limits) -> PyResult<Self> {
        let made = guarded(py, || {
            let (settings, texts): (Vec<_>, Vec<_>) =
                files.into_iter().partition(|file| is_settings(file.name()));
            let suite = herbrand_rddl_sim::suite::RddlSuite::from_named_files(name, &texts, limits)?;
            match settings.first() {
                Some(settings) => suite.with_settings(settings),
                None => Ok(suite),
            }
        })?;
        Ok(Self::of(made.or_raise(py)?, false))
    }

    fn with(&self, suite: herbrand_rddl_sim::suite::RddlSuite) -> Self {
        Self {
            suite,
            bundled: self.bundled,
            chosen: self.chosen.clone(),
        }
    }

    fn part(&self, py: Python<'_>, indices: &[usize]) -> PyResult<Self> {
        let suite = self.suite.select(indices).or_raise(py)?;
        Ok(Self {
            chosen: indices.iter().map(|&index| self.chosen[index]).collect(),
            ..self.with(suite)
        })
    }

    /// Returns the index of the instance with a name, or with this number at the end of its name. Unlike the program, Python
    /// has integers for positions.
    fn index_by_name(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let suite = &self.suite;
        suite.index_of(name).or_raise(py)?;
        suite
            .named(name)
            .ok_or_else(|| not_a_name(py, suite.name(), "instance", name))
    }

    fn selection(&self, py: Python<'_>) -> Selection<'_, impl Fn(&str) -> PyResult<usize>> {
        Selection {
            suite: self.suite.name(),
            noun: "instance",
            count: self.suite.len(),
            by_name: move |name: &str| self.index_by_name(py, name),
        }
    }

    fn compiled(&self, py: Python<'_>, index: usize) -> PyResult<&CompiledInstance> {
        let made = interruptible(py, || self.suite.compiled(index).map(|compiled| &**compiled))?;
        made.or_raise(py)
    }
}

/// Returns whether a file has the settings of an environment.
fn is_settings(name: &str) -> bool {
    Path::new(name).ends_with("env.toml")
}

/// Returns the ground fluents of a role, each with its value by `value`.
fn ground(
    compiled: &CompiledInstance,
    fluents: &GroundFluents,
    value: impl Fn(usize) -> Number,
) -> Vec<Ground> {
    let instance = &compiled.instance;
    let one = |at: usize| {
        let range = compiled.range(fluents, at);
        let items = match range {
            Range::Item(of) => {
                let items = (0..instance.size(of)).map(|item| instance.item_name(of, item).to_string());
                Some(items.collect())
            }
            _ => None,
        };
        let range = instance.domain.range_name(range).to_owned();
        (compiled.name(fluents, at), range, items, value(at))
    };
    (0..fluents.len()).map(one).collect()
}

#[pymethods]
impl RddlSuite {
    /// Returns the names of the bundled environments in alphabetical order: ``"rddl/cartpole-continuous"``.
    #[staticmethod]
    fn bundled_names() -> Vec<String> {
        herbrand_rddl_sim::suite::RddlSuite::bundled_names()
    }

    /// Returns the horizon of the instances of the bundled environment `name`; None if they have different ones.
    #[staticmethod]
    fn bundled_horizon(name: &str) -> Option<u32> {
        herbrand_rddl_sim::suite::RddlSuite::bundled_horizon(name)
    }

    /// Returns the suite of a name: a bundled environment, or a problem of a collection, such as
    /// "rddlrepository:Elevators_MDP_ippc2011". `folders` are the places of packages, and `python` is the interpreter that is
    /// asked for others.
    #[staticmethod]
    #[pyo3(signature = (name, folders = Vec::new(), python = None, limits = None))]
    fn named(
        py: Python<'_>,
        name: &str,
        folders: Vec<PathBuf>,
        python: Option<PathBuf>,
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let packages = Packages { folders, python };
        let found = packages.open(py, name, ActionMode::Declared, self::limits(limits)?)?;
        match found.into_iter().next() {
            // Only the names of bundled environments have a slash.
            Some(AnyProblems::Rddl(suite)) => Ok(Self::of(suite, name.starts_with("rddl/"))),
            _ => Err(PyValueError::new_err(format!("{name} is not in RDDL"))),
        }
    }

    /// Returns the suite of a folder.
    #[staticmethod]
    #[pyo3(signature = (folder, limits = None))]
    fn from_folder(py: Python<'_>, folder: PathBuf, limits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let limits = self::limits(limits)?;
        let open = || herbrand_rddl_sim::suite::RddlSuite::from_path_within(folder, limits);
        Ok(Self::of(guarded(py, open)?.or_raise(py)?, false))
    }

    /// Creates the suite of the texts of one domain and its instances, given as pairs of file name and text. A file called
    /// ``env.toml`` has the settings. The default name is that of the domain.
    #[staticmethod]
    #[pyo3(signature = (files, name = None, limits = None))]
    fn from_texts(
        py: Python<'_>,
        files: Vec<(String, Bound<'_, PyAny>)>,
        name: Option<String>,
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let files = files.iter().map(|(name, text)| source(text, name));
        let files = files.collect::<PyResult<_>>()?;
        Self::from_files(py, name.as_deref(), files, self::limits(limits)?)
    }

    /// Rebuilds a pickled suite.
    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        bundled: Option<String>,
        texts: (Option<String>, Vec<(String, String)>),
        chosen: Vec<usize>,
        limits: (Option<f64>, Option<u64>),
        preconditions: &str,
    ) -> PyResult<Self> {
        let limits = unpacked(limits);
        let whole = match bundled {
            Some(name) => {
                let suite = herbrand_rddl_sim::suite::RddlSuite::bundled(&name).or_raise(py)?;
                Self::of(suite.with_limits(limits), true)
            }
            None => {
                let files = texts.1.iter().map(|(name, text)| Source::new(name, text));
                Self::from_files(py, texts.0.as_deref(), files.collect(), limits)?
            }
        };
        let part = whole.part(py, &chosen)?;
        part.with_preconditions(preconditions)
    }

    /// The name of the suite: ``"rddl/cartpole-continuous"``, or the name of the domain or the folder.
    #[getter]
    fn name(&self) -> &str {
        self.suite.name()
    }

    /// The text of the settings in ``env.toml``; None if there are none.
    #[getter]
    fn settings(&self) -> Option<&str> {
        self.suite.settings_source().map(Source::text)
    }

    /// A description of the domain in one sentence; may be empty.
    #[getter]
    fn description(&self) -> &str {
        &self.suite.settings().description
    }

    /// The name of the domain.
    #[getter]
    fn domain_name(&self) -> &str {
        self.suite.domain().name.as_str()
    }

    /// The names of the instances.
    #[getter]
    fn problem_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let names: Vec<_> = (0..self.suite.len())
            .filter_map(|index| self.suite.problem_name(index))
            .collect();
        PyTuple::new(py, names)
    }

    /// The effect of violated action preconditions: ``"reported"``, ``"refused"``, ``"replaced"`` or ``"ignored"``.
    #[getter]
    fn preconditions(&self) -> &'static str {
        self.suite.preconditions().as_str()
    }

    /// Returns the same suite with another effect of violated action preconditions: ``"reported"``, ``"refused"``, which
    /// makes the action invalid, ``"replaced"`` by no action, or ``"ignored"``.
    fn with_preconditions(&self, preconditions: &str) -> PyResult<Self> {
        let preconditions = parsed(preconditions)?;
        Ok(self.with(self.suite.clone().with_preconditions(preconditions)))
    }

    /// Returns the same suite with limits for compiling each instance.
    fn with_limits(&self, limits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let limits = self::limits(limits)?;
        Ok(self.with(self.suite.clone().with_limits(limits)))
    }

    /// Returns the suite of some instances, in this order.
    ///
    /// Parameters
    /// ----------
    /// problem : str, int, slice, or an iterable of str and int
    ///     Names, or indices from 0. Negative indices count from the end.
    fn select(&self, py: Python<'_>, problem: &Bound<'_, PyAny>) -> PyResult<Self> {
        let indices = self.selection(py).indices_of(problem)?;
        self.part(py, &indices)
    }

    /// Returns the index of the instance with a name.
    fn index(&self, py: Python<'_>, problem: &str) -> PyResult<usize> {
        self.index_by_name(py, problem)
    }

    /// Returns the task of the instance at `index`. It shares the suite's compiled instance.
    #[pyo3(signature = (index = 0))]
    fn task(slf: &Bound<'_, Self>, index: usize) -> PyResult<RddlTask> {
        let py = slf.py();
        let one = slf.get().part(py, &[index])?;
        RddlTask::new(py, Py::new(py, one)?)
    }

    /// Combines the instances with an observation mode and a form of actions.
    ///
    /// The observation is "fluents" (a double per fluent), "narrowest" (a byte per fluent if all are bools, else doubles) or
    /// pixels. Actions have one field per ground action fluent. If `limit` is given, they are numbers of joint actions, at
    /// most `limit` of them.
    #[pyo3(signature = (observation = "fluents", limit = None))]
    fn observed(
        slf: &Bound<'_, Self>,
        observation: &str,
        limit: Option<usize>,
    ) -> PyResult<ObservedProblems> {
        let py = slf.py();
        let origin = (
            slf.getattr("observed")?.unbind(),
            (observation, limit).into_pyobject(py)?.unbind(),
        );
        ObservedProblems::of_rddl(py, &slf.get().suite, observation, limit, origin)
    }

    /// Returns the ground action fluents of an instance: tuples of name, range, the items of the range if it is a type, and
    /// the default as a number.
    #[pyo3(signature = (index = 0))]
    fn action_fluents(&self, py: Python<'_>, index: usize) -> PyResult<Vec<Ground>> {
        let compiled = self.compiled(py, index)?;
        let default = |at: usize| match compiled.actions().fields()[at].default {
            Some(FieldValue::Int(value)) => Number::Int(value),
            other => Number::Real(other.map_or(0.0, FieldValue::number)),
        };
        Ok(ground(compiled, &compiled.action, default))
    }

    /// Returns the ground fluents in observations, in order: tuples as in `action_fluents`, with the initial value of a
    /// state fluent instead of the default.
    #[pyo3(signature = (index = 0))]
    fn seen_fluents(&self, py: Python<'_>, index: usize) -> PyResult<Vec<Ground>> {
        let compiled = self.compiled(py, index)?;
        if compiled.is_partially_observed() {
            return Ok(ground(compiled, &compiled.observ, |_| Number::Real(0.0)));
        }
        let section = compiled.state.section();
        let initial = |at: usize| match section.get(compiled.initial(), at) {
            FluentValue::Int(value) => Number::Int(value),
            value => Number::Real(value.number()),
        };
        Ok(ground(compiled, &compiled.state, initial))
    }

    /// Returns the number of ground action fluents that may differ from their defaults at once; None if there is no limit.
    #[pyo3(signature = (index = 0))]
    fn max_nondef_actions(&self, py: Python<'_>, index: usize) -> PyResult<Option<u32>> {
        Ok(
            match self.suite.instance(index).or_raise(py)?.max_nondef_actions {
                Limit::AtMost(most) => Some(most),
                Limit::Unlimited => None,
            },
        )
    }

    /// Returns the number of steps after which an episode is truncated; None for never.
    #[pyo3(signature = (index = 0))]
    fn horizon(&self, py: Python<'_>, index: usize) -> PyResult<Option<u32>> {
        Ok(match self.suite.instance(index).or_raise(py)?.horizon {
            Horizon::Steps(steps) => Some(steps),
            Horizon::Infinite => None,
        })
    }

    /// Returns the discount per step.
    #[pyo3(signature = (index = 0))]
    fn discount(&self, py: Python<'_>, index: usize) -> PyResult<f64> {
        Ok(self.suite.instance(index).or_raise(py)?.discount)
    }

    /// Returns the domain as RDDL.
    fn domain_rddl(&self) -> String {
        self.suite.domain().to_rddl()
    }

    /// Returns an instance as RDDL, with its block of non-fluents.
    #[pyo3(signature = (index = 0))]
    fn instance_rddl(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        Ok(self.suite.instance(index).or_raise(py)?.to_rddl())
    }

    fn __len__(&self) -> usize {
        self.suite.len()
    }

    /// Returns the name, the number of instances, and a picture of the initial state of the first one, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let suite = &self.suite;
        let drawn = guarded(py, || {
            if suite.is_empty() {
                return Ok(None);
            }
            let simulator = suite.simulator(0)?;
            let renderer = suite.renderer(0, &simulator)?;
            Ok::<_, RddlError>(Some(renderer.scene(&simulator)))
        })?;
        Ok(summary(suite.name(), suite.len(), drawn.or_raise(py)?.as_ref()))
    }

    fn __repr__(&self) -> String {
        format!(
            "<RddlSuite {}: {}>",
            self.suite.name(),
            counted(self.suite.len(), "instance")
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let this = slf.get();
        let name = this.suite.name();
        let own: &[Source] = if this.bundled { &[] } else { this.suite.sources() };
        let settings = this.suite.settings_source().filter(|_| !this.bundled);
        let files = own.iter().chain(settings);
        let files = files.map(|file| (file.name().to_owned(), file.text().to_owned()));
        let texts = ((!this.bundled).then_some(name), files.collect::<Vec<_>>());
        let arguments = (
            this.bundled.then_some(name),
            texts,
            this.chosen.clone(),
            packed(this.suite.limits()),
            this.preconditions(),
        );
        let restore = slf.py().get_type::<Self>().getattr("_restore")?;
        Ok((restore, arguments.into_pyobject(slf.py())?))
    }
}
