//! `RddlTask`: an instance as functions of states.
//!
//! `steps` has joint actions and steps, `contents` the model as Python data, and `spaces` the explicit state space.

mod contents;
mod spaces;
mod steps;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock};

use herbrand_core::{Choice, Random as Generator};
use herbrand_rddl::{Horizon, Limit};
use herbrand_rddl_sim::ground::{CompileError, ExactStep};
use herbrand_rddl_sim::simulate::{CompiledInstance, GroundFluents, RddlSimulator, Values};
use herbrand_rddl_sim::suite::RddlError;
use herbrand_render::{Pictured as _, Scene, StateRenderer, Theme};
use herbrand_text::counted;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::state::RddlState;
use super::suite::RddlSuite;
use super::values::{Places, of_choice, places, to_dict, to_python, with_values};
use crate::errors::{self, OrRaise, Reduced, interruptible, poisoned};
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

impl RddlTask {
    pub fn new(py: Python<'_>, suite: Py<RddlSuite>) -> PyResult<Self> {
        let inner = suite.get().suite.clone();
        let compiled = interruptible(py, || inner.compiled(0).cloned())?.or_raise(py)?;
        let names = |fluents: &GroundFluents| {
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
    pub fn is_same(&self, other: &Self) -> bool {
        let (mine, others) = (&self.compiled, &other.compiled);
        Arc::ptr_eq(mine, others) || mine.instance == others.instance
    }

    /// Converts a joint action to a dict of the fluents that differ from their defaults.
    pub fn action_dict<'py>(&self, py: Python<'py>, joint: &[Choice]) -> PyResult<Bound<'py, PyDict>> {
        let (compiled, dict) = (self.compiled(), PyDict::new(py));
        for choice in joint {
            let at = choice.field as usize;
            let range = compiled.range(&compiled.action, at);
            let value = of_choice(choice.value, range);
            dict.set_item(
                &self.action_names[at],
                to_python(py, &compiled.instance, range, value)?,
            )?;
        }
        Ok(dict)
    }

    /// Returns the horizon; 100 if it is infinite.
    pub fn lookahead(&self) -> u32 {
        self.horizon().unwrap_or(100)
    }

    /// Returns the indices of action fluents or of state fluents by name.
    pub fn places(&self, of_actions: bool) -> &Places {
        if of_actions { &self.actions } else { &self.states }
    }

    /// Returns the values of a state, or an error if it belongs to another task.
    pub fn own<'s>(&self, state: &'s Bound<'_, RddlState>) -> PyResult<&'s Values> {
        let inner = state.get();
        if self.is_same(inner.task.get()) {
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

    /// Returns the distribution of initial states: a list of one pair (1.0, state), since every episode starts in the same state.
    fn initial_states(slf: &Bound<'_, Self>) -> PyResult<Vec<(f64, Py<RddlState>)>> {
        Ok(vec![(1.0, Self::initial_state(slf)?)])
    }

    /// Returns the initial state. `rng` is not used.
    #[pyo3(signature = (rng = None))]
    fn sample_initial(slf: &Bound<'_, Self>, rng: Option<&Bound<'_, Random>>) -> PyResult<Py<RddlState>> {
        let _ = rng;
        Self::initial_state(slf)
    }

    /// Reseeds the task's own random generator.
    fn seed(&self, seed: u64) -> PyResult<()> {
        self.with_random(None, |random| *random = Generator::new(seed))
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

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.is_same(other.get()))
    }

    fn __hash__(&self) -> u64 {
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
