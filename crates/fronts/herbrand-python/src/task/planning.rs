//! Search for plans from a state of a task.

use herbrand_limits::{Budget, Limits};
use herbrand_plan::{
    Determinization, PlanRequest, Planner, PlannerKind, PolicyKind, Progress, Report, SearchOutcome,
    SearchStatistics, UnknownPlanner,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::grounded::Task;
use super::parts::PlanningTask;
use super::state::State;
use crate::errors::{self, OrRaise};

/// The options of a search.
struct Search {
    planner: PlannerKind,
    seed: u64,
    limits: Limits,
    determinization: Determinization,
    /// Is called with each plan that is found while the search continues.
    on_plan: Option<Py<PyAny>>,
}

/// Returns the error for a start state that is no `State`.
pub fn not_a_state(given: &Bound<'_, PyAny>) -> PyErr {
    let hint = if given.is_instance_of::<PyString>() {
        format!(": name the argument, planner={given:?}")
    } else {
        String::new()
    };
    PyTypeError::new_err(format!("the start state is a State, not {given:?}{hint}"))
}

/// Parses the name of a planner.
pub fn planner(name: &str) -> PyResult<PlannerKind> {
    let unknown = |error: UnknownPlanner| {
        let text = error.to_string();
        PyValueError::new_err(if name.parse::<PolicyKind>().is_ok() {
            format!("{text} of plans: `Task.policy` takes it")
        } else if text.ends_with('?') {
            text
        } else {
            format!(
                "{text}; there are {}",
                PlannerKind::ALL.map(PlannerKind::as_str).join(", ")
            )
        })
    };
    name.parse().map_err(unknown)
}

/// Parses the name of a determinization.
pub fn determinization(name: &str) -> PyResult<Determinization> {
    match name {
        "all-outcomes" => Ok(Determinization::AllOutcomes),
        "most-likely" => Ok(Determinization::MostLikely),
        other => {
            let text = format!("determinize is \"all-outcomes\" or \"most-likely\", not {other:?}");
            Err(PyValueError::new_err(text))
        }
    }
}

#[pymethods]
impl Task {
    /// Searches for a plan from a state to the goal.
    ///
    /// Parameters
    /// ----------
    /// state : State, optional
    ///     The start state; by default the initial state without its probabilistic part.
    /// planner : str, default "landmarks"
    ///     One of `planners`, or a name of Fast Downward's searches such as ``"lama-first"``. The ``astar`` planners find
    ///     optimal plans; ``"anytime"`` searches for cheaper and cheaper plans until a limit is reached or the plan is
    ///     optimal.
    /// seed : int, default 0
    ///     The seed for breaking ties; 0 breaks them by the order in the text.
    /// limits : Limits or mapping, optional
    ///     Limits for the search. If a limit is reached, no exception is raised: `Plan.outcome` reports it.
    /// determinize : {"all-outcomes", "most-likely"}
    ///     How probabilistic effects are made deterministic: the plan may choose among all outcomes of an action, or assumes
    ///     the most likely one.
    /// time, memory : float or str, optional
    ///     Override the fields of `limits`: ``time=10``, ``memory="2GiB"``.
    /// on_plan : callable, optional
    ///     For ``"anytime"``, is called with each `Plan` as soon as it is found, while the search for a cheaper one continues. An
    ///     exception in it ends the search.
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
    #[pyo3(signature = (state = None, *, planner = "landmarks", seed = 0, limits = None, determinize = "all-outcomes", time = None, memory = None, on_plan = None))]
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
        on_plan: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let initial = self.simulator.initial_state();
        let state = match state {
            None => &initial,
            Some(state) => match state.cast::<State>() {
                Ok(state) => self.own(state)?,
                Err(_) => return Err(not_a_state(state)),
            },
        };
        let search = Search {
            planner: self::planner(planner)?,
            seed,
            limits: crate::limits::limits_with(limits, time, memory)?,
            determinization: self::determinization(determinize)?,
            on_plan: on_plan.map(Bound::unbind),
        };
        let report = self::search(py, self, state, &search)?;
        as_plan(self, py, search.planner, &report.outcome, &report.statistics)
    }
}

impl Search {
    /// Checks for Ctrl-C, and passes a plan that was found to the caller.
    fn show(&self, py: Python<'_>, task: &Task, progress: Progress<'_>) -> PyResult<()> {
        py.check_signals()?;
        if let (Some(on_plan), Some(plan)) = (&self.on_plan, progress.plan) {
            let outcome = SearchOutcome::Plan(plan.clone());
            on_plan.call1(
                py,
                (as_plan(task, py, self.planner, &outcome, progress.statistics)?,),
            )?;
        }
        Ok(())
    }
}

/// Searches with the interpreter released, and checks for Ctrl-C periodically.
fn search(py: Python<'_>, task: &Task, state: &herbrand_step::State, search: &Search) -> PyResult<Report> {
    let simulator = task.simulator.clone();
    let (found, interrupted) = errors::guarded(py, || {
        let budget = Budget::new(search.limits);
        let (watched, mut interrupted) = (budget.clone(), None);
        let mut request = PlanRequest {
            budget,
            seed: search.seed,
            progress: &mut |progress: Progress<'_>| {
                if let Err(error) = Python::attach(|py| search.show(py, task, progress)) {
                    interrupted.get_or_insert(error);
                    watched.cancel();
                }
            },
        };
        let planner = search.planner;
        let report = planner.solve(&simulator, state, search.determinization, &mut request)?;
        Ok::<_, herbrand_step::StepError>((report, interrupted))
    })?
    .or_raise(py)?;
    interrupted.map_or(Ok(found), Err)
}

/// Converts an outcome and its statistics to a `herbrand.planning.Plan`.
fn as_plan<'py>(
    task: &Task,
    py: Python<'py>,
    planner: PlannerKind,
    outcome: &SearchOutcome,
    counts: &SearchStatistics,
) -> PyResult<Bound<'py, PyAny>> {
    let module = py.import("herbrand.planning")?;
    let statistics = PyDict::new(py);
    for (name, count) in [
        ("expanded", counts.expanded),
        ("evaluated", counts.evaluated),
        ("generated", counts.generated),
        ("dead_ends", counts.dead_ends),
        ("states", counts.states),
        ("memory", counts.bytes),
    ] {
        statistics.set_item(name, count)?;
    }
    statistics.set_item("time", counts.time.as_secs_f64())?;
    statistics.set_item("best_heuristic", counts.best_heuristic)?;
    statistics.set_item("lower_bound", counts.lower_bound)?;
    statistics.set_item("rounding", counts.rounding.map(|rounding| rounding.to_string()))?;
    let fields = PyDict::new(py);
    fields.set_item("outcome", outcome.name())?;
    fields.set_item("planner", planner.as_str())?;
    fields.set_item(
        "statistics",
        module.getattr("PlanStatistics")?.call((), Some(&statistics))?,
    )?;
    let steps = outcome.plan().map(|steps| {
        let actions = steps.iter().map(|step| task.action_object(py, step));
        PyTuple::new(py, actions.collect::<PyResult<Vec<_>>>()?)
    });
    fields.set_item("actions", steps.transpose()?)?;
    let (cost, proven_optimal) = match outcome {
        SearchOutcome::Plan(plan) => (Some(plan.cost), plan.proven_optimal),
        SearchOutcome::GoalAlreadyTrue => (Some(0.0), counts.rounding.is_none()),
        _ => (None, false),
    };
    fields.set_item("cost", cost)?;
    fields.set_item("proven_optimal", proven_optimal)?;
    module.getattr("Plan")?.call((), Some(&fields))
}
