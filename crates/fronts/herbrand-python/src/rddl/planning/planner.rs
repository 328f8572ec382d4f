//! `RddlPlanner`: open-loop plans and lookahead search.

use std::sync::{Arc, Mutex};

use herbrand_limits::Budget;
use herbrand_rddl_plan::gradient::{GradientPlanner, TNorm};
use herbrand_rddl_plan::plan::{EvaluateOptions, Leaf, PlanOptions, StraightLinePlanner, evaluate};
use herbrand_rddl_plan::planners::{RddlPlannerError, RddlPlannerKind};
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator, StepError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::relaxation::{relaxation, relaxed};
use super::seconds;
use crate::choice::{one_of, parsed, value_error};
use crate::errors::{IntoException, OrRaise, Raised, interruptible, message, poisoned};
use crate::rddl::state::RddlState;
use crate::rddl::task::RddlTask;

impl IntoException for RddlPlannerError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Gradient(error) => error.exception(py),
            error => message(py, "HerbrandError", &error.to_string()),
        }
    }
}

#[pymethods]
impl RddlTask {
    /// Computes an open-loop plan from a state (by default the initial one), by a `RddlPlanner` with these options: a
    /// `herbrand.rddl.planning.RddlPlan`.
    #[pyo3(signature = (state = None, **options))]
    fn plan<'py>(
        slf: &Bound<'py, Self>,
        state: Option<&Bound<'py, RddlState>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let planner = slf.py().get_type::<RddlPlanner>();
        planner.call((slf,), options)?.call_method1("plan", (state,))
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
///     steps is as many as fit into it.
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
///     Whether a plan that violates an action precondition is worse than all others, as in the shell (default True). UCT
///     excludes such actions. If False, such steps are taken in spite of the violation.
/// seed : int
#[pyclass(frozen, module = "herbrand")]
pub struct RddlPlanner {
    task: Py<RddlTask>,
    planner: RddlPlannerKind,
    inner: Mutex<Box<dyn StraightLinePlanner + Send>>,
    raised: Arc<Raised>,
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
        let raised = Arc::new(Raised::none());
        let risk = parsed(risk)?;
        let norm: TNorm = parsed(t_norm)?;
        if relaxations.is_some() && planner != "gradient" {
            return Err(value_error("relaxations needs planner=\"gradient\""));
        }
        let leaf = one_of("leaf", leaf, &[("random", Leaf::Random), ("idle", Leaf::Idle)])?;
        let kinds = RddlPlannerKind::ALL.into_iter().filter(|kind| kind.finds_plans());
        let kinds: Vec<_> = kinds.map(|kind| (kind.as_str(), kind)).collect();
        let kind = one_of("planner", planner, &kinds)?;
        let has_rounds = !matches!(kind, RddlPlannerKind::Auto | RddlPlannerKind::Uct);
        let options = PlanOptions {
            lookahead,
            candidates,
            iterations: iterations.or(time.filter(|_| has_rounds).map(|_| u32::MAX)),
            scenarios: Some(scenarios),
            time,
            rate: Some(rate),
            sharpness,
            norm,
            exploration,
            leaf,
            enforced,
            risk,
            seed,
            ..PlanOptions::default()
        };
        let inner: Box<dyn StraightLinePlanner + Send> = if relaxations.is_some() {
            let relaxed = relaxed(py, task.get(), &relaxation(norm, relaxations, &raised)?)?;
            Box::new(GradientPlanner::new(relaxed, options))
        } else {
            let compiled = task.get().compiled();
            interruptible(py, || kind.planner(compiled, options, &Budget::unlimited()))?.or_raise(py)?
        };
        Ok(Self {
            task,
            planner: kind,
            inner: Mutex::new(inner),
            raised,
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
        self.planner.as_str()
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
        fields.set_item("planner", self.planner.as_str())?;
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
            steps: steps.unwrap_or_else(|| self.task.get().lookahead()),
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
        let budget = &self.raised.budget;
        let locked = || self.inner.lock().ok();
        let done = interruptible(py, || {
            budget.enclose(|| locked().map(|mut inner| work(inner.as_mut())))
        })?;
        self.raised.check(py)?;
        done.ok_or_else(poisoned)?.or_raise(py)
    }
}
