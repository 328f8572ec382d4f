//! `Task`: ground problems as functions of states.

mod chance;
pub mod objects;
pub mod planning;
pub mod policy;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use herbrand_core::Fact;
use herbrand_env::{AtomSpace, show_grounded};
use herbrand_ground::{ActionId, AtomId, GroundError, GroundOptions, NormalDomain, NumericId};
use herbrand_limits::Budget;
use herbrand_plan::{MetricAmounts, PolicyOptions, TaskError, state_space};
use herbrand_render::{Scene, Theme};
use herbrand_step::{
    ActionExplanation, Simulator, SpaceOptions, StepError, Walker, all_outcomes, compile_within,
};
use herbrand_text::counted;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::domain::{Domain, equality};
use crate::errors::{self, OrRaise, Reduced, poisoned};
use crate::picture::StateDrawing;
use crate::problem::Problem;
use crate::random::Random;
use crate::state::State;
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
    serial: u64,
    domain: Py<Domain>,
    problem: Py<Problem>,
    determinize: Option<String>,
    portrait: StateDrawing,
    pub simulator: Simulator,
    pub atoms: AtomSpace,
    /// For each action, whether its effect makes random draws.
    chancy: Vec<bool>,
    /// Positioned at the state of the last query, so that further queries about this state are cheap.
    walker: Mutex<Walker>,
    random: Mutex<herbrand_step::Random>,
    atom_objects: Vec<PyOnceLock<Py<Atom>>>,
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
        portrait: StateDrawing,
    ) -> Self {
        let atoms = AtomSpace::new(simulator.clone());
        let task = simulator.task();
        Self {
            serial: SERIALS.fetch_add(1, Ordering::Relaxed),
            chancy: chance::chancy_actions(task),
            walker: Mutex::new(simulator.walker()),
            random: Mutex::new(herbrand_step::Random::new(0)),
            atom_objects: empty(atoms.len(herbrand_env::ObservedAtoms::All)),
            action_objects: empty(task.actions.len()),
            domain,
            problem,
            determinize,
            portrait,
            atoms,
            simulator,
        }
    }

    /// Calls `work` with the locked walker at `state`. `work` must not run Python code.
    pub fn at<T>(&self, state: &herbrand_step::State, work: impl FnOnce(&mut Walker) -> T) -> PyResult<T> {
        let mut walker = self.walker.lock().map_err(|_| poisoned())?;
        if walker.state() != state {
            walker
                .set_state(state)
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
        }
        Ok(work(&mut walker))
    }

    /// Returns the picture of a state.
    pub fn scene(&self, state: &herbrand_step::State, egocentric: bool) -> PyResult<Scene> {
        let models = (&self.domain.get().model, &self.problem.get().model);
        self.at(state, |walker| {
            let show = |visit: &mut dyn FnMut(Fact<'_>)| show_grounded(&self.atoms, walker, visit);
            let reached = walker.is_goal();
            self.portrait
                .scene(egocentric, models.0, models.1, reached, &show)
        })?
    }

    /// Returns whether the tasks are equal: whether they have the same domain, problem and determinization.
    pub fn is_same(&self, _py: Python<'_>, other: &Self) -> bool {
        self.serial == other.serial
            || (self.determinize == other.determinize
                && self.domain.get().model == other.domain.get().model
                && self.problem.get().model == other.problem.get().model)
    }

    /// Returns the inner state of an argument, or an error if it belongs to another task.
    fn own<'s>(&self, py: Python<'_>, state: &'s Bound<'_, State>) -> PyResult<&'s herbrand_step::State> {
        let state = state.get();
        if self.is_same(py, state.task.get()) {
            Ok(&state.state)
        } else {
            Err(PyValueError::new_err("the state belongs to another task"))
        }
    }

    /// Calls `work` with the given generator, or with the task's own.
    fn with_random<T>(
        &self,
        rng: Option<&Bound<'_, Random>>,
        work: impl FnOnce(&mut herbrand_step::Random) -> T,
    ) -> PyResult<T> {
        match rng {
            Some(random) => random.get().with(work),
            None => {
                let mut random = self.random.lock().map_err(|_| poisoned())?;
                Ok(work(&mut random))
            }
        }
    }
}

fn wrap(slf: &Bound<'_, Task>, state: herbrand_step::State) -> State {
    State {
        task: slf.clone().unbind(),
        state,
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
        let portrait = StateDrawing::of_problem(py, domain.get(), problem.get(), settings, title)?;
        Ok(Self::with_simulator(
            domain,
            problem,
            determinize,
            simulator,
            portrait,
        ))
    }

    /// The domain.
    #[getter]
    fn domain(&self, py: Python<'_>) -> Py<Domain> {
        self.domain.clone_ref(py)
    }

    /// The problem.
    #[getter]
    fn problem(&self, py: Python<'_>) -> Py<Problem> {
        self.problem.clone_ref(py)
    }

    /// The text of the settings that define how states are drawn; None if there are none.
    #[getter]
    fn settings(&self) -> Option<&str> {
        self.portrait.settings()
    }

    /// The title of pictures of the states.
    #[getter]
    fn title(&self) -> &str {
        self.portrait.title()
    }

    /// The determinization of probabilistic effects: None, "most-likely" or "all-outcomes".
    #[getter]
    fn determinize(&self) -> Option<&str> {
        self.determinize.as_deref()
    }

    /// The ground atoms by id: a tuple of Atom. Fluent atoms come first, then derived ones, then those that are always true.
    /// Unreachable atoms are left out. Observations of mode ``bits`` have the same order.
    #[getter]
    fn ground_atoms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let ids = 0..u32::try_from(self.atom_objects.len()).unwrap_or(u32::MAX);
        PyTuple::new(
            py,
            ids.map(|id| self.atom_object(py, id))
                .collect::<PyResult<Vec<_>>>()?,
        )
    }

    /// The atoms that are true in every state: a tuple of Atom.
    #[getter]
    fn static_atoms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let atoms = self.atoms.fixed().map(|id| self.atom_object(py, id.number()));
        PyTuple::new(py, atoms.collect::<PyResult<Vec<_>>>()?)
    }

    /// The ground actions by id: a tuple of Action, ordered by the declarations of operators, then of objects. Unreachable
    /// actions, which are never valid, are left out.
    #[getter]
    fn ground_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let ids = self.simulator.task().actions.ids();
        PyTuple::new(
            py,
            ids.map(|id| self.action_object(py, id))
                .collect::<PyResult<Vec<_>>>()?,
        )
    }

    /// Returns the atom given by an id, a text such as ``"(on a b)"``, a tuple such as ``("on", "a", "b")``, or an Atom.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If the task has no such atom, or no state can have it.
    fn atom(&self, py: Python<'_>, atom: &Bound<'_, PyAny>) -> PyResult<Py<Atom>> {
        self.atom_object(py, self.observed_id(atom)?.number())
    }

    /// Returns the action given by an id, a text such as ``"(stack a b)"``, or an Action.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If the task has no such action, or no reachable state allows it; the message says why.
    fn action(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<Py<Action>> {
        self.action_object(py, self.action_id(action)?)
    }

    /// The initial state without its probabilistic part.
    #[getter]
    fn initial_state(slf: &Bound<'_, Self>) -> State {
        wrap(slf, slf.get().simulator.initial_state())
    }

    /// Returns the picture of the initial state for notebooks.
    fn _repr_svg_(&self) -> PyResult<String> {
        let scene = self.scene(&self.simulator.initial_state(), false)?;
        Ok(scene.to_svg(Theme::Auto))
    }

    /// Returns the distribution of initial states: a list of pairs (probability, State). It has one element if the initial
    /// state is deterministic.
    fn initial_states(slf: &Bound<'_, Self>) -> PyResult<Vec<(f64, State)>> {
        let outcomes = slf.get().simulator.initial_outcomes().or_raise(slf.py())?;
        Ok(outcomes
            .into_iter()
            .map(|one| (one.probability, wrap(slf, one.state)))
            .collect())
    }

    /// Draws an initial state.
    ///
    /// Parameters
    /// ----------
    /// rng : Random, optional
    ///     The random generator; by default that of the task.
    #[pyo3(signature = (rng = None))]
    fn sample_initial(slf: &Bound<'_, Self>, rng: Option<&Bound<'_, Random>>) -> PyResult<State> {
        let task = slf.get();
        let state = task.with_random(rng, |random| task.simulator.sample_initial(random))?;
        Ok(wrap(slf, state.or_raise(slf.py())?))
    }

    /// Returns the state in which exactly these atoms are true.
    ///
    /// Parameters
    /// ----------
    /// atoms : iterable of Atom, tuple of str, str or int
    ///     Atoms as objects, tuples ``("on", "a", "b")``, PDDL texts, or ids. A `State` or an observation of mode ``atoms``
    ///     is such an iterable. Derived and static atoms are ignored, since the other atoms determine them.
    /// numbers : mapping from str to float or None, optional
    ///     Values of numeric fluents by their PDDL; None makes a fluent undefined. Missing fluents have their initial
    ///     values.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If the task has no such atom or numeric fluent.
    #[pyo3(signature = (atoms, numbers = None))]
    fn state(
        slf: &Bound<'_, Self>,
        atoms: &Bound<'_, PyAny>,
        numbers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<State> {
        let (task, py) = (slf.get(), slf.py());
        let mut ids = Vec::new();
        for atom in atoms.try_iter()? {
            ids.extend(task.atoms.atom(task.observed_id(&atom?)?));
        }
        let mut state = task.simulator.state_from_atoms(ids).or_raise(py)?;
        for (name, value) in numbers.into_iter().flatten() {
            let id = task.numeric_id(&name)?;
            task.simulator.set_numeric(&mut state, id, value.extract()?);
        }
        Ok(wrap(slf, state))
    }

    /// Rebuilds a pickled state from bytes.
    fn _unpack(slf: &Bound<'_, Self>, bytes: &[u8]) -> PyResult<State> {
        let state = slf.get().simulator.unpack(bytes);
        let fault = || PyValueError::new_err("these bytes are not a state of this task");
        Ok(wrap(slf, state.ok_or_else(fault)?))
    }

    /// Returns the valid actions of a state: a list of Action in ascending order of their ids; empty in a dead
    /// end.
    fn valid_actions<'py>(&self, py: Python<'py>, state: &Bound<'py, State>) -> PyResult<Bound<'py, PyList>> {
        let ids = self.at(self.own(py, state)?, |walker| {
            walker.valid().iter().collect::<Vec<_>>()
        })?;
        let actions: Vec<_> = ids
            .into_iter()
            .map(|id| self.action_object(py, id))
            .collect::<PyResult<_>>()?;
        PyList::new(py, actions)
    }

    /// Searches for a plan from a state to the goal.
    ///
    /// Parameters
    /// ----------
    /// state : State, optional
    ///     The start state; by default the initial state without its probabilistic part.
    /// planner : str, default "landmarks"
    ///     One of `planners`. The ``astar`` planners find optimal plans; ``"anytime"`` searches for cheaper and cheaper
    ///     plans until a limit is reached or the plan is optimal.
    /// seed : int, default 0
    ///     The seed for breaking ties; 0 breaks them by the order in the text.
    /// limits : Limits or mapping, optional
    ///     Limits for the search. If a limit is reached, no exception is raised: `Plan.outcome` reports it.
    /// determinize : {"all-outcomes", "most-likely"}
    ///     How probabilistic effects are made deterministic: the plan may choose among all outcomes of an action, or assumes
    ///     the most likely one.
    /// time, memory : float or str, optional
    ///     Override the fields of `limits`: ``time=10``, ``memory="2GiB"``.
    ///
    /// Returns
    /// -------
    /// Plan
    ///     The plan and the statistics of the search; falsy if there is no plan.
    ///
    /// Examples
    /// --------
    /// >>> import herbrand
    /// >>> task = herbrand.load("blocks")
    /// >>> plan = task.plan(planner="astar-lmcut")
    /// >>> state = task.initial_state
    /// >>> for action in plan:
    /// ...     state = task.apply(state, action)
    /// >>> state.is_goal, plan.proven_optimal
    /// (True, True)
    #[pyo3(signature = (state = None, *, planner = "landmarks", seed = 0, limits = None, determinize = "all-outcomes", time = None, memory = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn plan<'py>(
        &self,
        py: Python<'py>,
        state: Option<&Bound<'py, PyAny>>,
        planner: &str,
        seed: u64,
        limits: Option<&Bound<'py, PyAny>>,
        determinize: &str,
        time: Option<&Bound<'py, PyAny>>,
        memory: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let initial = self.simulator.initial_state();
        let state = match state {
            None => &initial,
            Some(state) => match state.cast::<State>() {
                Ok(state) => self.own(py, state)?,
                Err(_) => return Err(planning::not_a_state(state)),
            },
        };
        let search = planning::Search {
            planner: planning::planner(planner)?,
            seed,
            limits: crate::limits::limits_with(limits, time, memory)?,
            determinization: planning::determinization(determinize)?,
        };
        let report = planning::search(py, self, state, &search)?;
        planning::as_plan(self, py, search.planner, &report)
    }

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
    #[pyo3(signature = (states = None, *, max_states = 1_000_000, limits = None, time = None, memory = None))]
    fn state_space<'py>(
        slf: &Bound<'py, Self>,
        states: Option<&Bound<'py, PyAny>>,
        max_states: usize,
        limits: Option<&Bound<'py, PyAny>>,
        time: Option<&Bound<'py, PyAny>>,
        memory: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (task, py) = (slf.get(), slf.py());
        let own = |state: PyResult<Bound<'py, PyAny>>| {
            let state = state?;
            let Ok(state) = state.cast::<State>() else {
                return Err(planning::not_a_state(&state));
            };
            Ok(task.own(py, state)?.clone())
        };
        let starts = match states {
            Some(states) => Some(states.try_iter()?.map(own).collect::<PyResult<Vec<_>>>()?),
            None => None,
        };
        let options = SpaceOptions {
            starts,
            states: max_states,
            ..SpaceOptions::default()
        };
        let budget = Budget::new(crate::limits::limits_with(limits, time, memory)?);
        let explored = errors::interruptible(py, || {
            let space = state_space(&task.simulator, &options, &budget)?;
            // A part that took all of the time is analysed nevertheless.
            let analysis = space.graph.analyse(&budget.without_limits())?;
            Ok::<_, TaskError>((space.rows(), analysis, space.graph))
        })?;
        let (rows, analysis, graph) = explored.or_raise(py)?;
        let actions = task.ground_actions(py)?.into_any();
        crate::space::as_object(slf.as_any(), graph, analysis, rows, actions)
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
        Ok(wrap(slf, state))
    }

    /// Computes a policy for a probabilistic task: an action for each state.
    ///
    /// Parameters
    /// ----------
    /// planner : str, default "policy-iteration"
    ///     ``"policy-iteration"`` and ``"lao"`` compute optimal policies: they maximize the probability of reaching the
    ///     goal, then minimize the mean cost of the runs that reach it. ``"uct"`` and ``"replan"`` plan before each action,
    ///     for tasks of any size. `policy_planners` lists the names.
    /// state : State, optional
    ///     The start state; by default the initial states with their probabilities.
    /// seed : int, default 0
    ///     The seed for the samples of ``"uct"`` and the tie-breaking of ``"replan"``.
    /// iterations : int, default 1000
    ///     The number of walks that ``"uct"`` samples before each action.
    /// determinize : {"all-outcomes", "most-likely"}
    ///     How ``"replan"`` makes probabilistic effects deterministic.
    /// limits : Limits or mapping, optional
    ///     Limits for computing the policy. Each decision of ``"uct"`` and ``"replan"`` has a limit of ten seconds and one
    ///     gibibyte.
    /// time, memory : float or str, optional
    ///     Override the fields of `limits`: ``time=10``, ``memory="2GiB"``.
    ///
    /// Returns
    /// -------
    /// Policy
    ///
    /// Raises
    /// ------
    /// LimitError
    ///     If a limit is reached.
    ///
    /// Examples
    /// --------
    /// >>> import herbrand
    /// >>> task = herbrand.load("river", "train/01")
    /// >>> policy = task.policy()
    /// >>> policy.optimal, 0 < policy.goal_probability <= 1
    /// (True, True)
    /// >>> policy.action(task.initial_state) in task.valid_actions(task.initial_state)
    /// True
    /// >>> runs = policy.simulate(200, seed=1)
    /// >>> abs(runs.goal_probability - policy.goal_probability) < 0.2
    /// True
    #[pyo3(signature = (planner = "policy-iteration", *, state = None, seed = 0, iterations = 1000, determinize = "all-outcomes", limits = None, time = None, memory = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn policy(
        slf: &Bound<'_, Self>,
        planner: &str,
        state: Option<&Bound<'_, State>>,
        seed: u64,
        iterations: u32,
        determinize: &str,
        limits: Option<&Bound<'_, PyAny>>,
        time: Option<&Bound<'_, PyAny>>,
        memory: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<policy::Policy> {
        let py = slf.py();
        let state = state.map(|state| slf.get().own(py, state)).transpose()?;
        let making = policy::Making {
            kind: policy::planner(planner)?,
            options: PolicyOptions {
                seed,
                iterations,
                determinization: planning::determinization(determinize)?,
                ..PolicyOptions::default()
            },
            limits: crate::limits::limits_with(limits, time, memory)?,
        };
        policy::make(py, slf.clone().unbind(), state, &making)
    }

    /// Returns the ids of the valid actions of a state: an ascending list of int.
    fn valid_action_ids(&self, py: Python<'_>, state: &Bound<'_, State>) -> PyResult<Vec<u32>> {
        self.at(self.own(py, state)?, |walker| {
            walker.valid().iter().map(ActionId::number).collect()
        })
    }

    /// Returns whether an action is valid in a state.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If the task has no such action.
    /// ValueError
    ///     If the state belongs to another task.
    fn is_valid(
        &self,
        py: Python<'_>,
        state: &Bound<'_, State>,
        action: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let id = self.action_id(action)?;
        self.at(self.own(py, state)?, |walker| walker.valid().contains(id))
    }

    /// Draws a valid action uniformly, with the random generator `rng`, by default that of the task. Returns
    /// None in a dead end.
    #[pyo3(signature = (state, rng = None))]
    fn sample_action(
        &self,
        py: Python<'_>,
        state: &Bound<'_, State>,
        rng: Option<&Bound<'_, Random>>,
    ) -> PyResult<Option<Py<Action>>> {
        let state = self.own(py, state)?;
        let id = self.with_random(rng, |random| self.at(state, |walker| walker.sample(random)))??;
        id.map(|id| self.action_object(py, id)).transpose()
    }

    /// Returns the successor by a deterministic action.
    ///
    /// Raises
    /// ------
    /// InvalidActionError
    ///     If the action is not valid; the message contains the first unmet condition.
    /// StepError
    ///     If the action has several outcomes (see `outcomes` and `sample`), or a numeric effect is undefined.
    fn apply(slf: &Bound<'_, Self>, state: &Bound<'_, State>, action: &Bound<'_, PyAny>) -> PyResult<State> {
        let (task, py) = (slf.get(), slf.py());
        let (state, id) = (task.own(py, state)?, task.action_id(action)?);
        if task.chancy[id.index()] {
            let outcomes = task.simulator.outcomes(state, id).or_raise(py)?;
            return match <[_; 1]>::try_from(outcomes) {
                Ok([only]) => Ok(wrap(slf, only.state)),
                Err(several) => {
                    let name = task.simulator.task().display_action(id);
                    let text = format!(
                        "{name} has {} outcomes here: use `outcomes` or `sample`",
                        several.len()
                    );
                    Err(errors::message(py, "StepError", &text))
                }
            };
        }
        Ok(wrap(slf, task.step(state, id)?.or_raise(py)?.0))
    }

    /// Returns the distribution of successors.
    ///
    /// Returns
    /// -------
    /// list of tuples (probability, state, reward)
    ///     Probabilities are positive and sum to 1; equal successors are merged.
    ///
    /// Raises
    /// ------
    /// InvalidActionError
    ///     If the action is not valid.
    /// StepError
    ///     If there are too many outcomes, or a numeric effect is undefined.
    fn outcomes(
        slf: &Bound<'_, Self>,
        state: &Bound<'_, State>,
        action: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<(f64, State, f64)>> {
        let (task, py) = (slf.get(), slf.py());
        let (state, id) = (task.own(py, state)?, task.action_id(action)?);
        if !task.chancy[id.index()] {
            let (successor, reward) = task.step(state, id)?.or_raise(py)?;
            return Ok(vec![(1.0, wrap(slf, successor), reward)]);
        }
        let outcomes = task.simulator.outcomes(state, id).or_raise(py)?;
        Ok(outcomes
            .into_iter()
            .map(|one| (one.probability, wrap(slf, one.state), one.reward))
            .collect())
    }

    /// Draws a successor; returns a pair (state, reward).
    ///
    /// Parameters
    /// ----------
    /// state : State
    /// action : Action, str or int
    /// rng : Random, optional
    ///     The random generator; by default that of the task.
    #[pyo3(signature = (state, action, rng = None))]
    fn sample(
        slf: &Bound<'_, Self>,
        state: &Bound<'_, State>,
        action: &Bound<'_, PyAny>,
        rng: Option<&Bound<'_, Random>>,
    ) -> PyResult<(State, f64)> {
        let (task, py) = (slf.get(), slf.py());
        let (state, id) = (task.own(py, state)?, task.action_id(action)?);
        let drawn = task.with_random(rng, |random| task.step_with(state, id, random))??;
        let (successor, reward) = drawn.or_raise(py)?;
        Ok((wrap(slf, successor), reward))
    }

    /// Reseeds the task's own random generator.
    fn seed(&self, seed: u64) -> PyResult<()> {
        self.with_random(None, |random| *random = herbrand_step::Random::new(seed))
    }

    /// Returns whether the goal is true in a state.
    fn is_goal(&self, py: Python<'_>, state: &Bound<'_, State>) -> PyResult<bool> {
        self.at(self.own(py, state)?, |walker| walker.is_goal())
    }

    /// Explains why an action is or is not valid in a state; returns an `Explanation`. Of an action that no reachable state
    /// allows, it has no failures, and its text says why.
    fn explain<'py>(
        &self,
        py: Python<'py>,
        state: &Bound<'py, State>,
        action: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let state = self.own(py, state)?;
        let id = match self.action_id(action) {
            Ok(id) => id,
            Err(error) => {
                let text = action.str()?;
                let text = text.to_str()?;
                let Some(why) = self.why_never(text) else {
                    return Err(error);
                };
                let class = py.import("herbrand.errors")?.getattr("Explanation")?;
                let action = Action(Term::parse(py, text)?);
                return class.call1((action, false, PyTuple::empty(py), why));
            }
        };
        let found = self.at(state, |walker| walker.explain(id))?;
        self.explanation(py, &found.or_raise(py)?)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Task {}: {}, {}>",
            self.portrait.title(),
            counted(self.atom_objects.len(), "atom"),
            counted(self.simulator.task().actions.len(), "action")
        )
    }

    fn __hash__(&self) -> u64 {
        fxhash::hash64(&(self.domain.get().model.fingerprint(), &*self.problem.get().model))
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, operator: CompareOp) -> Py<PyAny> {
        let same = other
            .cast::<Self>()
            .ok()
            .map(|other| self.is_same(py, other.get()));
        equality(py, same, operator)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (task, py) = (slf.get(), slf.py());
        let restore = py.import("herbrand._restore")?;
        restore.getattr("remember")?.call1((slf,))?;
        let arguments = (
            task.domain.clone_ref(py),
            task.problem.clone_ref(py),
            task.determinize.as_deref(),
            task.portrait.settings(),
            task.portrait.title(),
        );
        Ok((restore.getattr("task")?, arguments.into_pyobject(py)?))
    }
}

impl Task {
    /// Returns the successor by a deterministic action, and its reward.
    fn step(
        &self,
        state: &herbrand_step::State,
        action: ActionId,
    ) -> PyResult<Result<(herbrand_step::State, f64), StepError>> {
        self.step_with(state, action, &mut herbrand_step::Random::new(0))
    }

    fn step_with(
        &self,
        state: &herbrand_step::State,
        action: ActionId,
        random: &mut herbrand_step::Random,
    ) -> PyResult<Result<(herbrand_step::State, f64), StepError>> {
        self.at(state, |walker| {
            let transition = walker.apply(action, random)?;
            Ok((walker.state().clone(), transition.reward))
        })
    }

    /// Converts an explanation to the dataclass of `herbrand.errors`.
    pub fn explanation<'py>(
        &self,
        py: Python<'py>,
        found: &ActionExplanation,
    ) -> PyResult<Bound<'py, PyAny>> {
        let failures = found.failures.iter().map(|failure| failure.text.as_str());
        let failures = PyTuple::new(py, failures.collect::<Vec<_>>())?;
        let class = py.import("herbrand.errors")?.getattr("Explanation")?;
        let action = self.action_object(py, found.action)?;
        class.call1((action, found.valid, failures, found.to_string()))
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
