//! `RddlTask`: an instance as functions of states.

use std::sync::{Arc, Mutex, OnceLock};

use herbrand_core::{ActionCount, Choice, Random as Generator, Status, System};
use herbrand_distributions::Quantiles;
use herbrand_limits::Budget;
use herbrand_rddl::{Horizon, Limit, Range};
use herbrand_rddl_plan::space::{RddlSpaceOptions, RddlStateSpace};
use herbrand_rddl_sim::ground::{CompileError, ExactStep, state_bounds};
use herbrand_rddl_sim::simulate::{CompiledInstance, FluentValue, RddlSimulator, Values};
use herbrand_rddl_sim::suite::RddlError;
use herbrand_render::{Pictured as _, StateRenderer};
use herbrand_render::{Scene, Theme};
use herbrand_text::counted;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::state::RddlState;
use super::suite::RddlSuite;
use super::values::{Places, joint, place, places, to_dict, to_python, with_values};
use crate::errors::{self, OrRaise, Reduced, guarded, interruptible, poisoned};
use crate::random::Random;

/// An RDDL instance as a transition system.
///
/// Its methods are functions of a `RddlState` and an action, a mapping from names of ground action fluents
/// (``"push___cart1"``) to values. Missing fluents have their defaults. `herbrand.load` creates tasks.
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct RddlTask {
    suite: Py<RddlSuite>,
    compiled: Arc<CompiledInstance>,
    simulator: Mutex<RddlSimulator>,
    random: Mutex<Generator>,
    exact: OnceLock<Result<ExactStep, CompileError>>,
    /// The drawing of states, created on first use.
    picture: OnceLock<StateRenderer<RddlSimulator>>,
    actions: Places,
    states: Places,
    action_names: Vec<Py<PyString>>,
    state_names: Vec<Py<PyString>>,
    interm_names: Vec<Py<PyString>>,
    observ_names: Vec<Py<PyString>>,
}

/// The result of a step: the state, the reward, whether a termination condition is true, whether a state invariant is
/// violated, the indices of the violated preconditions, the values of intermediate and derived fluents, and the values of
/// observ fluents.
type Stepped<'py> = (
    Py<RddlState>,
    f64,
    bool,
    bool,
    Vec<usize>,
    Bound<'py, PyDict>,
    Bound<'py, PyDict>,
);

/// A possible result of a step: the probability, the state, the reward, and the values of observ fluents.
type Outcome<'py> = (f64, Py<RddlState>, f64, Bound<'py, PyDict>);

impl RddlTask {
    pub fn new(py: Python<'_>, suite: Py<RddlSuite>) -> PyResult<Self> {
        let inner = suite.get().suite.clone();
        let compiled = interruptible(py, || inner.compiled(0).cloned())?.or_raise(py)?;
        let names = |fluents: &herbrand_rddl_sim::simulate::GroundFluents| {
            let name = |at| PyString::new(py, &compiled.name(fluents, at)).unbind();
            (0..fluents.len()).map(name).collect()
        };
        Ok(Self {
            simulator: Mutex::new(RddlSimulator::new(Arc::clone(&compiled), inner.preconditions())),
            random: Mutex::new(Generator::new(0)),
            exact: OnceLock::new(),
            picture: OnceLock::new(),
            actions: places(&compiled, &compiled.action),
            states: places(&compiled, &compiled.state),
            action_names: names(&compiled.action),
            state_names: names(&compiled.state),
            interm_names: names(&compiled.interm),
            observ_names: names(&compiled.observ),
            suite,
            compiled,
        })
    }

    pub fn compiled(&self) -> &Arc<CompiledInstance> {
        &self.compiled
    }

    pub fn state_places(&self) -> &Places {
        &self.states
    }

    pub fn state_names(&self) -> &[Py<PyString>] {
        &self.state_names
    }

    /// Returns whether the tasks are equal: whether they have the same instance of the same domain.
    pub fn is_same(&self, _py: Python<'_>, other: &Py<Self>) -> bool {
        let other = &other.get().compiled;
        Arc::ptr_eq(&self.compiled, other) || self.compiled.instance == other.instance
    }

    /// Returns the compiled problem, which may be shared.
    pub const fn shared(&self) -> &Arc<CompiledInstance> {
        &self.compiled
    }

    /// Converts a joint action to a dict of the fluents that differ from their defaults.
    pub fn action_dict<'py>(&self, py: Python<'py>, joint: &[Choice]) -> PyResult<Bound<'py, PyDict>> {
        let (compiled, dict) = (self.compiled(), PyDict::new(py));
        for choice in joint {
            let at = choice.field as usize;
            let range = compiled.range(&compiled.action, at);
            let value = super::values::of_choice(choice.value, range);
            dict.set_item(
                &self.action_names[at],
                to_python(py, &compiled.instance, range, value)?,
            )?;
        }
        Ok(dict)
    }

    /// Returns the indices of action fluents or of state fluents by name.
    pub fn places(&self, of_actions: bool) -> &Places {
        if of_actions { &self.actions } else { &self.states }
    }

    /// Returns the values of a state, or an error if it belongs to another task.
    pub fn own<'s>(&self, state: &'s Bound<'_, RddlState>) -> PyResult<&'s Values> {
        let inner = state.get();
        if self.is_same(state.py(), &inner.task) {
            Ok(&inner.values)
        } else {
            Err(PyValueError::new_err("the state belongs to another task"))
        }
    }

    fn wrap(slf: &Bound<'_, Self>, values: Values) -> PyResult<Py<RddlState>> {
        let task = slf.clone().unbind();
        Py::new(slf.py(), RddlState { task, values })
    }

    /// Returns the picture of a state.
    pub fn scene(&self, py: Python<'_>, state: &Values) -> PyResult<Scene> {
        let suite = &self.suite.get().suite;
        let drawn = self.at(py, state, |simulator| {
            let picture = match self.picture.get() {
                Some(picture) => picture,
                None => {
                    let made = suite.renderer(0, simulator)?;
                    self.picture.get_or_init(|| made)
                }
            };
            Ok::<_, RddlError>(picture.scene(simulator))
        })?;
        drawn.or_raise(py)
    }

    /// Calls `work` with the locked simulator at a state. `work` must not run Python code.
    fn at<T>(
        &self,
        py: Python<'_>,
        state: &Values,
        work: impl FnOnce(&mut RddlSimulator) -> T,
    ) -> PyResult<T> {
        let mut simulator = self.simulator.lock().map_err(|_| poisoned())?;
        simulator.go_to(state).or_raise(py)?;
        Ok(work(&mut simulator))
    }

    /// Calls `work` with the given generator, or with the task's own.
    fn with_random<T>(
        &self,
        rng: Option<&Bound<'_, Random>>,
        work: impl FnOnce(&mut Generator) -> T,
    ) -> PyResult<T> {
        match rng {
            Some(random) => random.get().with(work),
            None => Ok(work(&mut *self.random.lock().map_err(|_| poisoned())?)),
        }
    }

    fn exact(&self, py: Python<'_>) -> PyResult<&ExactStep> {
        let made = guarded(py, || {
            self.exact.get_or_init(|| ExactStep::new(&self.compiled.instance))
        })?;
        made.as_ref()
            .map_err(|error| crate::errors::IntoException::exception(error, py))
    }

    /// Builds the result of a step from the simulator after the step.
    fn told<'py>(
        slf: &Bound<'py, Self>,
        simulator: &RddlSimulator,
        reward: f64,
        status: Status,
    ) -> PyResult<Stepped<'py>> {
        let (py, this) = (slf.py(), slf.get());
        let compiled = this.compiled();
        let interm = to_dict(py, compiled, &compiled.interm, &this.interm_names, |at| {
            simulator.interm(at)
        })?;
        let observed = to_dict(py, compiled, &compiled.observ, &this.observ_names, |at| {
            simulator.observed(at)
        })?;
        Ok((
            Self::wrap(slf, simulator.values().clone())?,
            reward,
            status.terminal,
            status.broken,
            simulator.violated().collect(),
            interm,
            observed,
        ))
    }
}

#[pymethods]
impl RddlTask {
    /// The suite of this single instance.
    #[getter]
    fn suite(&self, py: Python<'_>) -> Py<RddlSuite> {
        self.suite.clone_ref(py)
    }

    /// The name of the domain.
    #[getter]
    fn domain_name(&self) -> &str {
        self.compiled.instance.domain.name.as_str()
    }

    /// The name of the instance in its text.
    #[getter]
    fn name(&self) -> &str {
        self.compiled.instance.name.as_str()
    }

    /// The number of steps after which an episode is truncated; None for never.
    #[getter]
    fn horizon(&self) -> Option<u32> {
        match self.compiled.instance.horizon {
            Horizon::Steps(steps) => Some(steps),
            Horizon::Infinite => None,
        }
    }

    /// The discount per step.
    #[getter]
    fn discount(&self) -> f64 {
        self.compiled.instance.discount
    }

    /// The number of ground action fluents that may differ from their defaults at once; None if there is no limit.
    #[getter]
    fn max_nondef_actions(&self) -> Option<u32> {
        match self.compiled.instance.max_nondef_actions {
            Limit::AtMost(most) => Some(most),
            Limit::Unlimited => None,
        }
    }

    /// Whether agents observe observ fluents instead of the state.
    #[getter]
    fn is_partially_observed(&self) -> bool {
        self.compiled.is_partially_observed()
    }

    /// The initial state of episodes.
    #[getter]
    fn initial_state(slf: &Bound<'_, Self>) -> PyResult<Py<RddlState>> {
        Self::wrap(slf, slf.get().compiled.initial().clone())
    }

    /// Returns the picture of the initial state for notebooks.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        let scene = self.scene(py, self.compiled.initial())?;
        Ok(scene.to_svg(Theme::Auto))
    }

    /// Returns the initial state with other values for some fluents, given by name.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If there is no such state fluent.
    /// InvalidActionError
    ///     If a value is not in the range of its fluent.
    fn state(slf: &Bound<'_, Self>, values: &Bound<'_, PyAny>) -> PyResult<Py<RddlState>> {
        let this = slf.get();
        let initial = this.compiled.initial();
        let values = with_values(&this.compiled, &this.states, initial, Some(values))?;
        Self::wrap(slf, values)
    }

    /// The default of each ground action fluent, by name.
    #[getter]
    fn no_action<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let compiled = self.compiled();
        let section = compiled.action.section();
        let value = |at| Some(section.get(compiled.no_action(), at));
        to_dict(py, compiled, &compiled.action, &self.action_names, value)
    }

    /// Draws a joint action uniformly from the valid ones: a dict of the fluents that differ from their defaults. Returns
    /// None if no joint action is valid and preconditions refuse steps.
    #[pyo3(signature = (state, rng = None))]
    fn sample_action<'py>(
        &self,
        state: &Bound<'py, RddlState>,
        rng: Option<&Bound<'py, Random>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (py, values) = (state.py(), self.own(state)?);
        let mut joint = Vec::new();
        let found = self.with_random(rng, |random| {
            self.at(py, values, |simulator| simulator.sample(random, &mut joint))
        })??;
        if !found {
            return Ok(None);
        }
        self.action_dict(py, &joint).map(Some)
    }

    /// Whether random joint actions are drawn exactly uniformly from the valid ones. If not, they are drawn within bounds
    /// until one is valid, or by a Markov chain where valid ones are rare.
    #[getter]
    fn samples_exactly(&self) -> bool {
        self.compiled().samples_exactly()
    }

    /// Returns the number of joint actions that are valid in a state, including the empty one. Valid actions have values
    /// within ranges, respect ``max_nondef_actions``, and violate no precondition. Returns infinity if a fluent can take
    /// infinitely many values, and None if there are too many to count.
    fn count_actions(&self, state: &Bound<'_, RddlState>) -> PyResult<Option<f64>> {
        let values = self.own(state)?;
        let count = self.at(state.py(), values, |simulator| simulator.count_valid())?;
        Ok(match count {
            ActionCount::Finite(count) => Some(count),
            ActionCount::Infinite => Some(f64::INFINITY),
            ActionCount::Unknown => None,
        })
    }

    /// Returns the joint actions that are valid in a state: for each, a dict of the fluents that differ from their defaults.
    /// Returns None if there are more than `limit`, or `count_actions` does not know their number.
    #[pyo3(signature = (state, limit = 10_000))]
    fn list_actions<'py>(
        &self,
        state: &Bound<'py, RddlState>,
        limit: usize,
    ) -> PyResult<Option<Vec<Bound<'py, PyDict>>>> {
        let (py, values) = (state.py(), self.own(state)?);
        let list = self.at(py, values, |simulator| simulator.list_valid(limit))?;
        list.map(|list| list.iter().map(|joint| self.action_dict(py, joint)).collect())
            .transpose()
    }

    /// Returns the indices, from 0, of the action preconditions that an action would violate; empty if it
    /// violates none. Indices of state-action constraints follow those of preconditions. Nothing is changed.
    ///
    /// Raises
    /// ------
    /// InvalidActionError
    ///     If the action sets too many fluents, or a value is not in the range of its fluent.
    /// StepError
    ///     If a condition cannot be computed.
    /// UnknownNameError
    ///     If there is no such action fluent.
    #[pyo3(signature = (state, action = None))]
    fn violated(
        &self,
        state: &Bound<'_, RddlState>,
        action: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<usize>> {
        let (py, values) = (state.py(), self.own(state)?);
        let joint = joint(&self.compiled, &self.actions, action)?;
        self.at(py, values, |simulator| simulator.would_violate(&joint))?
            .or_raise(py)
    }

    /// Returns whether a termination condition is true in a state, and whether the state violates a state
    /// invariant: two bools. If a condition cannot be computed, both are False.
    fn status(&self, state: &Bound<'_, RddlState>) -> PyResult<(bool, bool)> {
        let values = self.own(state)?;
        let status = self.at(state.py(), values, |simulator| simulator.current_status())?;
        Ok((status.terminal, status.broken))
    }

    /// Takes a step and returns a `herbrand.rddl.model.RddlStep`.
    ///
    /// Random draws come from `rng`, by default the task's own generator. If `quantile`, between 0 and 1, is given, every
    /// draw takes that quantile of its distribution.
    ///
    /// Raises
    /// ------
    /// InvalidActionError
    ///     If the action sets too many fluents, or violates a precondition and preconditions refuse steps.
    /// StepError
    ///     If a value cannot be computed.
    #[pyo3(signature = (state, action = None, rng = None, quantile = None))]
    fn step<'py>(
        slf: &Bound<'py, Self>,
        state: &Bound<'py, RddlState>,
        action: Option<&Bound<'py, PyAny>>,
        rng: Option<&Bound<'py, Random>>,
        quantile: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = slf.py().import("herbrand.rddl.model")?.getattr("RddlStep")?;
        class.call1(Self::_step(slf, state, action, rng, quantile)?)
    }

    /// Like `step`, but returns a plain tuple.
    #[pyo3(signature = (state, action = None, rng = None, quantile = None))]
    fn _step<'py>(
        slf: &Bound<'py, Self>,
        state: &Bound<'py, RddlState>,
        action: Option<&Bound<'py, PyAny>>,
        rng: Option<&Bound<'py, Random>>,
        quantile: Option<f64>,
    ) -> PyResult<Stepped<'py>> {
        let (py, this) = (slf.py(), slf.get());
        let values = this.own(state)?;
        let joint = joint(&this.compiled, &this.actions, action)?;
        if quantile.is_some_and(|u| !(0.0..=1.0).contains(&u) || u == 0.0 || u == 1.0) {
            return Err(PyValueError::new_err("a quantile is between 0 and 1"));
        }
        // Uses a copy of the simulator, since reading its results creates Python objects.
        let mut simulator = {
            let simulator = this.simulator.lock().map_err(|_| poisoned())?;
            simulator.clone()
        };
        simulator.go_to(values).or_raise(py)?;
        let step = match quantile {
            Some(u) => simulator.advance(&joint, &Quantiles::at(u)),
            None => this.with_random(rng, |random| simulator.step(&joint, random))?,
        };
        let step = step.or_raise(py)?;
        Self::told(slf, &simulator, step.reward, step.status)
    }

    /// Returns the exact distribution of a ground state fluent after a step: pairs of value and probability.
    ///
    /// Raises
    /// ------
    /// StepError
    ///     If the fluent depends on a draw with infinitely many results.
    #[pyo3(signature = (state, action, fluent))]
    fn distribution<'py>(
        &self,
        state: &Bound<'py, RddlState>,
        action: Option<&Bound<'py, PyAny>>,
        fluent: &str,
    ) -> PyResult<Vec<(Bound<'py, PyAny>, f64)>> {
        let (py, values) = (state.py(), self.own(state)?);
        let joint = joint(&self.compiled, &self.actions, action)?;
        let at = place(py, &self.states, fluent, "state fluent")?;
        let exact = self.exact(py)?;
        let found = guarded(py, || exact.distribution(values, &joint, at))?.or_raise(py)?;
        let compiled = self.compiled();
        let range = compiled.range(&compiled.state, at);
        found
            .into_iter()
            .map(|(value, probability)| Ok((to_python(py, &compiled.instance, range, value)?, probability)))
            .collect()
    }

    /// Returns all possible results of a step: tuples of probability, state, reward, and the values of observ fluents. It
    /// tries at most `limit` combinations of draws.
    ///
    /// Raises
    /// ------
    /// StepError
    ///     If a draw has infinitely many results, or if there are more combinations.
    #[pyo3(signature = (state, action = None, *, limit = 100_000))]
    fn outcomes<'py>(
        slf: &Bound<'py, Self>,
        state: &Bound<'py, RddlState>,
        action: Option<&Bound<'py, PyAny>>,
        limit: usize,
    ) -> PyResult<Vec<Outcome<'py>>> {
        let (py, this) = (slf.py(), slf.get());
        let values = this.own(state)?;
        let joint = joint(&this.compiled, &this.actions, action)?;
        let exact = this.exact(py)?;
        let found = guarded(py, || exact.outcomes(values, &joint, limit))?.or_raise(py)?;
        let compiled = this.compiled();
        let told = |outcome: herbrand_rddl_sim::ground::StepOutcome| {
            let seen = |at: usize| outcome.observed.get(at).copied();
            let observed = to_dict(py, compiled, &compiled.observ, &this.observ_names, seen)?;
            Ok((
                outcome.probability,
                Self::wrap(slf, outcome.state)?,
                outcome.reward,
                observed,
            ))
        };
        found.into_iter().map(told).collect()
    }

    /// The contents of the task as Python data: a `herbrand.rddl.model.RddlModel`.
    #[getter]
    fn model<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let plain = super::model::model(slf.py(), &slf.get().compiled.instance)?;
        let class = slf.py().import("herbrand.rddl.model")?.getattr("RddlModel")?;
        class.call_method1("_of", (plain, slf))
    }

    /// Returns the values of all ground variables of a pvariable in row-major order: the values of a non-fluent, the initial
    /// values of a state fluent, or the defaults of an action fluent. None for other kinds.
    fn values<'py>(&self, py: Python<'py>, pvariable: &str) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
        super::model::values(py, &self.compiled.instance, pvariable)
    }

    /// Returns the name, the lowest and the highest value of each ground action fluent; infinite if unbounded.
    fn action_bounds(&self) -> Vec<(String, f64, f64)> {
        let fields = self.compiled.actions().fields().iter();
        let bounds = fields.map(|field| (field.name.clone(), crate::observed::bounds(field.domain)));
        bounds.map(|(name, (low, high))| (name, low, high)).collect()
    }

    /// Returns the name, the lowest and the highest value of each numeric ground state fluent, as restricted by state
    /// invariants; infinite if unbounded.
    fn state_bounds(&self, py: Python<'_>) -> PyResult<Vec<(String, f64, f64)>> {
        let compiled = self.compiled();
        let bounds = guarded(py, || state_bounds(compiled, &Budget::unlimited()))?.or_raise(py)?;
        let numeric = |at: &usize| {
            let range = compiled.range(&compiled.state, *at);
            matches!(range, Range::Int | Range::Real)
        };
        let one = |at: usize| {
            let (low, high) = bounds[at];
            (compiled.name(&compiled.state, at), low, high)
        };
        Ok((0..compiled.state.len()).filter(numeric).map(one).collect())
    }

    /// Explores the state space, breadth first: an explicit Markov decision process.
    ///
    /// Parameters
    /// ----------
    /// states : iterable of RddlState, optional
    ///     The states to begin with; by default the initial state.
    /// max_states : int, default 1000000
    ///     The number of states after which no further state is expanded.
    /// max_joint_actions, max_outcomes : int
    ///     The greatest number of joint actions, and of combinations of draws in a step.
    /// limits : Limits or mapping, optional
    ///     Limits for the exploration. If a limit is reached, no exception is raised: `StateSpace.limit` reports it.
    /// time, memory : float or str, optional
    ///     Override the fields of `limits`: ``time=10``, ``memory="2GiB"``.
    ///
    /// Returns
    /// -------
    /// herbrand.state_space.StateSpace
    ///     States and transitions as arrays. No state is a goal.
    ///
    /// Raises
    /// ------
    /// StepError
    ///     If a step has infinitely many outcomes or too many.
    /// HerbrandError
    ///     If the joint actions cannot be numbered.
    #[pyo3(signature = (states = None, *, max_states = 1_000_000, max_joint_actions = 65_536, max_outcomes = 65_536,
        limits = None, time = None, memory = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn state_space<'py>(
        slf: &Bound<'py, Self>,
        states: Option<Vec<Bound<'py, RddlState>>>,
        max_states: usize,
        max_joint_actions: usize,
        max_outcomes: usize,
        limits: Option<&Bound<'py, PyAny>>,
        time: Option<&Bound<'py, PyAny>>,
        memory: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let own = |state: &Bound<'py, RddlState>| Ok(this.own(state)?.clone());
        let starts = states.map(|states| states.iter().map(own).collect::<PyResult<Vec<_>>>());
        let options = RddlSpaceOptions {
            starts: starts.transpose()?,
            states: max_states,
            joint_actions: max_joint_actions,
            outcomes: max_outcomes,
        };
        let budget = Budget::new(crate::limits::limits_with(limits, time, memory)?);
        let instance = &this.compiled.instance;
        let space =
            interruptible(py, || RddlStateSpace::explore(instance, &options, &budget))?.or_raise(py)?;
        let analysis = interruptible(py, || space.graph.analyse(&budget.without_limits()))?;
        let analysis = analysis.map_err(|error| errors::message(py, "LimitError", &error.to_string()))?;
        let joints = (0..space.joints.len()).map(|joint| this.action_dict(py, space.joints.joint(joint)));
        let joints = PyTuple::new(py, joints.collect::<PyResult<Vec<_>>>()?)?.into_any();
        let rows = space.rows();
        crate::space::as_object(slf.as_any(), space.graph, analysis, rows, joints)
    }

    /// Returns the state with these words of bools, and these other values.
    #[expect(clippy::needless_pass_by_value, reason = "converted from lists")]
    fn _state_of_row(slf: &Bound<'_, Self>, bits: Vec<u64>, numbers: Vec<f64>) -> PyResult<Py<RddlState>> {
        let section = slf.get().compiled.state.section();
        let (mut values, mut bools, mut others) = (section.values(), 0, numbers.into_iter());
        for fluent in 0..section.len() {
            let value = match section.get(&values, fluent) {
                FluentValue::Bool(_) => {
                    bools += 1;
                    let word = bits.get((bools - 1) / 64).copied().unwrap_or_default();
                    FluentValue::Bool(word >> ((bools - 1) % 64) & 1 == 1)
                }
                FluentValue::Int(_) => FluentValue::Int(others.next().unwrap_or_default() as i64),
                FluentValue::Real(_) => FluentValue::Real(others.next().unwrap_or_default()),
            };
            section.set(&mut values, fluent, value);
        }
        Self::wrap(slf, values)
    }

    /// Computes an open-loop plan from a state (by default the initial one), by a `RddlPlanner` with these options: a
    /// `herbrand.rddl.planning.RddlPlan`.
    #[pyo3(signature = (state = None, **options))]
    fn plan<'py>(
        slf: &Bound<'py, Self>,
        state: Option<&Bound<'py, RddlState>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let planner = slf.py().get_type::<super::RddlPlanner>();
        planner.call((slf,), options)?.call_method1("plan", (state,))
    }

    /// Computes interval bounds of all fluents and of the return over `steps` steps (by default the horizon, or 100).
    ///
    /// They hold for all actions, unless `actions` bounds action fluents by name. `states` bounds state fluents before the
    /// first step. By default draws range over the supports of their distributions. With `between` they lie between two
    /// quantiles; with `mean` they are the means of their distributions.
    ///
    /// Returns a dict. ``"fluents"`` maps names to lists of pairs of lower and upper bound, one per step; names of state
    /// fluents after a step have a prime. ``"reward"`` is a list of such pairs. ``"total"`` is the pair for the discounted
    /// return. ``"steps"`` is the number of steps, which is lower than requested if every episode ends earlier.
    #[pyo3(signature = (steps = None, *, between = None, mean = false, actions = None, states = None))]
    fn bounds<'py>(
        &self,
        py: Python<'py>,
        steps: Option<u32>,
        between: Option<(f64, f64)>,
        mean: bool,
        actions: Option<&Bound<'py, PyAny>>,
        states: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        super::analysis::bounds(self, py, steps, (between, mean), actions, states)
    }

    /// Returns the dynamic Bayes net of the domain's pvariables, or with `ground` of the instance's ground fluents. With
    /// `of` it is restricted to the ancestors of a fluent.
    ///
    /// It is a dict of ``"nodes"``, pairs of name and role, and ``"edges"``, pairs of the indices of a node and of a node
    /// that depends on it.
    #[pyo3(signature = (*, ground = false, of = None))]
    fn network<'py>(&self, py: Python<'py>, ground: bool, of: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
        super::analysis::network(self, py, ground, of)
    }

    /// Draws the result of `network` as SVG.
    #[pyo3(signature = (*, ground = false, of = None))]
    fn draw_network(&self, py: Python<'_>, ground: bool, of: Option<&str>) -> PyResult<String> {
        super::analysis::draw_network(self, py, ground, of)
    }

    /// Returns the CPF of a fluent (or ``"reward"``, ``"terminal"``, ``"precondition 1"``) as an extended algebraic decision
    /// diagram, as text or drawn as SVG.
    ///
    /// Raises
    /// ------
    /// HerbrandError
    ///     If it needs an array, or if an intermediate diagram has more than `limit` nodes.
    #[pyo3(signature = (of, *, limit = 20_000, draw = false))]
    fn diagram(&self, py: Python<'_>, of: &str, limit: usize, draw: bool) -> PyResult<String> {
        super::analysis::diagram(self, py, of, limit, draw)
    }

    /// Rebuilds a pickled state.
    fn _unpack(slf: &Bound<'_, Self>, packed: &[u8]) -> PyResult<Py<RddlState>> {
        match slf.get().compiled.unpack(packed) {
            Some(values) => Self::wrap(slf, values),
            None => Err(errors::message(
                slf.py(),
                "HerbrandError",
                "these bytes are no state of the task",
            )),
        }
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| self.is_same(py, &other.clone().unbind()))
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.domain_name(), self.name()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let compiled = self.compiled();
        format!(
            "<RddlTask {} of {}: {}, {}>",
            self.name(),
            self.domain_name(),
            counted(compiled.state.len(), "state fluent"),
            counted(compiled.action.len(), "action fluent")
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let make = self.suite.bind(py).getattr("task")?;
        Ok((make, (0_usize,).into_pyobject(py)?))
    }
}
