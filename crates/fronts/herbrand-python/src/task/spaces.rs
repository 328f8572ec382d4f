//! Ground tasks as arrays, and their state spaces.

use herbrand_ground::{AtomId, NumericId};
use herbrand_limits::Budget;
use herbrand_plan::{MetricAmounts, TaskError, state_space};
use herbrand_step::SpaceOptions;
use pyo3::prelude::*;

use super::grounded::Task;
use super::planning::not_a_state;
use super::state::State;
use crate::errors::{self, OrRaise};

#[pymethods]
impl Task {
    /// Returns the facts, operators and axioms as NumPy arrays: a `herbrand.ground_arrays.GroundArrays`.
    fn arrays<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let ground = slf.get().simulator.task();
        let amounts = MetricAmounts::of(ground);
        let least = ground
            .actions
            .ids()
            .map(|action| amounts.least(action).unwrap_or(f64::NAN));
        crate::ground_arrays::as_object(slf.as_any(), ground, least.collect())
    }

    /// Explores the state space, breadth first. A number that no condition, effect or goal reads keeps its first value if each
    /// action changes it by a constant amount, so that states that differ only in it are one state. The costs follow the
    /// metric.
    ///
    /// Parameters
    /// ----------
    /// states : iterable of State, optional
    ///     The states to begin with; by default the initial states.
    /// max_states : int, default 1000000
    ///     The number of states after which no further state is expanded.
    /// symmetry : bool, default False
    ///     Whether states that differ only by an exchange of interchangeable objects are one state, the first one found. Distances and
    ///     dead ends stay the same, but a step may lead to a state with other objects in the same roles.
    /// limits : Limits or mapping, optional
    ///     Limits for the exploration. If a limit is reached, no exception is raised: `StateSpace.limit` reports it.
    /// time, memory : float or str, optional
    ///     Override the fields of `limits`: ``time=10``, ``memory="2GiB"``.
    ///
    /// Returns
    /// -------
    /// herbrand.state_space.StateSpace
    ///     States and transitions as arrays, with distances, dead ends and components.
    ///
    /// Raises
    /// ------
    /// StepError
    ///     If an action or the initial state has too many outcomes.
    ///
    /// Examples
    /// --------
    /// >>> import herbrand
    /// >>> space = herbrand.load("river", "train/01").state_space()
    /// >>> space.complete, len(space), int(space.dead_ends.sum())
    /// (True, 9, 1)
    #[pyo3(signature = (states = None, *, max_states = 1_000_000, symmetry = false, limits = None, time = None, memory = None))]
    fn state_space<'py>(
        slf: &Bound<'py, Self>,
        states: Option<&Bound<'py, PyAny>>,
        max_states: usize,
        symmetry: bool,
        limits: Option<&Bound<'py, PyAny>>,
        time: Option<&Bound<'py, PyAny>>,
        memory: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (task, py) = (slf.get(), slf.py());
        task.parts.check_timeless(py, "a state space")?;
        let own = |state: PyResult<Bound<'py, PyAny>>| {
            let state = state?;
            let Ok(state) = state.cast::<State>() else {
                return Err(not_a_state(&state));
            };
            Ok(task.own(state)?.clone())
        };
        let starts = match states {
            Some(states) => Some(states.try_iter()?.map(own).collect::<PyResult<Vec<_>>>()?),
            None => None,
        };
        let options = SpaceOptions {
            starts,
            states: max_states,
            symmetry,
            ..SpaceOptions::default()
        };
        let budget = Budget::new(crate::limits::limits_with(limits, time, memory)?);
        let explored = errors::interruptible(py, || {
            let space = state_space(&task.simulator, &options, &budget)?;
            // A part that took all of the time is analysed nevertheless.
            let analysis = space.graph.analyse(&budget.without_limits())?;
            Ok::<_, TaskError>((space.rows(), analysis, space.rounding, space.graph))
        })?;
        let (rows, analysis, rounding, graph) = explored.or_raise(py)?;
        let actions = task.ground_actions(py)?.into_any();
        let rounding = rounding.map(|rounding| rounding.to_string());
        crate::space::as_object(slf.as_any(), graph, analysis, rows, rounding, actions)
    }

    /// Returns the state with these words of fluent atoms, and these numbers.
    #[expect(clippy::needless_pass_by_value, reason = "converted from lists")]
    fn _state_of_row(slf: &Bound<'_, Self>, bits: Vec<u64>, numbers: Vec<f64>) -> PyResult<State> {
        let simulator = &slf.get().simulator;
        let is_set = |&id: &usize| bits.get(id / 64).is_some_and(|word| word >> (id % 64) & 1 == 1);
        let atoms = (0..simulator.task().fluent_count()).filter(is_set);
        let state = simulator.state_from_atoms(atoms.map(AtomId::from_index));
        let mut state = state.or_raise(slf.py())?;
        for (id, &value) in numbers.iter().enumerate() {
            simulator.set_numeric(&mut state, NumericId::from_index(id), Some(value));
        }
        Ok(State::of(slf, state))
    }
}
