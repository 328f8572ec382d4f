//! `RddlSuite`: an RDDL domain with its instances.

use std::path::{Path, PathBuf};

use herbrand_collections::ProblemSet;
use herbrand_core::{Catalogue as _, FieldValue};
use herbrand_datalog::Limits;
use herbrand_rddl::{Horizon, Limit, Range, Source};
use herbrand_rddl_sim::simulate::{CompiledInstance, FluentValue, GroundFluents};
use herbrand_rddl_sim::suite::RddlError;
use herbrand_render::Pictured as _;
use herbrand_text::counted;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::task::RddlTask;
use super::values::Number;
use crate::choice::parsed;
use crate::collections;
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
    origin: Origin,
    /// The indices of the problems among all instances of the origin.
    chosen: Vec<usize>,
    limits: Limits,
}

/// The origin of a suite.
#[derive(Clone)]
enum Origin {
    Bundled(String),
    Texts {
        name: Option<String>,
        files: Vec<Source>,
    },
}

/// A ground fluent: its name, its range ("bool", "int", "real", or the name of a type), the items of the type, and its
/// default or initial value as a number.
type Ground = (String, String, Option<Vec<String>>, Number);

impl RddlSuite {
    fn new(py: Python<'_>, origin: Origin, limits: Limits) -> PyResult<Self> {
        let made = guarded(py, || match &origin {
            Origin::Bundled(name) => {
                Ok(herbrand_rddl_sim::suite::RddlSuite::bundled(name)?.with_limits(limits))
            }
            Origin::Texts { name, files } => {
                let (settings, texts): (Vec<_>, Vec<_>) =
                    files.iter().cloned().partition(|file| is_settings(file.name()));
                let suite =
                    herbrand_rddl_sim::suite::RddlSuite::from_named_files(name.as_deref(), &texts, limits)?;
                match settings.first() {
                    Some(settings) => suite.with_settings(settings),
                    None => Ok(suite),
                }
            }
        })?;
        let suite = made.or_raise(py)?;
        Ok(Self {
            chosen: (0..suite.len()).collect(),
            suite,
            origin,
            limits,
        })
    }

    fn with(&self, suite: herbrand_rddl_sim::suite::RddlSuite) -> Self {
        Self {
            suite,
            origin: self.origin.clone(),
            chosen: self.chosen.clone(),
            limits: self.limits,
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

    /// Returns the bundled environment `name`.
    #[staticmethod]
    fn bundled(py: Python<'_>, name: String) -> PyResult<Self> {
        Self::new(py, Origin::Bundled(name), Limits::default())
    }

    /// Returns the suite of a problem in a collection, such as "rddlrepository:Elevators_MDP_ippc2011". `folders` are the
    /// places of packages, and `python` is the interpreter that is asked for others.
    #[staticmethod]
    #[pyo3(signature = (name, folders, python = None, limits = None))]
    fn collected(
        py: Python<'_>,
        name: &str,
        folders: Vec<PathBuf>,
        python: Option<PathBuf>,
        limits: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        match collections::find(py, name, folders, python)? {
            ProblemSet::Rddl { name, sources: files } => {
                let origin = Origin::Texts {
                    name: Some(name),
                    files,
                };
                Self::new(py, origin, self::limits(limits)?)
            }
            ProblemSet::Pddl(files) => Err(PyValueError::new_err(format!("{} is in PDDL", files.name))),
        }
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
        Self::new(py, Origin::Texts { name, files }, self::limits(limits)?)
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
        let files = texts
            .1
            .iter()
            .map(|(name, text)| Source::new(name, text))
            .collect();
        let origin = bundled.map_or(Origin::Texts { name: texts.0, files }, Origin::Bundled);
        let whole = Self::new(py, origin, unpacked(limits))?;
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
        match &self.origin {
            Origin::Bundled(name) => herbrand_rddl_sim::suite::RddlSuite::bundled_settings(name),
            Origin::Texts { files, .. } => {
                let settings = files.iter().find(|file| is_settings(file.name()));
                settings.map(Source::text)
            }
        }
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
        Ok(Self {
            limits,
            ..self.with(self.suite.clone().with_limits(limits))
        })
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
        let (bundled, name, files) = match &this.origin {
            Origin::Bundled(name) => (Some(name.clone()), None, Vec::new()),
            Origin::Texts { name, files } => (None, name.clone(), files.clone()),
        };
        let files = files
            .iter()
            .map(|file| (file.name().to_owned(), file.text().to_owned()));
        let texts = (name, files.collect::<Vec<_>>());
        let arguments = (
            bundled,
            texts,
            this.chosen.clone(),
            packed(this.limits),
            this.preconditions(),
        );
        let restore = slf.py().get_type::<Self>().getattr("_restore")?;
        Ok((restore, arguments.into_pyobject(slf.py())?))
    }
}
