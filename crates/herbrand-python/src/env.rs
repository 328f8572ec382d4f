//! One environment: episodes over problems of any language, with observations, masks and infos as NumPy and Python objects.

use std::sync::{Arc, Mutex};

use herbrand_core::{
    Choice, DeadEnd, Domain, EnvOptions, Fact, FactValue, Group, Horizon, InvalidAction, ProblemChoice,
    Reset, Step, Value,
};
use numpy::{PyArray1, PyArray3, PyArrayMethods, ToPyArray};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::erased::{Answer, AnyEnv, Description, Given, Tuples, View, Wanted, Why};
use crate::errors::{self, OrRaise, Reduced, poisoned};
use crate::observed::ObservedProblems;
use crate::picture;
use crate::row::{Row, int8};
use crate::states;
use crate::term::{Action, Term};

/// The engine of `herbrand.Env`.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct EnvCore {
    problems: Py<ObservedProblems>,
    inner: Mutex<Inner>,
    /// The shape of an observation that is an array.
    shape: Vec<usize>,
    tuples: Arc<Tuples>,
}

/// The environment, and what it writes into before that is handed to Python.
struct Inner {
    env: Box<dyn AnyEnv>,
    /// Empty where no field of an action is discrete.
    mask: Vec<u8>,
    observation: Row,
}

impl Inner {
    fn new(env: Box<dyn AnyEnv>, of: &Description) -> Self {
        let discrete = of
            .fields
            .iter()
            .any(|field| matches!(field.domain, Domain::Discrete { .. }));
        Self {
            env,
            mask: vec![0; if discrete { of.widths.mask } else { 0 }],
            observation: Row::new(of.kind, of.widths.observation),
        }
    }
}

type Arrived<'py> = (Bound<'py, PyAny>, Bound<'py, PyDict>);
pub type Stepped<'py> = (Bound<'py, PyAny>, f64, bool, bool, Bound<'py, PyDict>);

/// The options that keyword arguments say: `horizon` is `"suite"`, a number of steps, or None for never.
pub fn options(
    horizon: &Bound<'_, PyAny>,
    through_goals: bool,
    dead_end_terminates: bool,
    raise_error_on_invalid_action: bool,
) -> PyResult<EnvOptions> {
    let fault = || PyValueError::new_err("horizon is \"suite\", a number of steps from 1, or None for never");
    let horizon = if horizon.is_none() {
        Horizon::Never
    } else if let Ok(text) = horizon.cast::<PyString>() {
        match text.to_str()? {
            "suite" => Horizon::Declared,
            _ => return Err(fault()),
        }
    } else {
        let steps: u32 = horizon.extract().map_err(|_| fault())?;
        (steps > 0).then_some(Horizon::Steps(steps)).ok_or_else(fault)?
    };
    Ok(EnvOptions {
        horizon,
        through_goals,
        dead_end: if dead_end_terminates {
            DeadEnd::Ends
        } else {
            DeadEnd::Continues
        },
        invalid: if raise_error_on_invalid_action {
            InvalidAction::Error
        } else {
            InvalidAction::Ignore
        },
    })
}

#[pymethods]
impl EnvCore {
    #[new]
    fn new(
        py: Python<'_>,
        problems: Py<ObservedProblems>,
        horizon: &Bound<'_, PyAny>,
        through_goals: bool,
        dead_end_terminates: bool,
        raise_error_on_invalid_action: bool,
    ) -> PyResult<Self> {
        let options = options(
            horizon,
            through_goals,
            dead_end_terminates,
            raise_error_on_invalid_action,
        )?;
        let of = problems.get();
        let env = errors::guarded(py, || of.problems.env(options))?.or_raise(py)?;
        Ok(Self {
            inner: Mutex::new(Inner::new(env, &of.description)),
            shape: of.shape(),
            tuples: Arc::new(Tuples::new(of.description.problems.len())),
            problems,
        })
    }

    /// Begins an episode: a pair (observation, info).
    fn reset<'py>(
        &self,
        py: Python<'py>,
        seed: Option<u64>,
        problem: Option<usize>,
    ) -> PyResult<Arrived<'py>> {
        let choice = problem.map_or(ProblemChoice::Uniform, ProblemChoice::Index);
        let (reset, seen) = self.with_sight(py, |env| env.reset(seed, choice))?;
        self.arrived(py, seen, reset)
    }

    /// Takes an action: a tuple (observation, reward, terminated, truncated, info).
    fn step<'py>(&self, py: Python<'py>, action: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        let (step, seen) = if self.problems.get().description.single {
            let number = self.number(action)?;
            self.with_sight(py, |env| env.step(Given::Alternative(number)))?
        } else {
            let row = self.row(action)?;
            self.with_sight(py, |env| env.step(Given::Row(&row)))?
        };
        let info = step_info(py, seen.mask, &step)?;
        let observation = seen.observation.write(py, &self.tuples)?;
        Ok((observation, step.reward, step.terminated, step.truncated, info))
    }

    /// A valid action, drawn: an int, or an array of float64 with one number per field. In a dead end it is 0, or all
    /// defaults: a step there does nothing, whatever its action.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let description = &self.problems.get().description;
        if description.single {
            let mut number = 0;
            self.with(py, |env| env.sample(Wanted::Alternative(&mut number)))?;
            return number.into_bound_py_any(py);
        }
        let mut row = vec![0.0; description.widths.action];
        self.with(py, |env| env.sample(Wanted::Row(&mut row)))?;
        Ok(row.to_pyarray(py).into_any())
    }

    /// Which alternatives are valid: an array of int8.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let mut mask = vec![0; self.problems.get().description.widths.mask];
        self.with(py, |env| env.write_mask(&mut mask))?;
        Ok(int8(py, &mask))
    }

    /// The valid alternatives, ascending: an array of int64.
    fn valid_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        Ok(self.with(py, |env| env.valid())?.to_pyarray(py))
    }

    /// The index of the current problem; None before the first reset.
    #[getter]
    fn problem_index(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        self.with(py, |env| Ok(env.problem()))
    }

    /// The number of steps of the current episode.
    #[getter]
    fn elapsed(&self, py: Python<'_>) -> PyResult<u32> {
        self.with(py, |env| env.elapsed())
    }

    /// The facts of the current state: a list of tuples (kind, name, arguments, value). Kinds are "static", "fluent",
    /// "derived" and "observed"; values bool, int, float or str.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let mut facts = Vec::new();
        self.with(py, |env| env.facts(&mut |fact| facts.push(Told::of(&fact))))?;
        facts.into_iter().map(|fact| fact.write(py)).collect()
    }

    /// The picture of the current state as SVG; `theme` is "light", "dark" or "auto".
    fn svg(&self, py: Python<'_>, theme: &str) -> PyResult<String> {
        let theme = picture::theme(theme)?;
        Ok(self.with(py, |env| env.scene())?.to_svg(theme))
    }

    /// The picture of the current state as pixels: an array of uint8, (height, width, 3). `size` is height and width; without it
    /// the picture is as large as it is.
    fn image<'py>(
        &self,
        py: Python<'py>,
        theme: &str,
        size: Option<(u32, u32)>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let theme = picture::theme(theme)?;
        let scene = self.with(py, |env| env.scene())?;
        picture::pixels(py, &scene, theme, size)
    }

    /// The current state as a state of the task.
    fn state<'py>(&self, task: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.with(task.py(), |env| env.state())?;
        states::wrap(task, state)
    }

    /// Goes to a state of the task, which is that of the current problem; a pair (observation, info).
    fn set_state<'py>(&self, task: &Bound<'py, PyAny>, state: &Bound<'py, PyAny>) -> PyResult<Arrived<'py>> {
        let (py, state) = (task.py(), states::unwrap(task, state)?);
        let (reset, seen) = self.with_sight(py, |env| {
            env.set_state(&*state)?;
            env.status()
        })?;
        self.arrived(py, seen, reset)
    }

    /// What the future depends on, but for the actions.
    fn save(&self, py: Python<'_>) -> PyResult<EnvSnapshot> {
        Ok(EnvSnapshot(self.with(py, |env| env.save())?))
    }

    /// Goes back to what was saved.
    fn restore(&self, py: Python<'_>, saved: &Bound<'_, EnvSnapshot>) -> PyResult<()> {
        self.with(py, |env| env.restore(&saved.get().0))
    }

    /// A copy that goes on by itself, at the same place with the same streams.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let env = self.with(py, |env| Ok(env.copy()))?;
        Ok(Self {
            problems: self.problems.clone_ref(py),
            inner: Mutex::new(Inner::new(env, &self.problems.get().description)),
            shape: self.shape.clone(),
            tuples: Arc::clone(&self.tuples),
        })
    }

    /// The action of the current problem as its language writes it: of an action with several fields, all that it sets.
    fn action_name(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let py = action.py();
        if self.problems.get().description.single {
            let number = self.number(action)?;
            return self.with(py, |env| env.choice_text(Choice::discrete(number)));
        }
        let row = self.row(action)?;
        let names = self.with(py, |env| {
            let choices = (0..).zip(&row).map(|(field, &number)| self.choice(field, number));
            choices
                .map(|choice| env.choice_text(choice))
                .collect::<Answer<Vec<_>>>()
        })?;
        Ok(names.join(", "))
    }

    /// The number of the current problem's action that a text writes.
    fn action_id(&self, py: Python<'_>, text: &str) -> PyResult<u32> {
        let choice = self.with(py, |env| env.parse_choice(text))?;
        let many = || PyTypeError::new_err("an action with several fields has no number");
        choice.alternative().ok_or_else(many)
    }

    /// The atom of the current problem that a bit is about, as PDDL writes it.
    fn atom_name(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        self.with(py, |env| env.atom_text(index))
    }

    /// The operator that carried out the last step, as PDDL writes it; None if there was none.
    #[getter]
    fn last_operator(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.with(py, |env| env.last_operator())
    }

    /// Why an action is or is not valid now: an `Explanation`.
    fn explain<'py>(&self, action: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, number) = (action.py(), self.number(action)?);
        let why = self.with(py, |env| env.explain(Choice::discrete(number)))?;
        explanation(py, &why)
    }

    /// The action preconditions, by number from 0, that the last step violated.
    #[getter]
    fn violated(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        self.with(py, |env| env.violated())
    }

    /// What the goal still lacks: the literals that do not hold, of the way to reach it that lacks fewest.
    fn missing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.with(py, |env| env.missing())?)
    }
}

/// Infos of steps, a mask aside, each made once: it takes less time to copy a dict than to fill one.
static INFOS: [PyOnceLock<Py<PyDict>>; 16] = [const { PyOnceLock::new() }; 16];

/// What there is to know of a step.
pub fn step_info<'py>(
    py: Python<'py>,
    mask: Option<Bound<'py, PyArray1<i8>>>,
    step: &Step,
) -> PyResult<Bound<'py, PyDict>> {
    let told = [mask.is_some(), step.applied, step.goal, step.dead_end];
    let place = told.iter().fold(0, |place, &one| place * 2 + usize::from(one));
    let without_mask = || {
        let info = PyDict::new(py);
        if mask.is_some() {
            info.set_item(intern!(py, "action_mask"), py.None())?;
        }
        info.set_item(intern!(py, "applied"), step.applied)?;
        info.set_item(intern!(py, "goal"), step.goal)?;
        info.set_item(intern!(py, "dead_end"), step.dead_end)?;
        Ok::<_, PyErr>(info.unbind())
    };
    let info = INFOS[place].get_or_try_init(py, without_mask)?.bind(py).copy()?;
    if let Some(mask) = mask {
        info.set_item(intern!(py, "action_mask"), mask)?;
    }
    Ok(info)
}

/// An explanation as the dataclass of `herbrand.errors`.
fn explanation<'py>(py: Python<'py>, why: &Why) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("herbrand.errors")?.getattr("Explanation")?;
    let action = Action(Term::parse(py, &why.action)?);
    class.call1((
        action,
        why.valid,
        PyTuple::new(py, &why.failures)?,
        why.text.as_str(),
    ))
}

/// A fact with its names, to be written when the environment is left.
struct Told {
    kind: &'static str,
    name: String,
    arguments: Vec<String>,
    value: ToldValue,
}

#[derive(IntoPyObject)]
enum ToldValue {
    Bool(bool),
    Int(i64),
    Real(f64),
    Symbol(String),
}

impl Told {
    fn of(fact: &Fact<'_>) -> Self {
        Self {
            kind: match fact.group {
                Group::Static => "static",
                Group::Fluent => "fluent",
                Group::Derived => "derived",
                Group::Observed => "observed",
            },
            name: fact.name.to_owned(),
            arguments: fact.arguments.iter().map(|&name| name.to_owned()).collect(),
            value: match fact.value {
                FactValue::Bool(value) => ToldValue::Bool(value),
                FactValue::Int(value) => ToldValue::Int(value),
                FactValue::Real(value) => ToldValue::Real(value),
                FactValue::Symbol(name) => ToldValue::Symbol(name.to_owned()),
            },
        }
    }

    fn write(self, py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        let arguments = PyTuple::new(py, self.arguments)?;
        (self.kind, self.name, arguments, self.value).into_pyobject(py)
    }
}

/// What is seen of where an environment is.
struct Seen<'py> {
    /// `None` where no field is discrete.
    mask: Option<Bound<'py, PyArray1<i8>>>,
    observation: Observation<'py>,
}

enum Observation<'py> {
    Array(Bound<'py, PyAny>),
    View(Box<View>),
}

impl<'py> Observation<'py> {
    fn write(self, py: Python<'py>, tuples: &Tuples) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Array(array) => Ok(array),
            Self::View(view) => view.write(py, tuples),
        }
    }
}

impl EnvCore {
    /// What is known of the problems.
    pub fn description(&self) -> &Description {
        &self.problems.get().description
    }

    /// Does `work` with the environment. No Python code may run in it: errors become exceptions after it.
    pub fn with<T>(&self, py: Python<'_>, work: impl FnOnce(&mut dyn AnyEnv) -> Answer<T>) -> PyResult<T> {
        let done = {
            let mut inner = self.inner.lock().map_err(|_| poisoned())?;
            work(&mut *inner.env)
        };
        done.or_raise(py)
    }

    /// Does `work` with the environment, and sees where it is then: mask and observation, as far as they can be taken
    /// without running Python code.
    fn with_sight<'py, T>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(&mut dyn AnyEnv) -> Answer<T>,
    ) -> PyResult<(T, Seen<'py>)> {
        let done = {
            let mut inner = self.inner.lock().map_err(|_| poisoned())?;
            work(&mut *inner.env).and_then(|done| Ok((done, self.see(py, &mut inner)?)))
        };
        done.or_raise(py)
    }

    fn see<'py>(&self, py: Python<'py>, inner: &mut Inner) -> Answer<Seen<'py>> {
        let Inner {
            env,
            mask,
            observation,
        } = inner;
        let view = env.see(mask, observation.elements())?;
        Ok(Seen {
            mask: (!mask.is_empty()).then(|| int8(py, mask)),
            observation: match view {
                Some(view) => Observation::View(view),
                None => Observation::Array(observation.to_array(py, &self.shape)),
            },
        })
    }

    /// What a reset returns.
    fn arrived<'py>(&self, py: Python<'py>, seen: Seen<'py>, reset: Reset) -> PyResult<Arrived<'py>> {
        let name = self.problems.get().description.problems.get(reset.problem);
        let info = PyDict::new(py);
        if let Some(mask) = seen.mask {
            info.set_item(intern!(py, "action_mask"), mask)?;
        }
        info.set_item(intern!(py, "problem_index"), reset.problem)?;
        info.set_item(intern!(py, "problem"), name)?;
        info.set_item(intern!(py, "goal"), reset.status.goal)?;
        info.set_item(intern!(py, "dead_end"), reset.status.dead_end)?;
        Ok((seen.observation.write(py, &self.tuples)?, info))
    }

    /// The action that is the number of an alternative.
    fn number(&self, action: &Bound<'_, PyAny>) -> PyResult<u32> {
        let count = self.problems.get().description.widths.mask;
        match action.extract::<u32>() {
            Ok(number) if (number as usize) < count => Ok(number),
            _ => self.named(action, count),
        }
    }

    /// The number of the action that a str or an [`Action`] writes.
    #[cold]
    fn named(&self, action: &Bound<'_, PyAny>, count: usize) -> PyResult<u32> {
        if action.is_instance_of::<PyString>() || action.is_instance_of::<Action>() {
            return self.action_id(action.py(), action.str()?.to_str()?);
        }
        Err(no_action(action, count))
    }

    /// The action that is one number per field.
    fn row(&self, action: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        let width = self.problems.get().description.widths.action;
        let row = numbers(action).ok_or_else(|| {
            PyTypeError::new_err(format!(
                "an action is {width} numbers, one per field, not {action}"
            ))
        })?;
        if row.len() != width {
            let text = format!("an action is {width} numbers, one per field, not {}", row.len());
            return Err(PyValueError::new_err(text));
        }
        Ok(row)
    }

    /// A number for a field as a choice.
    fn choice(&self, field: u32, number: f64) -> Choice {
        let fields = &self.problems.get().description.fields;
        let domain = fields.get(field as usize).map(|field| field.domain);
        let value = domain.and_then(|domain| domain.value_of(number));
        Choice {
            field,
            value: value.unwrap_or(Value::Real(number)),
        }
    }
}

/// The numbers of an array or a sequence.
fn numbers(action: &Bound<'_, PyAny>) -> Option<Vec<f64>> {
    if let Ok(row) = action.cast::<PyArray1<f64>>() {
        return row.try_readonly().ok().map(|row| row.as_array().to_vec());
    }
    if let Ok(row) = action.cast::<PyArray1<i64>>() {
        let row = row.try_readonly().ok()?;
        return Some(row.as_array().iter().map(|&number| number as f64).collect());
    }
    action.extract().ok()
}

#[cold]
fn no_action(action: &Bound<'_, PyAny>, count: usize) -> PyErr {
    if action.call_method0("__index__").is_err() {
        let text = format!("an action is its number or its text, such as '(move up)', not {action}");
        return PyTypeError::new_err(text);
    }
    let text = format!("there is no action number {action}: there are {count}");
    errors::message(action.py(), "UnknownNameError", &text)
}

/// What the future of an environment depends on, but for the actions. It can be pickled, and restored by an environment
/// over the same problems.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct EnvSnapshot(Vec<u8>);

#[pymethods]
impl EnvSnapshot {
    #[new]
    fn new(packed: Vec<u8>) -> Self {
        Self(packed)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let arguments = (PyBytes::new(py, &self.0),);
        Ok((py.get_type::<Self>().into_any(), arguments.into_pyobject(py)?))
    }
}
