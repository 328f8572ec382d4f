//! Planners, policies and differentiable steps for RDDL tasks.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use herbrand_core::TableError;
use herbrand_distributions::RandomGenerator;
use herbrand_limits::Budget;
use herbrand_rddl_plan::gradient::{
    GradientError, GradientOptions, GradientPlanner, Operator, ReactivePolicy, Relaxation, Relaxed,
    RelaxedStep as Step, SmoothFunction, TNorm, TrainOptions,
};
use herbrand_rddl_plan::plan::{
    EvaluateOptions, Leaf, Method, PlanOptions, SamplingPlanner, StraightLinePlanner, UctOptions, UctPlanner,
    evaluate,
};
use herbrand_rddl_plan::portfolio::{Portfolio, PortfolioOptions};
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator, StepError};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2, ndarray};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::state::RddlState;
use super::task::RddlTask;
use crate::errors::{IntoException, OrRaise, guarded, interruptible, message, poisoned};

impl IntoException for GradientError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Compile(error) => error.exception(py),
            Self::NoGradient { .. } => message(py, "HerbrandError", &self.to_string()),
        }
    }
}

/// Converts seconds to a duration; an error if negative.
fn seconds(time: Option<f64>) -> PyResult<Option<Duration>> {
    let duration = |time| Duration::try_from_secs_f64(time);
    time.map(duration)
        .transpose()
        .map_err(|_| PyValueError::new_err("time is a number of seconds from 0"))
}

/// Creates the relaxed step of a task.
fn relaxed(py: Python<'_>, task: &RddlTask, relaxation: &Relaxation) -> PyResult<Arc<Relaxed>> {
    let instance = Arc::clone(&task.compiled().instance);
    let relaxed = || Relaxed::with(&instance, relaxation, &Budget::unlimited());
    Ok(Arc::new(interruptible(py, relaxed)?.or_raise(py)?))
}

/// Reads a name or another short text.
fn parsed<T: FromStr<Err: Display>>(text: &str) -> PyResult<T> {
    text.parse()
        .map_err(|error: T::Err| PyValueError::new_err(error.to_string()))
}

/// Creates a relaxation from a t-norm and a dict from the names of operators to Python functions.
fn relaxation(
    norm: TNorm,
    functions: Option<&Bound<'_, PyDict>>,
    failure: &Arc<Failure>,
) -> PyResult<Relaxation> {
    let mut relaxation = Relaxation::new(norm);
    for (name, function) in functions.into_iter().flat_map(|functions| functions.iter()) {
        let operator: Operator = parsed(&name.extract::<String>()?)?;
        if !function.is_callable() {
            let text = format!("the relaxation of {operator} is not a function");
            return Err(PyTypeError::new_err(text));
        }
        let function = PythonFunction {
            function: function.unbind(),
            failure: Arc::clone(failure),
        };
        relaxation = relaxation.with(operator, Arc::new(function));
    }
    Ok(relaxation)
}

/// A Python function `f(*operands, sharpness)` of arrays with a number per lane, which returns the values and a sequence
/// with the slopes by each operand.
#[derive(Debug)]
struct PythonFunction {
    function: Py<PyAny>,
    failure: Arc<Failure>,
}

/// The first exception of a Python function, and the budget that it cancels, so that a search ends.
#[derive(Debug)]
struct Failure {
    exception: Mutex<Option<PyErr>>,
    budget: Budget,
}

impl Failure {
    fn none() -> Arc<Self> {
        Arc::new(Self {
            exception: Mutex::new(None),
            budget: Budget::unlimited(),
        })
    }

    /// Returns the exception, if a function raised one.
    fn raised(&self, py: Python<'_>) -> Option<PyErr> {
        let exception = self.exception.lock().ok()?;
        exception.as_ref().map(|exception| exception.clone_ref(py))
    }
}

impl PythonFunction {
    fn call(
        &self,
        py: Python<'_>,
        operands: &[&[f64]],
        sharpness: f64,
        values: &mut [f64],
        slopes: &mut [Vec<f64>],
    ) -> PyResult<()> {
        let arrays = operands.iter().map(|operand| PyArray1::from_slice(py, operand));
        let arguments = PyTuple::new(py, arrays)?;
        let keywords = PyDict::new(py);
        keywords.set_item("sharpness", sharpness)?;
        let (found, by_operand): (Bound<'_, PyAny>, Vec<Bound<'_, PyAny>>) = self
            .function
            .bind(py)
            .call(arguments, Some(&keywords))?
            .extract()?;
        if by_operand.len() != operands.len() {
            let text = format!(
                "a relaxation of {} operands returned {} slopes",
                operands.len(),
                by_operand.len()
            );
            return Err(PyValueError::new_err(text));
        }
        let rows = std::iter::once((found, values)).chain(
            by_operand
                .into_iter()
                .zip(slopes.iter_mut().map(Vec::as_mut_slice)),
        );
        let as_row = py.import("numpy")?.getattr("broadcast_to")?;
        for (array, row) in rows {
            let array = as_row
                .call1((array, row.len()))?
                .call_method1("astype", ("float64",))?;
            row.copy_from_slice(array.extract::<PyReadonlyArray1<'_, f64>>()?.as_slice()?);
        }
        Ok(())
    }
}

impl SmoothFunction for PythonFunction {
    fn apply(&self, operands: &[&[f64]], sharpness: f64, values: &mut [f64], slopes: &mut [Vec<f64>]) {
        let done = Python::attach(|py| self.call(py, operands, sharpness, values, slopes));
        if let Err(error) = done {
            values.fill(f64::NAN);
            self.failure.budget.cancel();
            if let Ok(mut exception) = self.failure.exception.lock() {
                exception.get_or_insert(error);
            }
        }
    }
}

/// Returns the horizon of a task; 100 if it has none.
fn horizon(task: &RddlTask) -> u32 {
    match task.compiled().instance.horizon {
        herbrand_rddl::Horizon::Steps(steps) => steps,
        herbrand_rddl::Horizon::Infinite => 100,
    }
}

/// A planner for an RDDL task. It computes open-loop plans, once or again in every state, or decides by lookahead
/// search.
///
/// Parameters
/// ----------
/// task : RddlTask
/// planner : {"cross-entropy", "random-shooting", "gradient", "auto", "uct"}
///     Plans are sampled, or improved by the gradient of their returns over relaxed steps. ``"auto"`` alternates both, each
///     starting from the best plan so far. ``"uct"`` samples walks before each action; it needs joint actions that can be
///     numbered: without reals, and with two bounds of each int.
/// lookahead : int, optional
///     The number of steps of a plan; by default the horizon, or 100 if that is infinite.
/// candidates : int, optional
///     The number of plans sampled per iteration (default 256), or of plans improved in parallel (default 8). Ignored by
///     ``"auto"``, which uses these defaults, and by ``"uct"``.
/// iterations : int, optional
///     The number of rounds of sampling (default 10) or of gradient steps (default 200), of turns of ``"auto"`` (default 8),
///     or of walks that UCT samples before each action (default 1,000). With `time`, the default of rounds and gradient
/// steps is
///     as many as fit into it.
/// scenarios : int
///     The number of different random draws on which each plan is evaluated.
/// time : float, optional
///     The time in seconds after which no further iteration starts, for a plan or for one call of `act`.
/// sharpness : float, optional
///     The sharpness of the relaxation: the greater, the closer relaxed steps are to real ones. By default 10, to which
///     ``"gradient"`` rises from 1.
/// rate : float
///     The step size of the gradient.
/// risk : str
///     The objective over the returns of the scenarios: ``"mean"``; ``"entropic:B"`` or ``"mean-variance:B"`` with an
///     aversion B; ``"cvar:F"``, the mean of the worst fraction F. Ignored by ``"uct"``.
/// t_norm : {"product", "godel", "lukasiewicz"}
///     The conjunction of truth degrees in relaxed steps.
/// relaxations : dict, optional
///     For ``"gradient"``, smooth functions for single operators such as ``"less"``, as `herbrand.rddl.planning` describes.
/// exploration : float
///     The weight of exploration in UCT, relative to the range of the returns seen so far.
/// leaf : {"random", "idle"}
///     How UCT evaluates a new state: by one walk to the end with random actions, or with no actions.
/// enforced : bool
///     Whether a plan that violates an action precondition is worse than all others, as in the shell (default True).
/// UCT excludes
///     such actions. If False, such steps are taken in spite of the violation.
/// seed : int
#[pyclass(frozen, module = "herbrand")]
pub struct RddlPlanner {
    task: Py<RddlTask>,
    planner: String,
    inner: Mutex<Box<dyn StraightLinePlanner + Send>>,
    failure: Arc<Failure>,
}

#[pymethods]
impl RddlPlanner {
    #[new]
    #[pyo3(signature = (task, *, planner = "cross-entropy", lookahead = None, candidates = None, iterations = None, scenarios = 4, time = None, sharpness = None, rate = 0.1, exploration = 0.7, leaf = "random", risk = "mean", t_norm = "product", relaxations = None, enforced = true, seed = 0))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        task: Py<RddlTask>,
        planner: &str,
        lookahead: Option<u32>,
        candidates: Option<usize>,
        iterations: Option<u32>,
        scenarios: usize,
        time: Option<f64>,
        sharpness: Option<f64>,
        rate: f64,
        exploration: f64,
        leaf: &str,
        risk: &str,
        t_norm: &str,
        relaxations: Option<&Bound<'_, PyDict>>,
        enforced: bool,
        seed: u64,
    ) -> PyResult<Self> {
        let time = seconds(time)?;
        let failure = Failure::none();
        let risk = parsed(risk)?;
        let norm: TNorm = parsed(t_norm)?;
        if relaxations.is_some() && planner != "gradient" {
            return Err(PyValueError::new_err("relaxations needs planner=\"gradient\""));
        }
        let roll_outs = |method| {
            let defaults = PlanOptions::default();
            let options = PlanOptions {
                method,
                lookahead,
                candidates: candidates.unwrap_or(defaults.candidates),
                iterations: iterations.unwrap_or(time.map_or(defaults.iterations, |_| u32::MAX)),
                scenarios,
                time,
                enforced,
                risk,
                seed,
                ..defaults
            };
            let compiled = Arc::clone(task.get().shared());
            SamplingPlanner::new(compiled, options)
        };
        let leaf = match leaf {
            "random" => Leaf::Random,
            "idle" => Leaf::Idle,
            other => {
                let text = format!("leaf is \"random\" or \"idle\", not {other:?}");
                return Err(PyValueError::new_err(text));
            }
        };
        let inner: Box<dyn StraightLinePlanner + Send> = match planner {
            "cross-entropy" => Box::new(roll_outs(Method::CrossEntropy)),
            "random-shooting" => Box::new(roll_outs(Method::RandomShooting)),
            "gradient" => {
                let defaults = GradientOptions::default();
                let options = GradientOptions {
                    lookahead,
                    candidates: candidates.unwrap_or(defaults.candidates),
                    iterations: iterations.unwrap_or(time.map_or(defaults.iterations, |_| u32::MAX)),
                    scenarios,
                    time,
                    sharpness: sharpness.unwrap_or(defaults.sharpness),
                    first_sharpness: defaults.first_sharpness.filter(|_| sharpness.is_none()),
                    patience: defaults.patience,
                    rate,
                    enforced,
                    risk,
                    seed,
                };
                let relaxed = relaxed(py, task.get(), &relaxation(norm, relaxations, &failure)?)?;
                Box::new(GradientPlanner::new(relaxed, options))
            }
            "auto" => {
                let defaults = PortfolioOptions::default();
                let options = PortfolioOptions {
                    lookahead,
                    turns: iterations.unwrap_or(defaults.turns),
                    time,
                    scenarios,
                    rate,
                    sharpness: sharpness.unwrap_or(defaults.sharpness),
                    norm,
                    enforced,
                    risk,
                    seed,
                };
                let compiled = task.get().shared();
                let budget = Budget::unlimited();
                let portfolio = interruptible(py, || Portfolio::new(compiled, options, &budget))?;
                Box::new(portfolio.or_raise(py)?)
            }
            "uct" => {
                let defaults = UctOptions::default();
                let options = UctOptions {
                    lookahead,
                    walks: iterations.unwrap_or(defaults.walks),
                    time,
                    exploration,
                    leaf,
                    enforced,
                    seed,
                    ..defaults
                };
                let planner = UctPlanner::new(Arc::clone(task.get().shared()), options);
                let unable = |error: TableError| message(py, "HerbrandError", &error.to_string());
                Box::new(planner.map_err(unable)?)
            }
            other => {
                let text = format!(
                    "planner is \"cross-entropy\", \"random-shooting\", \"gradient\", \"auto\" or \"uct\", not {other:?}"
                );
                return Err(PyValueError::new_err(text));
            }
        };
        Ok(Self {
            task,
            planner: planner.to_owned(),
            inner: Mutex::new(inner),
            failure,
        })
    }

    /// The task.
    #[getter]
    fn task(&self, py: Python<'_>) -> Py<RddlTask> {
        self.task.clone_ref(py)
    }

    /// The name of the planner.
    #[getter]
    fn planner(&self) -> &str {
        &self.planner
    }

    /// Computes a plan from a state (by default the initial one): a `herbrand.rddl.planning.RddlPlan`. UCT returns its
    /// decisions along one sampled future; in stochastic tasks, use `act` instead.
    #[pyo3(signature = (state = None))]
    fn plan<'py>(
        &self,
        py: Python<'py>,
        state: Option<&Bound<'py, RddlState>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let task = self.task.get();
        let values = match state {
            Some(state) => task.own(state)?.clone(),
            None => task.compiled().initial().clone(),
        };
        let plan = self.with(py, |inner| inner.plan(&values))?;
        let actions = plan.steps.iter().map(|joint| task.action_dict(py, joint));
        let fields = PyDict::new(py);
        fields.set_item(
            "actions",
            PyTuple::new(py, actions.collect::<PyResult<Vec<_>>>()?)?,
        )?;
        fields.set_item("mean", plan.mean)?;
        fields.set_item("error", plan.error)?;
        fields.set_item("simulated", plan.simulated)?;
        fields.set_item("planner", &self.planner)?;
        py.import("herbrand.rddl.planning")?
            .getattr("RddlPlan")?
            .call((), Some(&fields))
    }

    /// Returns the first action of a plan from a state, or UCT's decision. The search results are reused in the next
    /// state.
    fn act<'py>(&self, state: &Bound<'py, RddlState>) -> PyResult<Bound<'py, PyDict>> {
        let (py, task) = (state.py(), self.task.get());
        let values = task.own(state)?.clone();
        let joint = self.with(py, |inner| inner.act(&values))?;
        task.action_dict(py, &joint.unwrap_or_default())
    }

    /// Discards the stored search results. Call it at the start of an episode.
    fn begin(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |inner| {
            inner.begin();
            Ok(())
        })
    }

    /// Returns the mean discounted return of episodes from the initial state with all actions chosen by `act`, and its
    /// standard error.
    #[pyo3(signature = (episodes = 10, *, steps = None, seed = 0))]
    fn evaluate(&self, py: Python<'_>, episodes: u32, steps: Option<u32>, seed: u64) -> PyResult<(f64, f64)> {
        let options = EvaluateOptions {
            steps: steps.unwrap_or_else(|| horizon(self.task.get())),
            episodes,
            seed,
        };
        let compiled = Arc::clone(self.task.get().compiled());
        let mut simulator = RddlSimulator::new(compiled, Preconditions::Reported);
        let evaluation = self.with(py, |inner| evaluate(&mut simulator, inner, &options))?;
        Ok(evaluation.mean_and_error())
    }
}

impl RddlPlanner {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn StraightLinePlanner) -> Result<T, StepError> + Send,
    ) -> PyResult<T> {
        let budget = &self.failure.budget;
        let locked = || self.inner.lock().ok();
        let done = interruptible(py, || {
            budget.enclose(|| locked().map(|mut inner| work(inner.as_mut())))
        })?;
        match self.failure.raised(py) {
            Some(exception) => Err(exception),
            None => done.ok_or_else(poisoned)?.or_raise(py),
        }
    }
}

/// A policy network from state fluents to action fluents, trained by gradient ascent on the return over relaxed steps.
/// Training keeps the weights with the best return over real steps.
///
/// Parameters
/// ----------
/// task : RddlTask
/// hidden : sequence of int
///     The sizes of the hidden layers.
/// lookahead : int, optional
///     The number of steps that are differentiated; by default the horizon, or 100 if that is infinite.
/// batch : int
///     The number of rollouts per gradient.
/// iterations : int
///     The number of gradient steps.
/// time : float, optional
///     The time in seconds after which no further gradient step starts.
/// rate : float
///     The step size.
/// sharpness : float
///     The sharpness of the relaxation: the greater, the closer relaxed steps are to real ones.
/// risk : str
///     The objective over the returns of a batch, as of `RddlPlanner`.
/// t_norm : {"product", "godel", "lukasiewicz"}
///     The conjunction of truth degrees in relaxed steps.
/// seed : int
#[pyclass(frozen, module = "herbrand")]
pub struct RddlPolicy {
    task: Py<RddlTask>,
    inner: ReactivePolicy,
}

#[pymethods]
impl RddlPolicy {
    #[new]
    #[pyo3(signature = (task, *, hidden = vec![32, 32], lookahead = None, batch = 16, iterations = 300, time = None, rate = 0.01, sharpness = 10.0, risk = "mean", t_norm = "product", seed = 0))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        task: Py<RddlTask>,
        hidden: Vec<usize>,
        lookahead: Option<u32>,
        batch: usize,
        iterations: u32,
        time: Option<f64>,
        rate: f64,
        sharpness: f64,
        risk: &str,
        t_norm: &str,
        seed: u64,
    ) -> PyResult<Self> {
        let options = TrainOptions {
            hidden,
            lookahead,
            batch,
            iterations,
            time: seconds(time)?,
            rate,
            sharpness,
            risk: parsed(risk)?,
            seed,
        };
        let relaxed = relaxed(py, task.get(), &Relaxation::new(parsed(t_norm)?))?;
        let inner = interruptible(py, || ReactivePolicy::train(&relaxed, &options))?.or_raise(py)?;
        Ok(Self { task, inner })
    }

    /// The task.
    #[getter]
    fn task(&self, py: Python<'_>) -> Py<RddlTask> {
        self.task.clone_ref(py)
    }

    /// The sizes of the layers, inputs first.
    #[getter]
    fn sizes(&self) -> Vec<usize> {
        self.inner.network().sizes().to_vec()
    }

    /// All weights, layer by layer: for each output the weights of all inputs, then the biases of the outputs.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.inner.network().weights())
    }

    /// Returns the action in a state: the fluents that differ from their defaults.
    fn act<'py>(&self, state: &Bound<'py, RddlState>) -> PyResult<Bound<'py, PyDict>> {
        let (py, task) = (state.py(), self.task.get());
        let joint = self.inner.act(task.own(state)?).or_raise(py)?;
        task.action_dict(py, &joint)
    }

    /// Returns the mean discounted return of episodes from the initial state, and its standard error.
    #[pyo3(signature = (episodes = 100, *, steps = None, seed = 0))]
    fn evaluate(&self, py: Python<'_>, episodes: u32, steps: Option<u32>, seed: u64) -> PyResult<(f64, f64)> {
        let steps = steps.unwrap_or_else(|| horizon(self.task.get()));
        interruptible(py, || self.inner.evaluate(steps, episodes, seed))?.or_raise(py)
    }
}

/// A differentiable relaxation of a step for several lanes, for networks in PyTorch and similar libraries. Bools are
/// numbers between 0 and 1.
///
/// Parameters
/// ----------
/// task : RddlTask
/// lanes : int
///     The number of steps computed in parallel.
/// sharpness : float
///     The sharpness of the relaxation: the greater, the closer relaxed steps are to real ones.
#[pyclass(frozen, module = "herbrand")]
pub struct RelaxedStep {
    task: Py<RddlTask>,
    lanes: usize,
    inner: Mutex<Step>,
}

type Rows<'py> = Bound<'py, PyArray2<f64>>;

impl RelaxedStep {
    /// Reads the rows of an array with one row per lane.
    fn rows(&self, array: &PyReadonlyArray2<'_, f64>, fluents: usize, what: &str) -> PyResult<Vec<f64>> {
        let array = array.as_array();
        if array.dim() != (self.lanes, fluents) {
            let text = format!(
                "{what} has the shape ({}, {fluents}), not {:?}",
                self.lanes,
                array.shape()
            );
            return Err(PyValueError::new_err(text));
        }
        Ok(array.t().iter().copied().collect())
    }

    fn row(&self, array: &PyReadonlyArray1<'_, f64>, what: &str) -> PyResult<Vec<f64>> {
        let array = array.as_array();
        if array.len() != self.lanes {
            let text = format!("{what} has the length {}, not {}", self.lanes, array.len());
            return Err(PyValueError::new_err(text));
        }
        Ok(array.iter().copied().collect())
    }

    /// Returns an array with one row per lane.
    fn array<'py>(&self, py: Python<'py>, rows: &[f64]) -> PyResult<Rows<'py>> {
        let fluents = rows.len() / self.lanes;
        let view = ndarray::ArrayView2::from_shape((fluents, self.lanes), rows);
        let view = view.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PyArray2::from_owned_array(
            py,
            view.t().as_standard_layout().into_owned(),
        ))
    }

    fn draws(&self, seed: u64, step: u64) -> Vec<RandomGenerator> {
        (0..self.lanes as u64)
            .map(|lane| RandomGenerator::keyed(seed, lane, step))
            .collect()
    }

    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Step) -> T + Send) -> PyResult<T> {
        let done = guarded(py, || self.inner.lock().ok().map(|mut inner| work(&mut inner)))?;
        done.ok_or_else(poisoned)
    }

    fn sizes(&self) -> (usize, usize) {
        let compiled = self.task.get().compiled();
        (compiled.state.len(), compiled.actions().fields().len())
    }
}

#[pymethods]
impl RelaxedStep {
    #[new]
    #[pyo3(signature = (task, lanes, *, sharpness = 10.0, t_norm = "product"))]
    fn new(py: Python<'_>, task: Py<RddlTask>, lanes: usize, sharpness: f64, t_norm: &str) -> PyResult<Self> {
        if lanes == 0 {
            return Err(PyValueError::new_err("the number of lanes must be at least 1"));
        }
        let relaxed = relaxed(py, task.get(), &Relaxation::new(parsed(t_norm)?))?;
        Ok(Self {
            inner: Mutex::new(Step::new(relaxed, lanes, sharpness)),
            task,
            lanes,
        })
    }

    /// The task.
    #[getter]
    fn task(&self, py: Python<'_>) -> Py<RddlTask> {
        self.task.clone_ref(py)
    }

    /// The number of steps computed in parallel.
    #[getter]
    fn lanes(&self) -> usize {
        self.lanes
    }

    /// The names of the columns of state arrays.
    #[getter]
    fn state_names(&self) -> Vec<String> {
        let compiled = self.task.get().compiled();
        (0..compiled.state.len())
            .map(|at| compiled.name(&compiled.state, at))
            .collect()
    }

    /// The names of the columns of action arrays.
    #[getter]
    fn action_names(&self) -> Vec<String> {
        let compiled = self.task.get().compiled();
        (0..compiled.action.len())
            .map(|at| compiled.name(&compiled.action, at))
            .collect()
    }

    /// Returns the initial state in every lane.
    fn initial<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py>> {
        let compiled = self.task.get().compiled();
        let (section, initial) = (compiled.state.section(), compiled.initial());
        let values = (0..section.len()).flat_map(|at| {
            let value = section.get(initial, at).number();
            std::iter::repeat_n(value, self.lanes)
        });
        self.array(py, &values.collect::<Vec<_>>())
    }

    /// Takes a step in every lane, with the random draws of step number `step` of the environments of a seed. Returns
    /// the next states, the rewards, and for each lane the degree from 0 to 1 to which it has terminated. Arrays of
    /// states and actions have one row per lane and one column per fluent.
    #[pyo3(signature = (states, actions, *, seed = 0, step = 0))]
    #[expect(clippy::type_complexity, reason = "three arrays")]
    fn forward<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArray2<'py, f64>,
        actions: PyReadonlyArray2<'py, f64>,
        seed: u64,
        step: u64,
    ) -> PyResult<(Rows<'py>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        let (count, fields) = self.sizes();
        let (states, actions) = (
            self.rows(&states, count, "states")?,
            self.rows(&actions, fields, "actions")?,
        );
        let draws = self.draws(seed, step);
        let (next, rewards, ends) = self.with(py, |inner| inner.forward(&states, &actions, &draws))?;
        Ok((
            self.array(py, &next)?,
            PyArray1::from_vec(py, rewards),
            PyArray1::from_vec(py, ends),
        ))
    }

    /// Returns the gradients with respect to states and actions, given the gradients with respect to the three results
    /// of `forward`.
    #[pyo3(signature = (states, actions, by_next, by_rewards, by_ends, *, seed = 0, step = 0))]
    #[expect(clippy::too_many_arguments, reason = "what forward takes, and what it gave")]
    fn backward<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArray2<'py, f64>,
        actions: PyReadonlyArray2<'py, f64>,
        by_next: PyReadonlyArray2<'py, f64>,
        by_rewards: PyReadonlyArray1<'py, f64>,
        by_ends: PyReadonlyArray1<'py, f64>,
        seed: u64,
        step: u64,
    ) -> PyResult<(Rows<'py>, Rows<'py>)> {
        let (count, fields) = self.sizes();
        let (states, actions) = (
            self.rows(&states, count, "states")?,
            self.rows(&actions, fields, "actions")?,
        );
        let by_next = self.rows(&by_next, count, "by_next")?;
        let (by_rewards, by_ends) = (
            self.row(&by_rewards, "by_rewards")?,
            self.row(&by_ends, "by_ends")?,
        );
        let draws = self.draws(seed, step);
        let (by_states, by_actions) = self.with(py, |inner| {
            inner.backward(&states, &actions, &draws, &by_next, &by_rewards, &by_ends)
        })?;
        Ok((self.array(py, &by_states)?, self.array(py, &by_actions)?))
    }
}
