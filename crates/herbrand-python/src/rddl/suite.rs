//! Suites: a domain in RDDL with its instances.

use herbrand_datalog::Limits;
use herbrand_rddl::simulate::{Fluents, Preconditions, Process};
use herbrand_rddl::suite::RddlError;
use herbrand_rddl::{Horizon, Limit, Range, Source};
use herbrand_text::counted;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::language::number;
use super::task::RddlTask;
use crate::domain::source;
use crate::errors::{self, OrRaise, Reduced, guarded};
use crate::limits::{limits, packed, unpacked};
use crate::observed::ObservedProblems;
use crate::picture::summary;

/// A domain in RDDL with an ordered list of its instances, compiled when they are first used.
///
/// `herbrand.suite` makes one from a name, paths or texts.
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct RddlSuite {
    pub suite: herbrand_rddl::suite::RddlSuite,
    origin: Origin,
    /// By problem: its index in what the origin defines.
    chosen: Vec<usize>,
    limits: Limits,
}

/// Where a suite comes from.
#[derive(Clone)]
enum Origin {
    Bundled(String),
    Texts {
        name: Option<String>,
        files: Vec<Source>,
    },
}

/// What names a problem of a suite.
#[derive(FromPyObject)]
enum Wanted {
    Index(i64),
    Name(String),
}

/// A ground fluent: its name, its range ("bool", "int", "real", or the name of a type), the items of the type, and its
/// default or initial value as a number.
type Ground = (String, String, Option<Vec<String>>, f64);

impl RddlSuite {
    fn new(py: Python<'_>, origin: Origin, limits: Limits) -> PyResult<Self> {
        let made = guarded(py, || match &origin {
            Origin::Bundled(name) => Ok(herbrand_rddl::suite::RddlSuite::bundled(name)?.with_limits(limits)),
            Origin::Texts { name, files } => {
                herbrand_rddl::suite::RddlSuite::from_named_files(name.as_deref(), files, limits)
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

    fn with(&self, suite: herbrand_rddl::suite::RddlSuite) -> Self {
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

    fn index_of(&self, py: Python<'_>, problem: Wanted) -> PyResult<usize> {
        let count = self.suite.len();
        match problem {
            Wanted::Name(name) => self.suite.index_of(&name).or_raise(py),
            Wanted::Index(index) => {
                let from_start = if index < 0 { index + count as i64 } else { index };
                let found = usize::try_from(from_start).ok().filter(|&index| index < count);
                found.ok_or_else(|| {
                    let text = format!(
                        "{} has no instance `{index}` among its {count}",
                        self.suite.name()
                    );
                    errors::message(py, "UnknownNameError", &text)
                })
            }
        }
    }

    fn process(&self, py: Python<'_>, index: usize) -> PyResult<&Process> {
        let made = guarded(py, || self.suite.process(index).map(|process| &**process))?;
        made.or_raise(py)
    }
}

fn preconditions(name: &str) -> PyResult<Preconditions> {
    match name {
        "reported" => Ok(Preconditions::Reported),
        "enforced" => Ok(Preconditions::Enforced),
        _ => Err(PyValueError::new_err(format!(
            "preconditions are \"reported\" or \"enforced\", not {name:?}"
        ))),
    }
}

/// The ground fluents of a role, each with the value that `value` knows.
fn ground(process: &Process, fluents: &Fluents, value: impl Fn(usize) -> f64) -> Vec<Ground> {
    let instance = &process.instance;
    let one = |at: usize| {
        let range = process.range(fluents, at);
        let items = match range {
            Range::Item(of) => {
                let items = (0..instance.size(of)).map(|item| instance.item_name(of, item).to_string());
                Some(items.collect())
            }
            _ => None,
        };
        let range = instance.domain.range_name(range).to_owned();
        (process.name(fluents, at), range, items, value(at))
    };
    (0..fluents.len()).map(one).collect()
}

#[pymethods]
impl RddlSuite {
    /// The names of the bundled environments, in alphabetical order: ``"rddl/cartpole-continuous"``.
    #[staticmethod]
    fn bundled_names() -> Vec<String> {
        herbrand_rddl::suite::RddlSuite::bundled_names()
    }

    /// The bundled environment called `name`.
    #[staticmethod]
    fn bundled(py: Python<'_>, name: String) -> PyResult<Self> {
        Self::new(py, Origin::Bundled(name), Limits::default())
    }

    /// The suite of the one domain and the instances that texts define together: pairs of a file's name and its text. Its
    /// name is that of the domain if none is given.
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

    /// The suite that was pickled.
    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        bundled: Option<String>,
        texts: (Option<String>, Vec<(String, String)>),
        chosen: Vec<usize>,
        limits: (Option<f64>, Option<u64>),
        enforced: &str,
    ) -> PyResult<Self> {
        let files = texts
            .1
            .iter()
            .map(|(name, text)| Source::new(name, text))
            .collect();
        let origin = bundled.map_or(Origin::Texts { name: texts.0, files }, Origin::Bundled);
        let whole = Self::new(py, origin, unpacked(limits))?;
        let part = whole.part(py, &chosen)?;
        part.with_preconditions(enforced)
    }

    /// What the suite is called: ``"rddl/cartpole-continuous"``, or the name of the domain or the folder.
    #[getter]
    fn name(&self) -> &str {
        self.suite.name()
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

    /// ``"reported"`` or ``"enforced"``.
    #[getter]
    fn preconditions(&self) -> &'static str {
        match self.suite.preconditions() {
            Preconditions::Reported => "reported",
            Preconditions::Enforced => "enforced",
        }
    }

    /// The same suite, in which violated action preconditions are reported, or refuse the step.
    fn with_preconditions(&self, preconditions: &str) -> PyResult<Self> {
        let preconditions = self::preconditions(preconditions)?;
        Ok(self.with(self.suite.clone().with_preconditions(preconditions)))
    }

    /// The same suite, each instance of which is compiled within these limits.
    fn with_limits(&self, limits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let limits = self::limits(limits)?;
        Ok(Self {
            limits,
            ..self.with(self.suite.clone().with_limits(limits))
        })
    }

    /// The suite of one instance: its name, or its index from 0.
    fn select(&self, py: Python<'_>, problem: Wanted) -> PyResult<Self> {
        let index = self.index_of(py, problem)?;
        self.part(py, &[index])
    }

    /// The suite of several instances, in this order.
    fn select_all(&self, py: Python<'_>, problems: Vec<Wanted>) -> PyResult<Self> {
        let indices = problems.into_iter().map(|problem| self.index_of(py, problem));
        self.part(py, &indices.collect::<PyResult<Vec<_>>>()?)
    }

    /// The index of the instance that a name means.
    fn index(&self, py: Python<'_>, problem: &str) -> PyResult<usize> {
        self.suite.index_of(problem).or_raise(py)
    }

    /// The task of the instance at `index`, which shares what is compiled.
    #[pyo3(signature = (index = 0))]
    fn task(slf: &Bound<'_, Self>, index: usize) -> PyResult<RddlTask> {
        let py = slf.py();
        let one = slf.get().part(py, &[index])?;
        RddlTask::new(py, Py::new(py, one)?)
    }

    /// The instances with a way of observing and of acting on them: "fluents" (a double each), "narrowest" (a byte each where all are
    /// bools, else the same) or pixels, an action field for each ground action fluent, or joint actions by number where a limit to their
    /// number is given.
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

    /// The ground action fluents of an instance: tuples of name, range, the items of the range if it is a type, and the default
    /// as a number.
    #[pyo3(signature = (index = 0))]
    fn action_fluents(&self, py: Python<'_>, index: usize) -> PyResult<Vec<Ground>> {
        let process = self.process(py, index)?;
        let default = |at: usize| process.actions().fields()[at].default.map_or(0.0, number);
        Ok(ground(process, &process.action, default))
    }

    /// The ground fluents that agents see, in the order in which observations have them: tuples as for `action_fluents`, with
    /// the initial value of a state fluent.
    #[pyo3(signature = (index = 0))]
    fn seen_fluents(&self, py: Python<'_>, index: usize) -> PyResult<Vec<Ground>> {
        let process = self.process(py, index)?;
        if process.is_partially_observed() {
            return Ok(ground(process, &process.observ, |_| 0.0));
        }
        let section = process.state.section();
        let initial = |at: usize| section.get(process.initial(), at).number();
        Ok(ground(process, &process.state, initial))
    }

    /// How many ground action fluents may differ from their defaults at once; None if all may.
    #[pyo3(signature = (index = 0))]
    fn max_nondef_actions(&self, py: Python<'_>, index: usize) -> PyResult<Option<u32>> {
        Ok(
            match self.suite.instance(index).or_raise(py)?.max_nondef_actions {
                Limit::AtMost(most) => Some(most),
                Limit::Unlimited => None,
            },
        )
    }

    /// After how many steps an episode is cut off; None for never.
    #[pyo3(signature = (index = 0))]
    fn horizon(&self, py: Python<'_>, index: usize) -> PyResult<Option<u32>> {
        Ok(match self.suite.instance(index).or_raise(py)?.horizon {
            Horizon::Steps(steps) => Some(steps),
            Horizon::Infinite => None,
        })
    }

    /// By how much the reward of a later step counts for less, per step.
    #[pyo3(signature = (index = 0))]
    fn discount(&self, py: Python<'_>, index: usize) -> PyResult<f64> {
        Ok(self.suite.instance(index).or_raise(py)?.discount)
    }

    /// The domain as RDDL.
    fn domain_rddl(&self) -> String {
        self.suite.domain().to_rddl()
    }

    /// An instance as RDDL, with its block of non-fluents.
    #[pyo3(signature = (index = 0))]
    fn instance_rddl(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        Ok(self.suite.instance(index).or_raise(py)?.to_rddl())
    }

    fn __len__(&self) -> usize {
        self.suite.len()
    }

    /// The name, the number of instances, and the initial state of the first one, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let suite = &self.suite;
        let drawn = guarded(py, || {
            if suite.is_empty() {
                return Ok(None);
            }
            let simulator = suite.simulator(0)?;
            let picture = herbrand_rddl::StatePicture::of(suite, 0, &simulator)?;
            Ok::<_, RddlError>(Some(picture.scene(&simulator)))
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
