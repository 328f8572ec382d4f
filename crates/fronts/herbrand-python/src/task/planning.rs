//! Search for plans from a state of a task.

use std::ops::ControlFlow;
use std::sync::Arc;

use herbrand_ground::ActionId;
use herbrand_plan::{PolicyKind, SearchOutcome, SearchStatistics, our_name};
use herbrand_tasks::plan::{PlanQuery, plan_by, plan_from};
use herbrand_tasks::{Run, TaskProgress};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::grounded::Task;
use super::heuristic::{OwnArguments, OwnSearch};
use super::parts::PlanningTask;
use super::state::State;
use crate::choice::{parsed, value_error};
use crate::errors::{OrRaise, Raised, interruptible};
use crate::limits::limits_with;

/// Returns the error for a start state that is no `State`.
pub fn not_a_state(given: &Bound<'_, PyAny>) -> PyErr {
    let hint = if given.is_instance_of::<PyString>() {
        format!(": name the argument, planner={given:?}")
    } else {
        String::new()
    };
    PyTypeError::new_err(format!("the start state is a State, not {given:?}{hint}"))
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
    /// heuristic : callable, str or list of these, optional
    ///     A heuristic of your own, instead of `planner`: a function from a batch of states to an array with an estimate of the cost
    ///     to the goal for each, infinite for a dead end. Or one of ``"ff"``, ``"additive"``, ``"landmarks"``, ``"lmcut"``, ``"max"``
    ///     and ``"blind"``, or a result of `herbrand.graphs.WeisfeilerLeman.heuristic`. In greedy search, several take turns; otherwise the largest estimate counts.
    /// policy : callable, optional
    ///     A function from a batch of states and their valid actions (`herbrand.graphs.ActionArrays`, with numbers of
    ///     `ground_actions`) to an array with a number for each valid action: its probability, by which Levin tree search
    ///     orders the states; or a bool, whether the action is preferred.
    /// search : {"greedy", "astar", "width", "beam"}
    ///     The search with `heuristic` and `policy`: greedy best-first search, A*, best-first width search by the novelty of
    ///     states with equal estimates, or beam search. No plan counts as optimal unless all heuristics are admissible ones of the
    ///     engine.
    /// batch : int, default 32
    ///     The number of states for which the functions are asked at once, as far as there are so many.
    /// beam : int, default 100
    ///     The number of states in a layer of ``"beam"``.
    /// observation : {"bits", "bits-and-goal", "graph", "atoms"}
    ///     What the functions see of a batch of `n` states: an int8 array of shape ``(n, atoms)`` or ``(n, 2 * atoms)``, one byte
    ///     for each of `ground_atoms`; a `herbrand.graphs.GraphBatch`; or a list of frozensets of tuples.
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
    /// >>> half = len(task.ground_atoms)
    /// >>> missing = lambda states: (states[:, half:] > states[:, :half]).sum(axis=1)
    /// >>> task.plan(heuristic=[missing, "ff"], observation="bits-and-goal").outcome
    /// 'plan'
    #[pyo3(signature = (state = None, *, planner = None, seed = 0, limits = None, determinize = "all-outcomes", time = None, memory = None, on_plan = None, heuristic = None, policy = None, search = "greedy", batch = 32, beam = 100, observation = "bits"))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn plan<'py>(
        &self,
        py: Python<'py>,
        state: Option<&Bound<'py, PyAny>>,
        planner: Option<&str>,
        seed: u64,
        limits: Option<&Bound<'py, PyAny>>,
        determinize: &str,
        time: Option<&Bound<'py, PyAny>>,
        memory: Option<&Bound<'py, PyAny>>,
        on_plan: Option<Bound<'py, PyAny>>,
        heuristic: Option<&Bound<'py, PyAny>>,
        policy: Option<Py<PyAny>>,
        search: &str,
        batch: usize,
        beam: u32,
        observation: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.parts.check_timeless(py, "the planner of a task")?;
        let initial = self.simulator.initial_state();
        let state = match state {
            None => &initial,
            Some(state) => match state.cast::<State>() {
                Ok(state) => self.own(state)?,
                Err(_) => return Err(not_a_state(state)),
            },
        };
        let own = OwnSearch::read(OwnArguments {
            heuristic,
            policy,
            search,
            batch,
            beam,
            observation,
        })?;
        if own.is_some() && planner.is_some() {
            return Err(value_error(
                "planner= has its own heuristics: leave it out, and choose with search=",
            ));
        }
        let planner = planner.unwrap_or("landmarks");
        if planner.parse::<PolicyKind>().is_ok() {
            let text = format!("{planner} finds policies, and no plans: `Task.policy` takes it");
            return Err(value_error(text));
        }
        let query = PlanQuery {
            planner: Some(planner.to_owned()),
            determinize: Some(parsed(determinize)?),
            ..PlanQuery::default()
        };
        let limits = limits_with(limits, time, memory)?;
        let planner = if own.is_some() {
            search.to_owned()
        } else {
            our_name(planner)
        };
        let on_plan = on_plan.map(Bound::unbind);
        let raised = Arc::new(Raised::none());
        let report = interruptible(py, || {
            let mut progress = |progress: TaskProgress<'_>| {
                let (Some(on_plan), Some(found)) = (&on_plan, progress.plan) else {
                    return ControlFlow::Continue(());
                };
                let plan = Some((found.operators.as_slice(), found.cost, found.proven_optimal));
                let called = Python::attach(|py| {
                    let plan = as_plan(self, py, &planner, ("plan", plan), progress.statistics)?;
                    on_plan.call1(py, (plan,))
                });
                match called {
                    Ok(_) => ControlFlow::Continue(()),
                    Err(error) => {
                        raised.note(error);
                        ControlFlow::Break(())
                    }
                }
            };
            let mut run = Run {
                limits,
                seed,
                progress: Some(&mut progress),
                ..Run::default()
            };
            match &own {
                Some(own) => plan_by(&own.planner(&raised), &self.simulator, state, &query, &mut run),
                None => plan_from(&self.simulator, state, &query, &mut run),
            }
        })?;
        raised.check(py)?;
        let report = report.or_raise(py)?;
        let (outcome, statistics) = (&report.outcome, &report.statistics);
        if let SearchOutcome::Failed(error) = outcome {
            return Err(value_error(error));
        }
        let plan = match outcome {
            SearchOutcome::Plan(plan) => Some((plan.steps.as_slice(), plan.cost, plan.proven_optimal)),
            SearchOutcome::GoalAlreadyTrue => Some((&[][..], 0.0, statistics.rounding.is_none())),
            _ => None,
        };
        as_plan(self, py, &planner, (outcome.name(), plan), statistics)
    }
}

/// The steps of a plan, its cost, and whether it is proven optimal.
type Found<'p> = (&'p [ActionId], f64, bool);

/// Converts an outcome and its statistics to a `herbrand.planning.Plan`.
fn as_plan<'py>(
    task: &Task,
    py: Python<'py>,
    planner: &str,
    (outcome, plan): (&str, Option<Found<'_>>),
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
    fields.set_item("outcome", outcome)?;
    fields.set_item("planner", planner)?;
    fields.set_item(
        "statistics",
        module.getattr("PlanStatistics")?.call((), Some(&statistics))?,
    )?;
    let actions = plan.map(|(steps, ..)| {
        let actions = steps.iter().map(|step| task.action_object(py, step));
        PyTuple::new(py, actions.collect::<PyResult<Vec<_>>>()?)
    });
    fields.set_item("actions", actions.transpose()?)?;
    fields.set_item("cost", plan.map(|(_, cost, _)| cost))?;
    fields.set_item("proven_optimal", plan.is_some_and(|(_, _, proven)| proven))?;
    module.getattr("Plan")?.call((), Some(&fields))
}
