//! `Task`: problems on the grounded engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use herbrand_core::{ActionValidity, Fact};
use herbrand_env::{AtomSpace, ObservedAtoms, show_grounded};
use herbrand_ground::{ActionId, GroundError, GroundOptions, NormalDomain, NumericId};
use herbrand_limits::Budget;
use herbrand_render::{Scene, Theme};
use herbrand_step::{Simulator, StepError, Walker, all_outcomes, compile_within};
use herbrand_text::counted;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString};

use super::chance;
use super::ids::{number, object_names};
use super::methods::task_methods;
use super::parts::{Distribution, PlanningTask, Successors, TaskParts, other_task};
use super::state::State;
use crate::domain::{Domain, equality};
use crate::errors::{self, IntoException, OrRaise, Reduced, poisoned};
use crate::explanation::{explanation, never_valid};
use crate::picture::StateDrawing;
use crate::problem::Problem;
use crate::random::Random;
use crate::term::{Action, Atom, Term};

/// A ground planning problem: its states, and the effects of actions on them.
///
/// Parameters
/// ----------
/// domain : Domain
/// problem : Problem
/// determinize : {None, "most-likely", "all-outcomes"}
///     How probabilistic effects are made deterministic. ``"most-likely"``: every draw takes its most likely alternative;
///     ties go to the first. ``"all-outcomes"``: every outcome of an operator ``toss`` becomes a separate operator,
///     ``toss-1``, ``toss-2`` and so on.
/// limits : Limits or mapping, optional
///     Limits for grounding.
/// settings : str, optional
///     The text of an ``env.toml``. Its ``[render]`` section defines how states are drawn.
/// title : str, optional
///     The title of pictures; by default the names of domain and problem.
///
/// Raises
/// ------
/// ConfigError
///     If the settings do not fit the domain.
/// GroundingError
///     If axioms are not stratified.
/// LimitError
///     If a limit is reached.
///
/// Examples
/// --------
/// >>> import herbrand
/// >>> task = herbrand.load("blocks")
/// >>> state = task.initial_state
/// >>> action = task.valid_actions(state)[0]
/// >>> successor = task.apply(state, action)
/// >>> task.is_valid(successor, action)
/// False
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct Task {
    /// Identifies the task: the ids in atoms and actions are valid only in the task with the same serial.
    pub(super) serial: u64,
    pub(super) parts: TaskParts<Walker>,
    determinize: Option<String>,
    pub simulator: Simulator,
    pub atoms: AtomSpace,
    /// For each action, whether its effect makes random draws.
    chancy: Vec<bool>,
    pub(super) atom_objects: Vec<PyOnceLock<Py<Atom>>>,
    action_objects: Vec<PyOnceLock<Py<Action>>>,
}

static SERIALS: AtomicU64 = AtomicU64::new(0);

fn empty<T>(count: usize) -> Vec<PyOnceLock<T>> {
    let mut list = Vec::with_capacity(count);
    list.resize_with(count, PyOnceLock::new);
    list
}

impl Task {
    pub fn with_simulator(
        domain: Py<Domain>,
        problem: Py<Problem>,
        determinize: Option<String>,
        simulator: Simulator,
        drawing: StateDrawing,
    ) -> Self {
        let atoms = AtomSpace::new(simulator.clone());
        let task = simulator.task();
        Self {
            serial: SERIALS.fetch_add(1, Ordering::Relaxed),
            chancy: chance::chancy_actions(task),
            atom_objects: empty(atoms.len(ObservedAtoms::All)),
            action_objects: empty(task.actions.len()),
            parts: TaskParts::new(domain, problem, drawing, simulator.walker()),
            determinize,
            atoms,
            simulator,
        }
    }

    /// Returns the numeric fluent with this text.
    fn numeric_id(&self, name: &Bound<'_, PyAny>) -> PyResult<NumericId> {
        let text: String = name.extract()?;
        let wanted = text.trim().to_ascii_lowercase();
        let wanted = wanted.split_whitespace().collect::<Vec<_>>().join(" ");
        let task = self.simulator.task();
        let mut ids = (0..task.state_numerics).map(NumericId::new);
        let found = ids.find(|&id| task.display_numeric(id).to_string() == wanted);
        found.ok_or_else(|| {
            let message = format!("there is no number `{text}` in the states of this task");
            errors::message(name.py(), "UnknownNameError", &message)
        })
    }
}

task_methods!(Task, State);

impl PlanningTask for Task {
    type Walker = Walker;
    type State = herbrand_step::State;
    type Action = ActionId;

    fn is_same(&self, other: &Self) -> bool {
        self.parts.is_same(&other.parts) && self.determinize == other.determinize
    }

    fn initial(&self) -> Self::State {
        self.simulator.initial_state()
    }

    fn initial_outcomes(&self) -> PyResult<Result<Distribution<Self::State>, StepError>> {
        let outcomes = self.simulator.initial_outcomes();
        Ok(outcomes.map(|list| list.into_iter().map(|one| (one.probability, one.state)).collect()))
    }

    fn state_of(
        &self,
        atoms: &Bound<'_, PyAny>,
        numbers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self::State> {
        let mut ids = Vec::new();
        for atom in atoms.try_iter()? {
            ids.extend(self.atoms.atom(self.observed_id(&atom?)?));
        }
        let mut state = self.simulator.state_from_atoms(ids).or_raise(atoms.py())?;
        for (name, value) in numbers.into_iter().flatten() {
            let id = self.numeric_id(&name)?;
            self.simulator.set_numeric(&mut state, id, value.extract()?);
        }
        Ok(state)
    }

    fn changing(&self, py: Python<'_>, state: &Self::State) -> PyResult<Vec<Py<Atom>>> {
        self.atom_objects(py, self.true_ids(state, ObservedAtoms::Changing)?)
    }

    fn numbers(&self, state: &Self::State) -> Vec<(String, f64)> {
        let task = self.simulator.task();
        let ids = (0..task.state_numerics).map(NumericId::new);
        ids.filter_map(|id| Some((task.display_numeric(id).to_string(), state.numeric(id)?)))
            .collect()
    }

    fn read_action(&self, given: &Bound<'_, PyAny>) -> PyResult<ActionId> {
        let py = given.py();
        if let Ok(object) = given.cast::<Action>() {
            let term = &object.get().0;
            return match term.home {
                Some((serial, id)) if serial == self.serial => Ok(ActionId::new(id)),
                _ => self.parse_action(py, term.text()),
            };
        }
        if let Ok(text) = given.cast::<PyString>() {
            return self.parse_action(py, text.to_str()?);
        }
        number(given, "action", self.simulator.task().actions.len()).map(ActionId::new)
    }

    fn action_object(&self, py: Python<'_>, &action: &ActionId) -> PyResult<Py<Action>> {
        let slot = &self.action_objects[action.index()];
        if let Some(object) = slot.get(py) {
            return Ok(object.clone_ref(py));
        }
        let object = slot.get_or_try_init(py, || {
            let task = self.simulator.task();
            let (vocabulary, home) = (&task.vocabulary, Some((self.serial, action.number())));
            let action = task.actions.get(action);
            let name = vocabulary.schema(action.schema).name.as_str();
            let names = object_names(vocabulary, action.arguments);
            Py::new(py, Action(Term::new(py, name, &names, home)?))
        })?;
        Ok(object.clone_ref(py))
    }

    fn why_never(&self, action: &str) -> Option<String> {
        let models = (&self.parts.domain.get().model, &self.parts.problem.get().model);
        herbrand_env::why_never(models.0, models.1, self.simulator.task(), action)
    }

    fn successors(
        &self,
        state: &Self::State,
        &action: &ActionId,
    ) -> PyResult<Result<Successors<Self::State>, StepError>> {
        if self.chancy[action.index()] {
            let outcomes = self.simulator.outcomes(state, action);
            let triple = |one: herbrand_step::Outcome| (one.probability, one.state, one.reward);
            return Ok(outcomes.map(|list| Successors::of(list.into_iter().map(triple).collect())));
        }
        let unused = &mut herbrand_step::Random::new(0);
        let step = self.at(state, |walker| Self::step(walker, &action, unused))?;
        Ok(step.map(|(state, reward)| Successors::Only(state, reward)))
    }

    fn valid(walker: &Walker) -> Vec<ActionId> {
        walker.valid().iter().collect()
    }

    fn allows(walker: &Walker, &action: &ActionId) -> bool {
        walker.valid().contains(action)
    }

    fn draw_action(walker: &Walker, random: &mut herbrand_step::Random) -> Option<ActionId> {
        walker.sample(random)
    }

    fn step(
        walker: &mut Walker,
        &action: &ActionId,
        random: &mut herbrand_step::Random,
    ) -> Result<(Self::State, f64), StepError> {
        let transition = walker.apply(action, random)?;
        Ok((walker.state().clone(), transition.reward))
    }

    fn validity(walker: &Walker, &action: &ActionId) -> Result<ActionValidity, StepError> {
        let why = walker.explain(action)?;
        Ok(ActionValidity {
            valid: why.valid,
            failures: why.failures.iter().map(|failure| failure.text.clone()).collect(),
            text: why.to_string(),
            action: why.name,
        })
    }

    fn show(&self, walker: &Walker, visit: &mut dyn FnMut(Fact<'_>)) {
        show_grounded(&self.atoms, walker, visit);
    }
}

#[pymethods]
impl Task {
    #[new]
    #[pyo3(signature = (domain, problem, *, determinize = None, limits = None, settings = None, title = None))]
    fn new(
        py: Python<'_>,
        domain: Py<Domain>,
        problem: Py<Problem>,
        determinize: Option<String>,
        limits: Option<&Bound<'_, PyAny>>,
        settings: Option<&str>,
        title: Option<String>,
    ) -> PyResult<Self> {
        let budget = Budget::new(crate::limits::limits(limits)?);
        let models = (Arc::clone(&domain.get().model), Arc::clone(&problem.get().model));
        let within = budget.clone();
        let simulator = errors::interruptible(py, move || {
            let normal = NormalDomain::within(&models.0, &within).map_err(GroundError::from)?;
            compile_within(
                &models.0,
                &normal,
                &models.1,
                &GroundOptions::unlimited(),
                &within,
            )
        })?;
        let simulator = simulator.or_raise(py)?;
        let simulator = match determinize.as_deref() {
            None => simulator,
            Some("most-likely") => simulator.most_likely(),
            Some("all-outcomes") => {
                let split = errors::interruptible(py, move || all_outcomes(&simulator, &budget))?;
                Simulator::new(Arc::new(split.or_raise(py)?))
            }
            Some(other) => {
                let text = format!("determinize is None, \"most-likely\" or \"all-outcomes\", not {other:?}");
                return Err(PyValueError::new_err(text));
            }
        };
        let drawing = StateDrawing::of_problem(py, domain.get(), problem.get(), settings, title)?;
        Ok(Self::with_simulator(
            domain,
            problem,
            determinize,
            simulator,
            drawing,
        ))
    }

    /// The determinization of probabilistic effects: None, "most-likely" or "all-outcomes".
    #[getter]
    fn determinize(&self) -> Option<&str> {
        self.determinize.as_deref()
    }

    /// Rebuilds a pickled state from bytes.
    fn _unpack(slf: &Bound<'_, Self>, bytes: &[u8]) -> PyResult<State> {
        let state = slf.get().simulator.unpack(bytes);
        let fault = || PyValueError::new_err("these bytes are not a state of this task");
        Ok(State::of(slf, state.ok_or_else(fault)?))
    }

    fn __repr__(&self) -> String {
        format!(
            "<Task {}: {}, {}>",
            self.parts.drawing.title(),
            counted(self.atom_objects.len(), "atom"),
            counted(self.simulator.task().actions.len(), "action")
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (task, py) = (slf.get(), slf.py());
        let restore = py.import("herbrand._restore")?;
        restore.getattr("remember")?.call1((slf,))?;
        let arguments = (
            task.parts.domain.clone_ref(py),
            task.parts.problem.clone_ref(py),
            task.determinize.as_deref(),
            task.parts.drawing.settings(),
            task.parts.drawing.title(),
        );
        Ok((restore.getattr("task")?, arguments.into_pyobject(py)?))
    }
}
