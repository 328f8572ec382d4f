//! One environment: episodes over a suite, with observations, masks and infos as NumPy and Python objects.

mod observe;

use std::sync::Mutex;

use herbrand_core::{ObservationLayout, Observer};
use herbrand_env::{
    AgentActionId, DeadEnd, EnvError, EnvOptions, Horizon, InvalidAction, NamedObserver, Part, PlanningEnv,
    ProblemChoice, Sizes, Snapshot, System,
};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, ToPyArray};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::errors::{self, OrRaise, Reduced, poisoned};
use crate::state::State;
use crate::suite::Suite;
use crate::task::Task;
use observe::{Mode, Tuples, View};

/// The engine of `herbrand.PDDLEnv`.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct EnvCore {
    suite: Py<Suite>,
    inner: Mutex<Inner>,
    mode: Mode,
    part: Part,
    sizes: Sizes,
    /// The shape of an observation that is an array.
    shape: Vec<usize>,
    /// By problem: its task, once somebody has asked.
    tasks: Vec<PyOnceLock<Py<Task>>>,
    /// By problem: its atoms as tuples, for observations of mode `atoms`.
    tuples: Vec<Tuples>,
}

/// What changes, and what steps write into before it is handed to Python.
#[derive(Clone)]
struct Inner {
    env: herbrand_env::Env<NamedObserver>,
    /// The observation, where it is an array.
    row: Vec<u8>,
    mask: Vec<u8>,
    graph: herbrand_env::Graph,
}

type Arrived<'py> = (Bound<'py, PyAny>, Bound<'py, PyDict>);
type Stepped<'py> = (Bound<'py, PyAny>, f64, bool, bool, Bound<'py, PyDict>);

/// The part of the atoms that a name means.
pub fn part(name: &str) -> PyResult<Part> {
    match name {
        "all" => Ok(Part::All),
        "changing" => Ok(Part::Changing),
        _ => Err(PyValueError::new_err(format!(
            "part is \"all\" or \"changing\", not {name:?}"
        ))),
    }
}

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
        dead_end: match dead_end_terminates {
            true => DeadEnd::Ends,
            false => DeadEnd::Continues,
        },
        invalid: match raise_error_on_invalid_action {
            true => InvalidAction::Error,
            false => InvalidAction::Ignore,
        },
    })
}

#[pymethods]
impl EnvCore {
    #[new]
    #[pyo3(signature = (suite, observation, part, horizon, through_goals, dead_end_terminates, raise_error_on_invalid_action))]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are the keyword arguments of PDDLEnv"
    )]
    fn new(
        py: Python<'_>,
        suite: Py<Suite>,
        observation: &str,
        part: &str,
        horizon: &Bound<'_, PyAny>,
        through_goals: bool,
        dead_end_terminates: bool,
        raise_error_on_invalid_action: bool,
    ) -> PyResult<Self> {
        let part = self::part(part)?;
        let mode: Mode = observation.parse().map_err(PyValueError::new_err)?;
        let options = options(
            horizon,
            through_goals,
            dead_end_terminates,
            raise_error_on_invalid_action,
        )?;
        let of = &suite.get().suite;
        let made = errors::guarded(py, || {
            let sizes = of.sizes(part)?;
            let observer = mode.array().observer(of, part)?;
            let shape = shape(&observer.layout(of)?);
            let env = herbrand_env::Env::observed(of.clone(), observer, options)?;
            Ok::<_, EnvError>((sizes, shape, env))
        });
        let (sizes, shape, env) = made?.or_raise(py)?;
        let tuples = (0..of.len()).map(|index| Ok(Tuples::new(of.instance(index)?.atoms().len(Part::All))));
        Ok(Self {
            mode,
            part,
            inner: Mutex::new(Inner::new(env, sizes, &shape)),
            tasks: (0..of.len()).map(|_| PyOnceLock::new()).collect(),
            tuples: tuples.collect::<Result<_, EnvError>>().or_raise(py)?,
            sizes,
            shape,
            suite,
        })
    }

    /// The number of actions, of the problem that has most of them.
    #[getter]
    fn action_count(&self) -> usize {
        self.sizes.actions
    }

    /// The shape of an observation that is an array.
    #[getter]
    fn shape(&self) -> Vec<usize> {
        self.shape.clone()
    }

    /// The number of atoms in an observation, of the problem that has most of them.
    #[getter]
    fn atom_count(&self) -> usize {
        self.sizes.atoms
    }

    /// Begins an episode: a pair (observation, info).
    fn reset<'py>(
        &self,
        py: Python<'py>,
        seed: Option<u64>,
        problem: Option<usize>,
    ) -> PyResult<Arrived<'py>> {
        let choice = problem.map_or(ProblemChoice::Uniform, ProblemChoice::Index);
        let (seen, reset) = self.with(py, |inner| {
            let reset = inner.env.reset_to(seed, choice)?;
            Ok((self.see(py, inner)?, reset))
        })?;
        self.arrived(py, seen, &reset)
    }

    /// Takes an action: a tuple (observation, reward, terminated, truncated, info).
    fn step<'py>(&self, py: Python<'py>, action: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        let id = match action.extract::<u32>() {
            Ok(number) if (number as usize) < self.sizes.actions => AgentActionId::new(number),
            _ => return Err(self.no_action(py, action)),
        };
        let (seen, step) = self.with(py, |inner| {
            let step = inner.env.step(id)?;
            Ok((self.see(py, inner)?, step))
        })?;
        let info = PyDict::new(py);
        info.set_item(intern!(py, "action_mask"), seen.mask)?;
        info.set_item(intern!(py, "applied"), step.applied)?;
        info.set_item(intern!(py, "goal"), step.goal)?;
        info.set_item(intern!(py, "dead_end"), step.dead_end)?;
        let observation = seen.view.write(py, &self.tuples)?;
        Ok((observation, step.reward, step.terminated, step.truncated, info))
    }

    /// A valid action, drawn uniformly; 0 in a dead end, where a step does nothing, whatever its action.
    fn sample(&self, py: Python<'_>) -> PyResult<u32> {
        let action = self.with(py, |inner| inner.env.sample_action())?;
        Ok(action.map_or(0, AgentActionId::number))
    }

    /// Which actions are valid: an array of int8.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.with(py, |inner| inner.mask(py))
    }

    /// The valid actions, ascending: an array of int64.
    fn valid_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let valid = self.with(py, |inner| inner.env.valid_actions())?;
        let numbers: Vec<_> = valid.iter().map(|id| i64::from(id.number())).collect();
        Ok(numbers.to_pyarray(py))
    }

    /// The index of the current problem in the suite; None before the first reset.
    #[getter]
    fn problem_index(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        self.with(py, |inner| Ok(inner.env.problem()))
    }

    /// The number of steps of the current episode.
    #[getter]
    fn elapsed(&self, py: Python<'_>) -> PyResult<u32> {
        self.with(py, |inner| Ok(inner.env.episode()?.elapsed()))
    }

    /// The task of the current problem.
    #[getter]
    fn task(&self, py: Python<'_>) -> PyResult<Py<Task>> {
        let index = self.with(py, |inner| inner.env.problem().ok_or(EnvError::NotReset))?;
        let make = || Py::new(py, self.suite.get().task_of(py, index)?);
        Ok(self.tasks[index].get_or_try_init(py, make)?.clone_ref(py))
    }

    /// The current state.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        let state = self.with(py, |inner| inner.env.state().cloned())?;
        Ok(State {
            task: self.task(py)?,
            state,
        })
    }

    /// Goes to a state of the current problem; a pair (observation, info).
    fn set_state<'py>(&self, py: Python<'py>, state: &Bound<'py, State>) -> PyResult<Arrived<'py>> {
        let task = self.task(py)?;
        if !task.get().is_same(py, state.get().task.get()) {
            return Err(PyValueError::new_err(
                "the state belongs to another problem than the current one",
            ));
        }
        let (seen, reset) = self.with(py, |inner| {
            inner.env.set_state(&state.get().state)?;
            let reset = herbrand_env::Reset {
                problem: inner.env.problem().unwrap_or_default(),
                status: inner.env.system()?.status(),
            };
            Ok((self.see(py, inner)?, reset))
        })?;
        self.arrived(py, seen, &reset)
    }

    /// What the future depends on, but for the actions.
    fn save(&self, py: Python<'_>) -> PyResult<EnvSnapshot> {
        self.with(py, |inner| inner.env.save())
            .map(|saved| EnvSnapshot(Saved::Live(saved)))
    }

    /// Goes back to what was saved.
    fn restore(&self, py: Python<'_>, saved: &Bound<'_, EnvSnapshot>) -> PyResult<()> {
        self.with(py, |inner| match &saved.get().0 {
            Saved::Live(saved) => inner.env.restore(saved),
            Saved::Packed(bytes) => inner.env.restore(&inner.env.unpack(bytes)?),
        })
    }

    /// A copy that goes on by itself, at the same place with the same streams.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let inner = self.with(py, |inner| Ok(inner.clone()))?;
        let lengths = self.tuples.iter().map(Tuples::len);
        Ok(Self {
            suite: self.suite.clone_ref(py),
            inner: Mutex::new(inner),
            mode: self.mode,
            part: self.part,
            sizes: self.sizes,
            shape: self.shape.clone(),
            tasks: self.tasks.iter().map(|_| PyOnceLock::new()).collect(),
            tuples: lengths.map(Tuples::new).collect(),
        })
    }

    /// The action `id` of the current problem as PDDL writes it.
    fn action_name(&self, py: Python<'_>, id: u32) -> PyResult<String> {
        let (name, count) = self.with(py, |inner| {
            let space = inner.env.instance()?.space();
            Ok((space.display(AgentActionId::new(id)).to_string(), space.len()))
        })?;
        if id as usize >= count {
            let text = format!("there is no action number {id}: the problem has {count}");
            return Err(errors::message(py, "UnknownNameError", &text));
        }
        Ok(name)
    }

    /// The number of the current problem's action that a text writes.
    fn action_id(&self, py: Python<'_>, text: &str) -> PyResult<u32> {
        let found = self.with(py, |inner| Ok(inner.env.instance()?.space().parse(text)))?;
        let unknown = || errors::message(py, "UnknownNameError", &format!("there is no action `{text}`"));
        found.map(AgentActionId::number).ok_or_else(unknown)
    }

    /// The operator that carried out the last step, as PDDL writes it; None if there was none.
    #[getter]
    fn last_operator(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.with(py, |inner| {
            let task = inner.env.instance()?.simulator().task();
            Ok(inner
                .env
                .last_operator()
                .map(|id| task.display_action(id).to_string()))
        })
    }

    /// Why an action is or is not valid now: an `Explanation` of the operator that lacks least.
    fn explain<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyAny>> {
        let found = self.with(py, |inner| inner.env.explain(AgentActionId::new(id)))?;
        self.task(py)?.get().explanation(py, &found)
    }

    /// What the goal still lacks: the literals of its nearest way that do not hold.
    fn missing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let texts = self.with(py, |inner| {
            let task = inner.env.instance()?.simulator().task();
            let missing = inner.env.goal_progress()?.missing;
            let text = |&literal| task.display_literal(literal).to_string();
            Ok(missing.iter().map(text).collect::<Vec<_>>())
        })?;
        PyTuple::new(py, texts)
    }

    /// The number of types and predicates, and the largest arity: what the labels of graphs range over.
    #[getter]
    fn graph_sizes(&self) -> (usize, usize, usize) {
        let domain = self.suite.get().suite.domain();
        let arity = domain.predicates.iter().map(|one| one.parameters.len()).max();
        (domain.types.len(), domain.predicates.len(), arity.unwrap_or(0))
    }
}

/// What is seen of where an environment stands.
struct Seen<'py> {
    mask: Bound<'py, PyArray1<i8>>,
    view: View<'py>,
}

impl EnvCore {
    /// Does `work` with the environment. No Python code may run in it: errors become exceptions after it.
    fn with<T>(&self, py: Python<'_>, work: impl FnOnce(&mut Inner) -> Result<T, EnvError>) -> PyResult<T> {
        let done = {
            let mut inner = self.inner.lock().map_err(|_| poisoned())?;
            work(&mut inner)
        };
        done.or_raise(py)
    }

    /// Mask and observation, as far as they can be taken without running Python code.
    fn see<'py>(&self, py: Python<'py>, inner: &mut Inner) -> Result<Seen<'py>, EnvError> {
        Ok(Seen {
            mask: inner.mask(py)?,
            view: match self.mode {
                Mode::Array(_) => View::Array(inner.row(py, &self.shape)?),
                Mode::Graph => View::graph(self.part, inner)?,
                Mode::Atoms => View::atoms(self.part, inner)?,
            },
        })
    }

    /// What a reset returns.
    fn arrived<'py>(
        &self,
        py: Python<'py>,
        seen: Seen<'py>,
        reset: &herbrand_env::Reset,
    ) -> PyResult<Arrived<'py>> {
        let name = self.suite.get().suite.full_problem_name(reset.problem);
        let info = PyDict::new(py);
        info.set_item(intern!(py, "action_mask"), seen.mask)?;
        info.set_item(intern!(py, "problem_index"), reset.problem)?;
        info.set_item(intern!(py, "problem"), name)?;
        info.set_item(intern!(py, "goal"), reset.status.goal)?;
        info.set_item(intern!(py, "dead_end"), reset.status.dead_end)?;
        Ok((seen.view.write(py, &self.tuples)?, info))
    }

    #[cold]
    fn no_action(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyErr {
        if action.call_method0("__index__").is_err() {
            return PyTypeError::new_err(format!("an action is an int, not {action}"));
        }
        let text = format!(
            "there is no action number {action}: there are {}",
            self.sizes.actions
        );
        errors::message(py, "UnknownNameError", &text)
    }
}

impl Inner {
    fn new(env: herbrand_env::Env<NamedObserver>, sizes: Sizes, shape: &[usize]) -> Self {
        Self {
            env,
            row: vec![0; shape.iter().product()],
            mask: vec![0; sizes.actions],
            graph: herbrand_env::Graph::default(),
        }
    }

    fn mask<'py>(&mut self, py: Python<'py>) -> Result<Bound<'py, PyArray1<i8>>, EnvError> {
        self.env.write_mask(&mut self.mask)?;
        Ok(int8(py, &self.mask))
    }

    fn row<'py>(&mut self, py: Python<'py>, shape: &[usize]) -> Result<Bound<'py, PyArrayDyn<i8>>, EnvError> {
        self.env.write_observation(&mut self.row)?;
        let array = int8(py, &self.row).reshape(shape);
        Ok(array.expect("a row has as many elements as its shape says"))
    }
}

/// The shape of the array that an observation is: that of its only part, or flat. A row has one element at least.
pub fn shape(layout: &ObservationLayout) -> Vec<usize> {
    match layout.fields() {
        [field] if field.shape.len() > 1 && !field.is_empty() => field.shape.clone(),
        _ => vec![layout.len().max(1)],
    }
}

/// Bytes as an array of int8, the element type of Gymnasium's `MultiBinary` and of the masks of `Discrete`.
fn int8<'py>(py: Python<'py>, bytes: &[u8]) -> Bound<'py, PyArray1<i8>> {
    PyArray1::from_slice(py, bytemuck::cast_slice(bytes))
}

/// What the future of an environment depends on, but for the actions. It can be pickled, and restored by an environment
/// over the same suite.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct EnvSnapshot(Saved);

enum Saved {
    Live(Snapshot),
    /// It was pickled; the environment that restores it unpacks it.
    Packed(Vec<u8>),
}

#[pymethods]
impl EnvSnapshot {
    #[new]
    fn new(packed: Vec<u8>) -> Self {
        Self(Saved::Packed(packed))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let packed = match &self.0 {
            Saved::Live(saved) => PyBytes::new(py, &saved.pack::<herbrand_env::Suite>()),
            Saved::Packed(bytes) => PyBytes::new(py, bytes),
        };
        Ok((py.get_type::<Self>().into_any(), (packed,).into_pyobject(py)?))
    }
}
