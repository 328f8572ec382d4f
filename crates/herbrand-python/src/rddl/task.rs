//! Tasks: one instance, with states as values.

use std::sync::{Arc, Mutex, OnceLock};

use herbrand_core::{ActionCount, Choice, Random as Generator, Status, System};
use herbrand_limits::Budget;
use herbrand_rddl::draw::Quantiles;
use herbrand_rddl::ground::{CompileError, ExactStep, state_bounds};
use herbrand_rddl::simulate::{Process, RddlSimulator, Values};
use herbrand_rddl::suite::RddlError;
use herbrand_rddl::{Horizon, Limit, Range, StatePicture};
use herbrand_render::{Scene, Theme};
use herbrand_text::counted;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::state::RddlState;
use super::suite::RddlSuite;
use super::values::{Places, joint, place, places, to_dict, to_python, with_values};
use crate::errors::{self, OrRaise, Reduced, guarded, poisoned};
use crate::random::Random;

/// One instance as a transition system whose states are values.
///
/// Its methods are functions of a `RddlState` and an action: a mapping from names of ground action fluents
/// (``"push___cart1"``) to values, in which what is missing has its default. `herbrand.load` makes one.
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct RddlTask {
    suite: Py<RddlSuite>,
    process: Arc<Process>,
    simulator: Mutex<RddlSimulator>,
    random: Mutex<Generator>,
    exact: OnceLock<Result<ExactStep, CompileError>>,
    /// How states are drawn; made when it is first asked for.
    picture: OnceLock<StatePicture>,
    actions: Places,
    states: Places,
    action_names: Vec<Py<PyString>>,
    state_names: Vec<Py<PyString>>,
    interm_names: Vec<Py<PyString>>,
    observ_names: Vec<Py<PyString>>,
}

/// What a step gives: the state, the reward, whether the episode is over by a termination condition, whether a state
/// invariant is broken, the numbers of the preconditions that the action violated, the values of intermediate and derived
/// fluents, and those of the observed ones.
type Stepped<'py> = (
    Py<RddlState>,
    f64,
    bool,
    bool,
    Vec<usize>,
    Bound<'py, PyDict>,
    Bound<'py, PyDict>,
);

/// What a step may lead to: the probability, the state, the reward, and the values of the observed fluents.
type Outcome<'py> = (f64, Py<RddlState>, f64, Bound<'py, PyDict>);

impl RddlTask {
    pub fn new(py: Python<'_>, suite: Py<RddlSuite>) -> PyResult<Self> {
        let inner = suite.get().suite.clone();
        let process = guarded(py, || inner.process(0).cloned())?.or_raise(py)?;
        let names = |fluents: &herbrand_rddl::simulate::Fluents| {
            let name = |at| PyString::new(py, &process.name(fluents, at)).unbind();
            (0..fluents.len()).map(name).collect()
        };
        Ok(Self {
            simulator: Mutex::new(RddlSimulator::new(Arc::clone(&process), inner.preconditions())),
            random: Mutex::new(Generator::new(0)),
            exact: OnceLock::new(),
            picture: OnceLock::new(),
            actions: places(&process, &process.action),
            states: places(&process, &process.state),
            action_names: names(&process.action),
            state_names: names(&process.state),
            interm_names: names(&process.interm),
            observ_names: names(&process.observ),
            suite,
            process,
        })
    }

    pub fn process(&self) -> &Process {
        &self.process
    }

    pub fn state_places(&self) -> &Places {
        &self.states
    }

    pub fn state_names(&self) -> &[Py<PyString>] {
        &self.state_names
    }

    /// Whether the tasks are equal: one instance of one domain.
    pub fn is_same(&self, _py: Python<'_>, other: &Py<Self>) -> bool {
        let other = &other.get().process;
        Arc::ptr_eq(&self.process, other) || self.process.instance == other.instance
    }

    /// The compiled problem, which others may share.
    pub const fn shared(&self) -> &Arc<Process> {
        &self.process
    }

    /// A joint action as a dict of what differs from the defaults.
    pub fn action_dict<'py>(&self, py: Python<'py>, joint: &[Choice]) -> PyResult<Bound<'py, PyDict>> {
        let (process, dict) = (self.process(), PyDict::new(py));
        for choice in joint {
            let at = choice.field as usize;
            let range = process.range(&process.action, at);
            let value = super::values::of_choice(choice.value, range);
            dict.set_item(
                &self.action_names[at],
                to_python(py, &process.instance, range, value)?,
            )?;
        }
        Ok(dict)
    }

    /// The places of state fluents or of action fluents by name.
    pub fn places(&self, of_actions: bool) -> &Places {
        if of_actions { &self.actions } else { &self.states }
    }

    /// The values of a state of this task.
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

    /// Does `work` with the simulator at a state. No Python code may run in it.
    /// The picture of a state.
    pub fn scene(&self, py: Python<'_>, state: &Values) -> PyResult<Scene> {
        let suite = &self.suite.get().suite;
        let drawn = self.at(py, state, |simulator| {
            let picture = match self.picture.get() {
                Some(picture) => picture,
                None => {
                    let made = StatePicture::of(suite, 0, simulator)?;
                    self.picture.get_or_init(|| made)
                }
            };
            Ok::<_, RddlError>(picture.scene(simulator))
        })?;
        drawn.or_raise(py)
    }

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

    /// Does `work` with a generator, or with the task's own.
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
            self.exact.get_or_init(|| ExactStep::new(&self.process.instance))
        })?;
        made.as_ref()
            .map_err(|error| crate::errors::IntoException::exception(error, py))
    }

    /// What is known of the simulator after a step.
    fn told<'py>(
        slf: &Bound<'py, Self>,
        simulator: &RddlSimulator,
        reward: f64,
        status: Status,
    ) -> PyResult<Stepped<'py>> {
        let (py, this) = (slf.py(), slf.get());
        let process = this.process();
        let interm = to_dict(py, process, &process.interm, &this.interm_names, |at| {
            simulator.interm(at)
        })?;
        let observed = to_dict(py, process, &process.observ, &this.observ_names, |at| {
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
    /// The suite that has this instance alone.
    #[getter]
    fn suite(&self, py: Python<'_>) -> Py<RddlSuite> {
        self.suite.clone_ref(py)
    }

    /// The name of the domain.
    #[getter]
    fn domain_name(&self) -> &str {
        self.process.instance.domain.name.as_str()
    }

    /// The name of the instance, as its text says.
    #[getter]
    fn name(&self) -> &str {
        self.process.instance.name.as_str()
    }

    /// After how many steps an episode is cut off; None for never.
    #[getter]
    fn horizon(&self) -> Option<u32> {
        match self.process.instance.horizon {
            Horizon::Steps(steps) => Some(steps),
            Horizon::Infinite => None,
        }
    }

    /// The discount per step.
    #[getter]
    fn discount(&self) -> f64 {
        self.process.instance.discount
    }

    /// How many ground action fluents may differ from their defaults at once; None if all may.
    #[getter]
    fn max_nondef_actions(&self) -> Option<u32> {
        match self.process.instance.max_nondef_actions {
            Limit::AtMost(most) => Some(most),
            Limit::Unlimited => None,
        }
    }

    /// Whether agents see observ fluents instead of the state.
    #[getter]
    fn is_partially_observed(&self) -> bool {
        self.process.is_partially_observed()
    }

    /// The state that episodes begin in.
    #[getter]
    fn initial_state(slf: &Bound<'_, Self>) -> PyResult<Py<RddlState>> {
        Self::wrap(slf, slf.get().process.initial().clone())
    }

    /// The picture of the initial state, for notebooks.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        let scene = self.scene(py, self.process.initial())?;
        Ok(scene.to_svg(Theme::Auto))
    }

    /// The initial state with other values for some fluents, given by name.
    fn state(slf: &Bound<'_, Self>, values: &Bound<'_, PyAny>) -> PyResult<Py<RddlState>> {
        let this = slf.get();
        let initial = this.process.initial();
        let values = with_values(&this.process, &this.states, initial, Some(values))?;
        Self::wrap(slf, values)
    }

    /// All ground action fluents with their defaults, by name.
    #[getter]
    fn no_action<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let process = self.process();
        let section = process.action.section();
        let value = |at| Some(section.get(process.no_action(), at));
        to_dict(py, process, &process.action, &self.action_names, value)
    }

    /// A joint action, drawn as `RddlEnv.sample` does: a dict of what differs from the defaults.
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

    /// The number of joint actions that are valid in a state: those within ranges and ``max_nondef_actions`` that violate no
    /// precondition, doing nothing among them. Infinity if a number can take infinitely many values, None if there are too many to
    /// count.
    fn count_actions(&self, state: &Bound<'_, RddlState>) -> PyResult<Option<f64>> {
        let values = self.own(state)?;
        let count = self.at(state.py(), values, |simulator| simulator.count_valid())?;
        Ok(match count {
            ActionCount::Finite(count) => Some(count),
            ActionCount::Infinite => Some(f64::INFINITY),
            ActionCount::Unknown => None,
        })
    }

    /// The numbers, from 0, of the action preconditions that an action would violate; those of state-action constraints
    /// follow.
    #[pyo3(signature = (state, action = None))]
    fn violated(
        &self,
        state: &Bound<'_, RddlState>,
        action: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<usize>> {
        let (py, values) = (state.py(), self.own(state)?);
        let joint = joint(&self.process, &self.actions, action)?;
        self.at(py, values, |simulator| simulator.would_violate(&joint))?
            .or_raise(py)
    }

    /// Whether a state ends the episode by a termination condition, and whether it breaks a state invariant.
    fn status(&self, state: &Bound<'_, RddlState>) -> PyResult<(bool, bool)> {
        let values = self.own(state)?;
        let status = self.at(state.py(), values, |simulator| simulator.current_status())?;
        Ok((status.terminal, status.broken))
    }

    /// Takes a step, with draws from a generator (the task's own if none is given), or with every draw at one quantile of its
    /// distribution, between 0 and 1: a `herbrand.rddl.model.RddlStep`.
    ///
    /// Raises
    /// ------
    /// InvalidActionError
    ///     When the action sets too many fluents, or violates an enforced precondition.
    /// StepError
    ///     When a value cannot be computed.
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

    /// What `step` gives, as a plain tuple.
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
        let joint = joint(&this.process, &this.actions, action)?;
        if quantile.is_some_and(|u| !(0.0..=1.0).contains(&u) || u == 0.0 || u == 1.0) {
            return Err(PyValueError::new_err("a quantile is between 0 and 1"));
        }
        // A simulator of its own, for what is read from it becomes Python objects.
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

    /// The exact distribution of a ground state fluent after a step: pairs of value and probability.
    ///
    /// Raises
    /// ------
    /// StepError
    ///     When the fluent depends on a draw with infinitely many results.
    #[pyo3(signature = (state, action, fluent))]
    fn distribution<'py>(
        &self,
        state: &Bound<'py, RddlState>,
        action: Option<&Bound<'py, PyAny>>,
        fluent: &str,
    ) -> PyResult<Vec<(Bound<'py, PyAny>, f64)>> {
        let (py, values) = (state.py(), self.own(state)?);
        let joint = joint(&self.process, &self.actions, action)?;
        let at = place(py, &self.states, fluent, "state fluent")?;
        let exact = self.exact(py)?;
        let found = guarded(py, || exact.distribution(values, &joint, at))?.or_raise(py)?;
        let process = self.process();
        let range = process.range(&process.state, at);
        found
            .into_iter()
            .map(|(value, probability)| Ok((to_python(py, &process.instance, range, value)?, probability)))
            .collect()
    }

    /// Everything that a step may lead to: tuples of probability, state, reward, and the values of the observed fluents. At most
    /// `limit` combinations of draws are tried.
    ///
    /// Raises
    /// ------
    /// StepError
    ///     When a draw has infinitely many results, or there are more combinations.
    #[pyo3(signature = (state, action = None, *, limit = 100_000))]
    fn outcomes<'py>(
        slf: &Bound<'py, Self>,
        state: &Bound<'py, RddlState>,
        action: Option<&Bound<'py, PyAny>>,
        limit: usize,
    ) -> PyResult<Vec<Outcome<'py>>> {
        let (py, this) = (slf.py(), slf.get());
        let values = this.own(state)?;
        let joint = joint(&this.process, &this.actions, action)?;
        let exact = this.exact(py)?;
        let found = guarded(py, || exact.outcomes(values, &joint, limit))?.or_raise(py)?;
        let process = this.process();
        let told = |outcome: herbrand_rddl::ground::StepOutcome| {
            let seen = |at: usize| outcome.observed.get(at).copied();
            let observed = to_dict(py, process, &process.observ, &this.observ_names, seen)?;
            Ok((
                outcome.probability,
                Self::wrap(slf, outcome.state)?,
                outcome.reward,
                observed,
            ))
        };
        found.into_iter().map(told).collect()
    }

    /// What the task consists of, as a `herbrand.rddl.model.RddlModel`.
    #[getter]
    fn model<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let plain = super::model::model(slf.py(), &slf.get().process.instance)?;
        let class = slf.py().import("herbrand.rddl.model")?.getattr("RddlModel")?;
        class.call_method1("_of", (plain, slf))
    }

    /// The values of all ground variables of a pvariable in row order: those of a non-fluent, the initial ones of a state
    /// fluent, the defaults of an action fluent. None if it is none of these.
    fn values<'py>(&self, py: Python<'py>, pvariable: &str) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
        super::model::values(py, &self.process.instance, pvariable)
    }

    /// The name, the least and the greatest value of each ground action fluent; infinite where there is no bound.
    fn action_bounds(&self) -> Vec<(String, f64, f64)> {
        let fields = self.process.actions().fields().iter();
        let bounds = fields.map(|field| (field.name.clone(), crate::observed::bounds(field.domain)));
        bounds.map(|(name, (low, high))| (name, low, high)).collect()
    }

    /// The name, the least and the greatest value of each numeric ground state fluent that state invariants leave; infinite
    /// where there is no bound.
    fn state_bounds(&self, py: Python<'_>) -> PyResult<Vec<(String, f64, f64)>> {
        let process = self.process();
        let bounds = guarded(py, || state_bounds(process, &Budget::unlimited()))?.or_raise(py)?;
        let numeric = |at: &usize| {
            let range = process.range(&process.state, *at);
            matches!(range, Range::Int | Range::Real)
        };
        let one = |at: usize| {
            let (low, high) = bounds[at];
            (process.name(&process.state, at), low, high)
        };
        Ok((0..process.state.len()).filter(numeric).map(one).collect())
    }

    /// A straight-line plan from a state on (the initial one if none is given), by a `RddlPlanner` with these options: a
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

    /// Bounds of all fluents and of the return over a number of steps (the horizon, or 100), whatever the actions are, or within
    /// bounds by name that are given of actions and of states before the first step.
    ///
    /// A dict: ``"fluents"`` maps names, of state fluents after a step with a prime, to pairs of the least and the greatest value, one
    /// per step; ``"reward"`` is a list of such pairs; ``"total"`` is the pair of the discounted return; ``"steps"`` is how many
    /// steps there are, fewer than were asked for if the episode is over in any case. Draws may come to whatever has a probability,
    /// or be between two of their quantiles, or be the means of their distributions.
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

    /// Who reads whom: the dynamic Bayes net of the domain's pvariables, or with `ground` of the problem's fluents; with `of` the part
    /// that a fluent depends on. A dict of ``"nodes"``, pairs of name and role, and ``"edges"``, pairs of numbers of what is read
    /// and what reads it.
    #[pyo3(signature = (*, ground = false, of = None))]
    fn network<'py>(&self, py: Python<'py>, ground: bool, of: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
        super::analysis::network(self, py, ground, of)
    }

    /// The same as a picture: SVG.
    #[pyo3(signature = (*, ground = false, of = None))]
    fn draw_network(&self, py: Python<'_>, ground: bool, of: Option<&str>) -> PyResult<String> {
        super::analysis::draw_network(self, py, ground, of)
    }

    /// What a fluent becomes (or ``"reward"``, ``"terminal"``, ``"precondition 1"``) as an extended algebraic decision diagram, as
    /// text, or drawn as SVG.
    ///
    /// Raises
    /// ------
    /// HerbrandError
    ///     When it is not piecewise polynomial, or has more than `limit` nodes on the way.
    #[pyo3(signature = (of, *, limit = 20_000, draw = false))]
    fn diagram(&self, py: Python<'_>, of: &str, limit: usize, draw: bool) -> PyResult<String> {
        super::analysis::diagram(self, py, of, limit, draw)
    }

    /// The state that was pickled.
    fn _unpack(slf: &Bound<'_, Self>, packed: &[u8]) -> PyResult<Py<RddlState>> {
        match slf.get().process.unpack(packed) {
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
        let process = self.process();
        format!(
            "<RddlTask {} of {}: {}, {}>",
            self.name(),
            self.domain_name(),
            counted(process.state.len(), "state fluent"),
            counted(process.action.len(), "action fluent")
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let make = self.suite.bind(py).getattr("task")?;
        Ok((make, (0_usize,).into_pyobject(py)?))
    }
}
