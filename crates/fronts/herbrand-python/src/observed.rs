//! `ObservedProblems`: problems with an observation mode.

use std::sync::Arc;

use herbrand_core::balloon::{Altimeter, BalloonProblems};
use herbrand_core::{ElementKind, Enumerated, EnumeratedObserver, FieldDomain};
use herbrand_env::{EngineKind, LiftedSuite, ObservedAtoms};
use herbrand_gridworld::{GridWorlds, MapFaults, RobotPosition};
use herbrand_rddl_sim::simulate::{ExactFluents, FluentBits, FluentVector};
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_render::Pixels;
use herbrand_tasks::any::{AnyEnvs, Description, ViewForm, field_bounds, observed_suite, pixel_size, shared};
use herbrand_text::counted;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::choice::{one_of, value_error};
use crate::errors::{self, IntoException, OrRaise, Reduced, guarded, interruptible};
use crate::rddl::Number;

/// Problems of any language with an observation mode, from which environments are created.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct ObservedProblems {
    pub problems: Arc<dyn AnyEnvs>,
    pub description: Description,
    /// The engine, if the language has several.
    engine: Option<&'static str>,
    /// The function and the arguments that recreate it.
    origin: (Py<PyAny>, Py<PyTuple>),
}

/// The parts of the atoms that an observation has, by name.
const PARTS: &[(&str, ObservedAtoms)] = &[("all", ObservedAtoms::All), ("changing", ObservedAtoms::Changing)];

/// The engines by name.
const ENGINES: &[(&str, EngineKind)] = &[
    ("grounded", EngineKind::Grounded),
    ("sliced", EngineKind::Sliced),
    ("lifted", EngineKind::Lifted),
    ("automatic", EngineKind::Automatic),
];

/// Combines the problems of an RDDL suite with an observer, and with numbered joint actions if a limit is given.
fn acted_on<O>(
    py: Python<'_>,
    suite: &RddlSuite,
    limit: Option<usize>,
    observer: O,
) -> PyResult<Arc<dyn AnyEnvs>>
where
    O: herbrand_core::Observer<RddlSuite> + 'static,
{
    let Some(limit) = limit else {
        return Ok(shared(suite.clone(), observer, ViewForm::Array));
    };
    let enumerated = interruptible(py, || Enumerated::new(suite.clone(), limit))?.or_raise(py)?;
    Ok(shared(enumerated, EnumeratedObserver(observer), ViewForm::Array))
}

impl ObservedProblems {
    /// Creates observed problems. `engine` is the name of theirs, if the language has several, and `origin` recreates them.
    pub fn new(
        py: Python<'_>,
        problems: Arc<dyn AnyEnvs>,
        engine: Option<&'static str>,
        origin: (Py<PyAny>, Py<PyTuple>),
    ) -> PyResult<Self> {
        Ok(Self {
            description: interruptible(py, || problems.describe())?.or_raise(py)?,
            problems,
            engine,
            origin,
        })
    }

    /// Creates the observed problems of a suite. `origin` recreates them.
    pub fn of_suite(
        py: Python<'_>,
        suite: &herbrand_env::Suite,
        lifted: &LiftedSuite,
        (engine, observation, part): (&str, &str, &str),
        origin: (Py<PyAny>, Py<PyTuple>),
    ) -> PyResult<Self> {
        let (engine, part) = (one_of("engine", engine, ENGINES)?, one_of("part", part, PARTS)?);
        let made = interruptible(py, || observed_suite(suite, lifted, engine, observation, part))?;
        let (problems, name) = made.or_raise(py)?;
        Self::new(py, problems, Some(name), origin)
    }

    /// Creates the observed problems of an RDDL suite. The observation is "fluents" (an exact cell per fluent), "narrowest"
    /// (a byte per fluent if all are bools, else doubles) or pixels. Actions have one field per action fluent; with a `limit`
    /// they are numbers of joint actions, at most `limit` of them. `origin` recreates the problems.
    pub fn of_rddl(
        py: Python<'_>,
        suite: &RddlSuite,
        observation: &str,
        limit: Option<usize>,
        origin: (Py<PyAny>, Py<PyTuple>),
    ) -> PyResult<Self> {
        let problems = match pixel_size(observation) {
            Some(size) => {
                let size = size.map_err(value_error)?;
                let pixels = guarded(py, || Pixels::of(suite, size))?.or_raise(py)?;
                acted_on(py, suite, limit, pixels)?
            }
            None if observation == "fluents" => acted_on(py, suite, limit, ExactFluents)?,
            None if observation == "narrowest" => {
                match guarded(py, || FluentBits::of(suite))?.or_raise(py)? {
                    Some(bits) => acted_on(py, suite, limit, bits)?,
                    None => acted_on(py, suite, limit, FluentVector)?,
                }
            }
            None => {
                let text =
                    format!("observation is \"fluents\", \"narrowest\" or \"pixels\", not {observation:?}");
                return Err(PyValueError::new_err(text));
            }
        };
        Self::new(py, problems, None, origin)
    }

    /// Returns the shape of observations that are arrays: the shape of the only part, or flat. A row has at least one
    /// element.
    pub fn shape(&self) -> Vec<usize> {
        let layout = &self.description.layout;
        match layout.fields() {
            [field] if field.shape.len() > 1 && !field.is_empty() => field.shape.clone(),
            _ => vec![layout.len().max(1)],
        }
    }
}

/// A field of an action: its name, ``"discrete"``, ``"int"`` or ``"real"``, and its bounds.
type Field = (String, &'static str, Number, Number);

/// A part of an observation: its name, its shape, and its bounds.
type ObservationPart = (String, Vec<usize>, f64, f64);

#[pymethods]
impl ObservedProblems {
    /// The name of the set of problems.
    #[getter]
    fn name(&self) -> &str {
        &self.description.name
    }

    /// The names of the problems.
    #[getter]
    fn problem_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.description.problems)
    }

    /// The engine in use: "grounded", "sliced" or "lifted"; None for a language with a single engine.
    #[getter]
    fn engine(&self) -> Option<&str> {
        self.engine
    }

    /// The fields of an action: a list of tuples (name, "discrete", "int" or "real", lowest value, highest value).
    #[getter]
    fn action_fields(&self) -> Vec<Field> {
        let fields = self.description.fields.iter();
        let field = |field: &herbrand_core::ActionField| {
            let kind = match field.domain {
                FieldDomain::Discrete { .. } => "discrete",
                FieldDomain::Int { .. } => "int",
                FieldDomain::Real { .. } => "real",
            };
            let (low, high) = field_bounds(field.domain);
            let exact = |end: f64, whole: i64| {
                if end.is_finite() {
                    Number::Int(whole)
                } else {
                    Number::Real(end)
                }
            };
            let (low, high) = match field.domain {
                FieldDomain::Int {
                    low: least,
                    high: most,
                } => (exact(low, least), exact(high, most)),
                _ => (Number::Real(low), Number::Real(high)),
            };
            (field.name.clone(), kind, low, high)
        };
        fields.map(field).collect()
    }

    /// Whether an action is an int, the number of an alternative of the only field. Otherwise it has one number per field.
    #[getter]
    fn is_discrete(&self) -> bool {
        self.description.single
    }

    /// The number of elements of an action mask.
    #[getter]
    fn mask_len(&self) -> usize {
        self.description.mask_len()
    }

    /// The texts of the rules that a step may violate and still be taken, such as the action preconditions of RDDL.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.description.rules)
    }

    /// The names of the invariants whose breach ends an episode, such as the state invariants of RDDL.
    #[getter]
    fn invariants<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.description.invariants)
    }

    /// The horizon of each problem; None if it has none.
    #[getter]
    fn horizons<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.description.horizons)
    }

    /// Whether the action mask is the same in every state of every problem because every action is valid.
    #[getter]
    fn has_constant_mask(&self) -> bool {
        self.description.constant_mask
    }

    /// The parts of observations that are arrays, in order: a list of tuples (name, shape, lowest value, highest value).
    #[getter]
    fn observation_fields(&self) -> Vec<ObservationPart> {
        let fields = self.description.layout.fields().iter();
        let field = |field: &herbrand_core::ObservationField| {
            (field.name.clone(), field.shape.clone(), field.low, field.high)
        };
        fields.map(field).collect()
    }

    /// The shape of observations that are arrays.
    #[getter(shape)]
    fn shape_of(&self) -> Vec<usize> {
        self.shape()
    }

    /// The element type of observations: "int8", "int64", "float32" or "float64"; "uint8" for bytes that are not bits. The
    /// engine returns "uint8" data as int8 arrays; view them as uint8.
    #[getter]
    fn dtype(&self) -> &'static str {
        let fields = self.description.layout.fields();
        match self.description.kind {
            ElementKind::U8 if fields.iter().any(|field| field.high > 1.0) => "uint8",
            ElementKind::U8 => "int8",
            ElementKind::I64 => "int64",
            ElementKind::F32 => "float32",
            ElementKind::F64 => "float64",
        }
    }

    fn __len__(&self) -> usize {
        self.description.problems.len()
    }

    fn __repr__(&self) -> String {
        let Description { name, problems, .. } = &self.description;
        format!(
            "<ObservedProblems {name}: {}>",
            counted(problems.len(), "problem")
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py> {
        let (function, arguments) = &self.origin;
        (function.bind(py).clone(), arguments.bind(py).clone())
    }
}

/// Creates balloon flights seen through a noisy altimeter. Flight ``i`` starts with ``10 (i + 1)`` units of gas.
#[pyfunction]
pub fn balloon(py: Python<'_>, flights: usize) -> PyResult<ObservedProblems> {
    let problems = shared(BalloonProblems::new(flights), Altimeter, ViewForm::Array);
    let function = py.import("herbrand._herbrand")?.getattr("balloon")?;
    let arguments = PyTuple::new(py, [flights])?;
    ObservedProblems::new(py, problems, None, (function.unbind(), arguments.unbind()))
}

/// Creates grid worlds from the drawings of maps. Observations are the row and the column of the robot.
#[pyfunction]
pub fn grid_worlds(py: Python<'_>, name: &str, maps: &str) -> PyResult<ObservedProblems> {
    let worlds = GridWorlds::parse(name, maps).or_raise(py)?;
    let problems = shared(worlds, RobotPosition, ViewForm::Array);
    let function = py.import("herbrand._herbrand")?.getattr("grid_worlds")?;
    let arguments = PyTuple::new(py, [name, maps])?;
    ObservedProblems::new(py, problems, None, (function.unbind(), arguments.unbind()))
}

impl IntoException for MapFaults {
    fn exception(&self, py: Python<'_>) -> PyErr {
        errors::message(py, "ConfigError", &self.to_string())
    }
}
