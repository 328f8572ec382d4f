//! The engine of a single environment, which exchanges observations, masks and infos as NumPy arrays and Python objects.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use herbrand_core::{
    Choice, DeadEnd, EnvOptions, EpisodeEnd, EpisodeHorizon, Fact, FactValue, FieldValue, Group,
    InvalidAction, ProblemChoice, Reset,
};
use herbrand_tasks::any::{
    ActionInput, ActionOutput, AnyEnv, AnyError, Description, ErrorKind, StateView, TakenStep,
};
use numpy::{PyArray1, PyArray3, PyArrayMethods, ToPyArray};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::errors::{self, OrRaise, Reduced, poisoned};
use crate::explanation::{explanation_by_name, never_valid};
use crate::named::plain;
use crate::observed::ObservedProblems;
use crate::picture;
use crate::row::{Row, int8};
use crate::states;
use crate::term::Action;
use crate::view::{self, Tuples};

/// The engine of `herbrand.BaseEnv`.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct EnvCore {
    problems: Py<ObservedProblems>,
    inner: Mutex<Inner>,
    /// The shape of observations that are arrays.
    shape: Vec<usize>,
    tuples: Arc<Tuples>,
    names: Vec<Py<PyString>>,
    /// Whether a step has violated a rule. Only the first violation gives a warning.
    has_warned: AtomicBool,
}

/// The environment and its output buffers.
struct Inner {
    env: Box<dyn AnyEnv>,
    /// Empty if no field of an action is discrete.
    mask: Vec<u8>,
    observation: Row,
}

impl Inner {
    fn new(env: Box<dyn AnyEnv>, of: &Description) -> Self {
        Self {
            env,
            mask: vec![0; of.mask_len()],
            observation: Row::new(of.kind, of.widths.observation),
        }
    }
}

type Arrived<'py> = (Bound<'py, PyAny>, Bound<'py, PyDict>);
pub type Stepped<'py> = (Bound<'py, PyAny>, f64, bool, bool, Bound<'py, PyDict>);

/// Builds the options from keyword arguments. `horizon` is `"suite"`, a number of steps, or None for no truncation.
pub fn options(
    horizon: &Bound<'_, PyAny>,
    through_goals: bool,
    dead_end_terminates: bool,
    raise_error_on_invalid_action: bool,
) -> PyResult<EnvOptions> {
    let fault = || {
        let given = horizon
            .repr()
            .map_or_else(|_| String::new(), |text| format!(", not {text}"));
        PyValueError::new_err(format!(
            "horizon is 'suite', a number of steps from 1 to {}, or None for never{given}",
            u32::MAX
        ))
    };
    let horizon = if horizon.is_none() {
        EpisodeHorizon::Never
    } else if let Ok(text) = horizon.cast::<PyString>() {
        match text.to_str()? {
            "suite" => EpisodeHorizon::Declared,
            _ => return Err(fault()),
        }
    } else {
        let steps: u32 = horizon.extract().map_err(|_| fault())?;
        (steps > 0)
            .then_some(EpisodeHorizon::Steps(steps))
            .ok_or_else(fault)?
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
        let env = errors::interruptible(py, || of.problems.env(options))?.or_raise(py)?;
        Ok(Self {
            inner: Mutex::new(Inner::new(env, &of.description)),
            shape: of.shape(),
            tuples: Arc::new(Tuples::new(of.description.problems.len())),
            names: of
                .description
                .problems
                .iter()
                .map(|name| PyString::new(py, name).unbind())
                .collect(),
            has_warned: AtomicBool::new(false),
            problems,
        })
    }

    /// Starts an episode; returns a pair (observation, info).
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

    /// Takes an action; returns a tuple (observation, reward, terminated, truncated, info).
    fn step<'py>(&self, py: Python<'py>, action: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        let row;
        let action = if self.problems.get().description.single {
            ActionInput::Alternative(self.number(action)?)
        } else {
            row = self.row(action)?;
            ActionInput::Numbers(&row)
        };
        let (step, seen) = self.with_sight(py, |env| env.step(action))?;
        let info = self.step_info(py, seen.mask, action, &step)?;
        let step = step.step;
        let observation = seen.observation.write(py, &self.tuples)?;
        Ok((observation, step.reward, step.terminated, step.truncated, info))
    }

    /// Draws a valid action: an int, or an array of float64 with one number per field. In a dead end it is 0, or all
    /// defaults; a step there changes nothing, whatever the action. If `exact`, the array is int64 instead, and numbers of
    /// real fields are bits of float64.
    #[pyo3(signature = (exact = false))]
    fn sample<'py>(&self, py: Python<'py>, exact: bool) -> PyResult<Bound<'py, PyAny>> {
        let description = &self.problems.get().description;
        if description.single {
            let mut number = 0;
            self.with(py, |env| env.sample(ActionOutput::Alternative(&mut number)))?;
            return number.into_bound_py_any(py);
        }
        if exact {
            let mut cells = vec![0; description.widths.action];
            self.with(py, |env| env.sample(ActionOutput::Cells(&mut cells)))?;
            return Ok(cells.to_pyarray(py).into_any());
        }
        let mut row = vec![0.0; description.widths.action];
        self.with(py, |env| env.sample(ActionOutput::Row(&mut row)))?;
        Ok(row.to_pyarray(py).into_any())
    }

    /// Returns the mask of valid alternatives: an array of int8.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let mut mask = vec![0; self.problems.get().description.mask_len()];
        self.with(py, |env| env.see(&mut mask, None))?;
        Ok(int8(py, &mask))
    }

    /// Returns the valid alternatives in ascending order: an array of int64.
    fn valid_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let choices = self.with(py, |env| Ok(env.look()?.choices()))?.into_iter();
        let valid = choices.filter_map(Choice::alternative).map(i64::from);
        Ok(valid.collect::<Vec<_>>().to_pyarray(py))
    }

    /// Returns the valid actions of the current state: a `herbrand.graphs.ActionArrays` with one row.
    fn action_arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        view::write_actions(py, self.with(py, |env| env.action_arrays())?)
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

    /// Returns the facts of the current state as tuples (kind, name, arguments, value). The kind is "static", "fluent",
    /// "derived" or "observed"; the value is a bool, int, float or str.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let mut facts = Vec::new();
        self.with(py, |env| {
            env.look()?.facts(&mut |fact| facts.push(OwnedFact::of(&fact)));
            Ok(())
        })?;
        facts.into_iter().map(|fact| fact.write(py)).collect()
    }

    /// Returns the picture of the current state as SVG. `theme` is "light", "dark" or "auto".
    fn svg(&self, py: Python<'_>, theme: &str) -> PyResult<String> {
        let theme = picture::theme(theme)?;
        Ok(self.with(py, |env| env.scene())?.to_svg(theme))
    }

    /// Returns the picture of the current state: an array of uint8, (height, width, 3). `size` is height and width; by
    /// default the picture's own size.
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

    /// Returns the current state as a state of a task of the current problem.
    fn state<'py>(&self, task: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.with(task.py(), |env| env.state())?;
        states::wrap(task, state)
    }

    /// Moves to a state of a task of the current problem; returns a pair (observation, info).
    fn set_state<'py>(&self, task: &Bound<'py, PyAny>, state: &Bound<'py, PyAny>) -> PyResult<Arrived<'py>> {
        let (py, state) = (task.py(), states::unwrap(task, state)?);
        let (reset, seen) = self.with_sight(py, |env| env.set_state(&*state))?;
        self.arrived(py, seen, reset)
    }

    /// Returns a snapshot of everything that determines the future, except the actions.
    fn save(&self, py: Python<'_>) -> PyResult<EnvSnapshot> {
        Ok(EnvSnapshot(self.with(py, |env| env.save())?))
    }

    /// Restores a snapshot.
    fn restore(&self, py: Python<'_>, saved: &Bound<'_, EnvSnapshot>) -> PyResult<()> {
        self.with(py, |env| env.restore(&saved.get().0))
    }

    /// Returns an independent copy in the same state, with equal random streams.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let env = self.with(py, |env| Ok(env.copy()))?;
        Ok(Self {
            problems: self.problems.clone_ref(py),
            inner: Mutex::new(Inner::new(env, &self.problems.get().description)),
            shape: self.shape.clone(),
            tuples: Arc::clone(&self.tuples),
            names: self.names.iter().map(|name| name.clone_ref(py)).collect(),
            has_warned: AtomicBool::new(self.has_warned.load(Ordering::Relaxed)),
        })
    }

    /// Returns the text of an action of the current problem. If actions have several fields, it shows the fields whose value is
    /// not their default.
    fn action_name(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let py = action.py();
        if self.problems.get().description.single {
            let number = self.number(action)?;
            return self.with(py, |env| env.action_text(ActionInput::Alternative(number)));
        }
        let row = self.row(action)?;
        self.with(py, |env| env.action_text(ActionInput::Numbers(&row)))
    }

    /// Returns the number of the current problem's action with this text.
    fn action_id(&self, py: Python<'_>, text: &str) -> PyResult<u32> {
        let choice = self.with(py, |env| env.look()?.parse_choice(text))?;
        let many = || PyTypeError::new_err("an action with several fields has no number");
        choice.alternative().ok_or_else(many)
    }

    /// Returns the PDDL of the atom of one bit of the observations of the current problem.
    fn atom_name(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        self.with(py, |env| {
            let text = env.look()?.features().atom_text(index);
            let none = || format!("the current problem has no atom number {index}");
            text.ok_or_else(|| AnyError::new(ErrorKind::Name, none()))
        })
    }

    /// The operator that carried out the last step, as PDDL; None if there is none.
    #[getter]
    fn last_operator(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.with(py, |env| Ok(env.look()?.features().last_operator()))
    }

    /// Explains why an action is or is not valid in the current state; returns an `Explanation`. Of an action that no
    /// reachable state allows, it has no failures, and its text says why.
    fn explain<'py>(&self, action: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = action.py();
        let number = match self.number(action) {
            Ok(number) => number,
            Err(error) => {
                let text = action.str()?;
                let text = text.to_str()?;
                let why = |env: &mut dyn AnyEnv| Ok(env.look().ok().and_then(|seen| seen.never_valid(text)));
                let Some(why) = self.with(py, why)? else {
                    return Err(error);
                };
                return never_valid(py, text, why);
            }
        };
        let why = self.with(py, |env| env.look()?.explain(&[Choice::discrete(number)]))?;
        explanation_by_name(py, &why)
    }

    /// The indices of the action preconditions that the last step violated.
    #[getter]
    fn violated(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        self.with(py, |env| Ok(env.violated()))
    }

    /// Returns the unmet literals of the goal. Of a disjunctive goal: those of the disjunct with the fewest.
    fn missing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let missing = self.with(py, |env| {
            let none = || AnyError::new(ErrorKind::Lacking, "these problems have no goal");
            env.look()?.features().missing().ok_or_else(none)
        });
        PyTuple::new(py, missing?)
    }
}

/// Cached infos without masks, problems and names: copying a dict is faster than filling one.
static INFOS: [PyOnceLock<Py<PyDict>>; 16] = [const { PyOnceLock::new() }; 16];

/// The contents of an info beside its mask and its problem.
#[derive(Default)]
struct Info<'a> {
    applied: bool,
    goal: bool,
    dead_end: bool,
    end: Option<EpisodeEnd>,
    violated: &'a [usize],
    broken: Option<usize>,
}

const fn end_name(end: EpisodeEnd) -> &'static str {
    match end {
        EpisodeEnd::Goal => "goal",
        EpisodeEnd::Terminal => "terminal",
        EpisodeEnd::DeadEnd => "dead_end",
        EpisodeEnd::Invariant => "invariant",
        EpisodeEnd::Horizon => "horizon",
    }
}

/// An owned fact, to be converted to Python objects after the environment's lock is released.
struct OwnedFact {
    kind: &'static str,
    name: String,
    arguments: Vec<String>,
    value: OwnedValue,
}

#[derive(IntoPyObject)]
enum OwnedValue {
    Bool(bool),
    Int(i64),
    Real(f64),
    Symbol(String),
}

impl OwnedFact {
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
                FactValue::Bool(value) => OwnedValue::Bool(value),
                FactValue::Int(value) => OwnedValue::Int(value),
                FactValue::Real(value) => OwnedValue::Real(value),
                FactValue::Symbol(name) => OwnedValue::Symbol(name.to_owned()),
            },
        }
    }

    fn write(self, py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        let arguments = PyTuple::new(py, self.arguments)?;
        (self.kind, self.name, arguments, self.value).into_pyobject(py)
    }
}

/// The mask and the observation of the current state.
struct MaskAndObservation<'py> {
    /// `None` if no field is discrete.
    mask: Option<Bound<'py, PyArray1<i8>>>,
    observation: Observation<'py>,
}

enum Observation<'py> {
    Array(Bound<'py, PyAny>),
    View(Box<StateView>),
}

impl<'py> Observation<'py> {
    fn write(self, py: Python<'py>, tuples: &Tuples) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Array(array) => Ok(array),
            Self::View(view) => view::write(py, *view, tuples),
        }
    }
}

impl EnvCore {
    /// Returns the description of the problems.
    pub fn description(&self) -> &Description {
        &self.problems.get().description
    }

    /// Calls `work` with the locked environment. `work` must not run Python code; errors become exceptions after the lock is
    /// released.
    pub fn with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn AnyEnv) -> Result<T, AnyError>,
    ) -> PyResult<T> {
        let done = {
            let mut inner = self.inner.lock().map_err(|_| poisoned())?;
            work(&mut *inner.env)
        };
        done.or_raise(py)
    }

    /// Calls `work` with the locked environment, then reads the mask and the observation as far as that needs no Python
    /// code.
    fn with_sight<'py, T>(
        &self,
        py: Python<'py>,
        work: impl FnOnce(&mut dyn AnyEnv) -> Result<T, AnyError>,
    ) -> PyResult<(T, MaskAndObservation<'py>)> {
        let done = {
            let mut inner = self.inner.lock().map_err(|_| poisoned())?;
            work(&mut *inner.env).and_then(|done| Ok((done, self.see(py, &mut inner)?)))
        };
        done.or_raise(py)
    }

    fn see<'py>(&self, py: Python<'py>, inner: &mut Inner) -> Result<MaskAndObservation<'py>, AnyError> {
        let Inner {
            env,
            mask,
            observation,
        } = inner;
        let view = env.see(mask, Some(observation.elements()))?;
        Ok(MaskAndObservation {
            mask: (!mask.is_empty()).then(|| int8(py, mask)),
            observation: match view {
                Some(view) => Observation::View(view),
                None => Observation::Array(observation.to_array(py, &self.shape)),
            },
        })
    }

    /// Returns the result of a reset.
    fn arrived<'py>(
        &self,
        py: Python<'py>,
        seen: MaskAndObservation<'py>,
        reset: Reset,
    ) -> PyResult<Arrived<'py>> {
        let state = Info {
            goal: reset.status.goal,
            dead_end: reset.status.dead_end,
            ..Info::default()
        };
        let info = self.info(py, seen.mask, reset.problem, &state)?;
        Ok((seen.observation.write(py, &self.tuples)?, info))
    }

    /// Returns the info of a step. The first step that violates a rule gives a warning.
    pub fn step_info<'py>(
        &self,
        py: Python<'py>,
        mask: Option<Bound<'py, PyArray1<i8>>>,
        action: ActionInput<'_>,
        result: &TakenStep,
    ) -> PyResult<Bound<'py, PyDict>> {
        if !result.violated.is_empty() && !self.has_warned.swap(true, Ordering::Relaxed) {
            let warn = py.import("herbrand.base_env")?.getattr("warn_of_violations")?;
            let text = self.with(py, |env| env.action_text(action))?;
            warn.call1((text, &result.violated, &self.description().rules))?;
        }
        let step = &result.step;
        let info = Info {
            applied: step.applied,
            goal: step.goal,
            dead_end: step.dead_end,
            end: result.end,
            violated: &result.violated,
            broken: result.broken,
        };
        self.info(py, mask, result.problem, &info)
    }

    /// Returns an info. All infos of an environment have the same keys.
    fn info<'py>(
        &self,
        py: Python<'py>,
        mask: Option<Bound<'py, PyArray1<i8>>>,
        problem: usize,
        info: &Info<'_>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let told = [mask.is_some(), info.applied, info.goal, info.dead_end];
        let place = told.iter().fold(0, |place, &one| place * 2 + usize::from(one));
        let alike = || {
            let dict = PyDict::new(py);
            if mask.is_some() {
                dict.set_item(intern!(py, "action_mask"), py.None())?;
            }
            dict.set_item(intern!(py, "applied"), info.applied)?;
            dict.set_item(intern!(py, "goal"), info.goal)?;
            dict.set_item(intern!(py, "dead_end"), info.dead_end)?;
            dict.set_item(intern!(py, "end"), "")?;
            Ok::<_, PyErr>(dict.unbind())
        };
        let dict = INFOS[place].get_or_try_init(py, alike)?.bind(py).copy()?;
        if let Some(mask) = mask {
            dict.set_item(intern!(py, "action_mask"), mask)?;
        }
        if let Some(end) = info.end {
            dict.set_item(intern!(py, "end"), end_name(end))?;
        }
        dict.set_item(intern!(py, "problem_index"), problem)?;
        dict.set_item(intern!(py, "problem"), self.names.get(problem))?;
        let description = self.description();
        if !description.rules.is_empty() {
            let mut violated = vec![false; description.rules.len()];
            info.violated.iter().for_each(|&rule| violated[rule] = true);
            dict.set_item(intern!(py, "violated"), violated.to_pyarray(py))?;
        }
        if !description.invariants.is_empty() {
            let name = info.broken.and_then(|broken| description.invariants.get(broken));
            dict.set_item(intern!(py, "invariant"), name.map_or("", String::as_str))?;
        }
        Ok(dict)
    }

    /// Reads an action that is the number of an alternative.
    fn number(&self, action: &Bound<'_, PyAny>) -> PyResult<u32> {
        let count = self.problems.get().description.widths.mask;
        match action.extract::<u32>() {
            Ok(number) if (number as usize) < count => Ok(number),
            _ => self.named(action, count),
        }
    }

    /// Returns the number of the action that a str or an [`Action`] names.
    #[cold]
    fn named(&self, action: &Bound<'_, PyAny>, count: usize) -> PyResult<u32> {
        if action.is_instance_of::<PyString>() || action.is_instance_of::<Action>() {
            return self.action_id(action.py(), action.str()?.to_str()?);
        }
        Err(self.no_action(action, count))
    }

    #[cold]
    fn no_action(&self, action: &Bound<'_, PyAny>, count: usize) -> PyErr {
        let py = action.py();
        if action.call_method0("__index__").is_err() {
            let example = self.with(py, |env| env.action_text(ActionInput::Alternative(0)));
            let example = example.map_or_else(|_| String::new(), |text| format!(", such as '{text}'"));
            let text = format!("an action is its number or its text{example}, not {action}");
            return PyTypeError::new_err(text);
        }
        let text = format!("there is no action number {action}: there are {count}");
        errors::message(py, "UnknownNameError", &text)
    }

    /// Reads an action that has one number per field.
    fn row(&self, action: &Bound<'_, PyAny>) -> PyResult<Vec<(u32, FieldValue)>> {
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
        Ok((0..).zip(row).collect())
    }
}

/// Reads the numbers of an array or a sequence; `None` for other objects.
fn numbers(action: &Bound<'_, PyAny>) -> Option<Vec<FieldValue>> {
    if let Ok(row) = action.cast::<PyArray1<f64>>() {
        let row = row.try_readonly().ok()?;
        return Some(row.as_array().iter().copied().map(FieldValue::Real).collect());
    }
    if let Ok(row) = action.cast::<PyArray1<i64>>() {
        let row = row.try_readonly().ok()?;
        return Some(row.as_array().iter().copied().map(FieldValue::Int).collect());
    }
    let items: Vec<Bound<'_, PyAny>> = action.extract().ok()?;
    let number = |item: &Bound<'_, PyAny>| {
        let real = || item.extract().ok().map(FieldValue::Real);
        plain(item).or_else(real)
    };
    items.iter().map(number).collect()
}

/// A snapshot of an environment: everything that determines its future, except the actions. It can be pickled, and restored
/// by any environment over the same problems.
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
