//! `Policy`: policies for probabilistic tasks.

use std::num::NonZeroU32;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use herbrand_core::{EvaluateOptions, share_interval as interval};
use herbrand_ground::ActionId;
use herbrand_limits::{Budget, Limits};
use herbrand_plan::{
    ActionTable, PolicyKind, PolicyOptions, PolicyValue, ProbabilisticTask, TaskError, UctLeaf, evaluate,
    policy_table,
};
use herbrand_tasks::{TaskFailure, actions_text, read_actions};
use herbrand_text::counted;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::grounded::Task;
use super::parts::PlanningTask;
use super::state::State;
use crate::choice::{one_of, parsed};
use crate::errors::{self, IntoException, OrRaise, interruptible, poisoned, watched};
use crate::limits::{limits, limits_or};
use crate::term::Action;

/// A policy for a probabilistic task: an action for each state. `Task.policy` creates policies.
#[pyclass(frozen, module = "herbrand")]
pub struct Policy {
    task: Py<Task>,
    chance: ProbabilisticTask,
    policy: Mutex<Box<dyn herbrand_plan::Policy>>,
    /// None if the policy was read.
    kind: Option<PolicyKind>,
}

/// The interval between reports of progress.
const REPORT: Duration = Duration::from_secs(1);

/// The limits of time and memory by default.
const DEFAULT: Limits = Limits {
    bytes: Some(4 << 30),
    time: Some(Duration::from_secs(60)),
};

#[pymethods]
impl Task {
    /// Computes a policy for a probabilistic task: an action for each state.
    ///
    /// Parameters
    /// ----------
    /// planner : str, default "policy-iteration"
    ///     ``"policy-iteration"``, ``"value-iteration"`` and ``"lao"`` compute optimal policies: they maximize the
    ///     probability of reaching the goal, then minimize the mean cost of the runs that reach it. ``"uct"`` and
    ///     ``"replan"`` plan before each action, for tasks of any size. `policy_planners` lists the names.
    /// state : State, optional
    ///     The start state; by default the initial states with their probabilities.
    /// seed : int, default 0
    ///     The seed for the samples of ``"uct"`` and the tie-breaking of ``"replan"``.
    /// iterations : int, default 1000
    ///     The number of walks that ``"uct"`` samples before each action.
    /// rollouts : int, optional
    ///     With a number, ``"uct"`` evaluates each new state by this many random roll-outs up to the goal; from 64 on, they are
    ///     made together. By default, it evaluates a state by the length of a relaxed plan.
    /// determinize : {"all-outcomes", "most-likely"}
    ///     How ``"replan"`` makes probabilistic effects deterministic.
    /// limits : Limits or mapping, optional
    ///     Limits for computing the policy, by default a minute and four gibibytes; ``Limits()`` sets none. Each decision of
    ///     ``"uct"`` and ``"replan"`` has a limit of ten seconds and one gibibyte.
    /// time, memory : float or str, optional
    ///     Override the fields of `limits`: ``time=10``, ``memory="2GiB"``.
    /// on_progress : function, optional
    ///     Called about once a second with the number of states enumerated so far; 0 if the planner enumerates none.
    ///
    /// Returns
    /// -------
    /// Policy
    ///
    /// Raises
    /// ------
    /// LimitError
    ///     If a limit is reached, with the number of states enumerated.
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
    #[pyo3(signature = (planner = "policy-iteration", *, state = None, seed = 0, iterations = 1000, rollouts = None, determinize = "all-outcomes", limits = None, time = None, memory = None, on_progress = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn policy(
        slf: &Bound<'_, Self>,
        planner: &str,
        state: Option<&Bound<'_, State>>,
        seed: u64,
        iterations: u32,
        rollouts: Option<NonZeroU32>,
        determinize: &str,
        limits: Option<&Bound<'_, PyAny>>,
        time: Option<&Bound<'_, PyAny>>,
        memory: Option<&Bound<'_, PyAny>>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Policy> {
        let py = slf.py();
        let task = slf.get();
        task.parts.check_timeless(py, "the planner of a task")?;
        let state = state.map(|state| task.own(state)).transpose()?;
        let kinds = PolicyKind::ALL.map(|kind| (kind.as_str(), kind));
        let kind = one_of("planner", planner, &kinds)?;
        let options = PolicyOptions {
            seed,
            iterations,
            leaf: rollouts.map_or(UctLeaf::RelaxedPlan, UctLeaf::RandomWalks),
            determinization: parsed(determinize)?,
            ..PolicyOptions::default()
        };
        let budget = Budget::new(limits_or(DEFAULT, limits, time, memory)?);
        let simulator = &task.simulator;
        let chance = interruptible(py, || match state {
            Some(state) => ProbabilisticTask::from_state(simulator, state, &budget),
            None => ProbabilisticTask::from_initial(simulator, &budget),
        })?
        .or_raise(py)?;
        let mut reported = Instant::now();
        let report = |py: Python<'_>| match &on_progress {
            Some(function) if reported.elapsed() >= REPORT => {
                reported = Instant::now();
                function.call1(py, (chance.enumerated(),)).map(drop)
            }
            _ => Ok(()),
        };
        let made = watched(py, report, || kind.policy(&chance, &options, &budget))?;
        let policy = match made {
            Err(TaskError::BudgetExhausted(exhausted)) if chance.enumerated() > 0 => {
                let states = counted(chance.enumerated(), "state");
                let text = format!(
                    "{exhausted}: {states} enumerated; time=… and memory=… set other limits, and planner=\"uct\" and \
                     \"replan\" enumerate no states"
                );
                return Err(errors::message(py, "LimitError", &text));
            }
            made => made.or_raise(py)?,
        };
        Ok(Policy {
            task: slf.clone().unbind(),
            chance,
            policy: Mutex::new(policy),
            kind: Some(kind),
        })
    }

    /// Reads a policy that `Policy.text` or ``herbrand plan --out`` wrote, without computing it again. It gives up in states that
    /// the text does not have.
    ///
    /// Parameters
    /// ----------
    /// text : str
    ///     The text.
    /// limits : Limits or mapping, optional
    ///     Limits for reading, by default as for `policy`.
    ///
    /// Returns
    /// -------
    /// Policy
    ///
    /// Raises
    /// ------
    /// HerbrandError
    ///     If the text is no policy for this task.
    /// LimitError
    ///     If a limit is reached.
    ///
    /// Examples
    /// --------
    /// >>> import herbrand
    /// >>> task = herbrand.load("river", "train/01")
    /// >>> policy = task.policy()
    /// >>> task.read_policy(policy.text()).evaluate() == policy.evaluate()
    /// True
    #[pyo3(signature = (text, *, limits = None))]
    fn read_policy(slf: &Bound<'_, Self>, text: &str, limits: Option<&Bound<'_, PyAny>>) -> PyResult<Policy> {
        let (py, simulator) = (slf.py(), &slf.get().simulator);
        let budget = Budget::new(limits_or(DEFAULT, limits, None, None)?);
        let read = interruptible(py, || {
            let chance = ProbabilisticTask::from_initial(simulator, &budget)?;
            let policy = read_actions(text, &chance, &budget)?;
            let policy = policy.ok_or_else(|| TaskFailure::NotPolicy("the text".to_owned()))?;
            Ok::<_, TaskFailure>((chance, Mutex::new(Box::new(policy) as _)))
        })?;
        let (chance, policy) = read.or_raise(py)?;
        Ok(Policy {
            task: slf.clone().unbind(),
            chance,
            policy,
            kind: None,
        })
    }
}

impl Policy {
    fn value(&self) -> PyResult<Option<PolicyValue>> {
        Ok(self.policy.lock().map_err(|_| poisoned())?.value())
    }

    /// Does interruptible work with the policy.
    fn with<T: Send, E: IntoException + Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn herbrand_plan::Policy) -> Result<T, E> + Send,
    ) -> PyResult<T> {
        let done = interruptible(py, || {
            let mut policy = self.policy.lock().ok()?;
            Some(work(policy.as_mut()))
        })?;
        done.ok_or_else(poisoned)?.or_raise(py)
    }
}

#[pymethods]
impl Policy {
    /// The task.
    #[getter]
    fn task(&self, py: Python<'_>) -> Py<Task> {
        self.task.clone_ref(py)
    }

    /// The name of the planner that created it; ``"file"`` if it was read.
    #[getter]
    fn planner(&self) -> &'static str {
        self.kind.map_or("file", PolicyKind::as_str)
    }

    /// The probability that the goal is ever reached; None if the policy does not know it.
    #[getter]
    fn goal_probability(&self) -> PyResult<Option<f64>> {
        Ok(self.value()?.map(|value| value.goal_probability))
    }

    /// The mean cost of the runs that reach the goal; None if the policy does not know it or never reaches the goal.
    #[getter]
    fn expected_cost(&self) -> PyResult<Option<f64>> {
        Ok(self.value()?.and_then(|value| value.cost))
    }

    /// Whether the policy is optimal: none has a higher probability of the goal, and none with the same probability has a
    /// lower cost.
    #[getter]
    fn optimal(&self) -> PyResult<bool> {
        Ok(self.value()?.is_some_and(|value| value.optimal))
    }

    /// Begins a run: ``"uct"`` forgets where it has been, so that its actions depend on this run only.
    fn begin(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |policy| {
            policy.begin();
            Ok::<_, TaskError>(())
        })
    }

    /// Returns the action in a state; None if the policy gives up or the goal is reached.
    fn action(&self, py: Python<'_>, state: &Bound<'_, State>) -> PyResult<Option<Py<Action>>> {
        let task = self.task.get();
        let state = task.own(state)?;
        let action = errors::guarded(py, || {
            let mut policy = self.policy.lock().ok()?;
            Some(policy.act(state))
        })?;
        let action = action.ok_or_else(poisoned)?.or_raise(py)?;
        action.map(|action| task.action_object(py, &action)).transpose()
    }

    /// Computes the value of the policy over all states that it reaches.
    ///
    /// Parameters
    /// ----------
    /// limits : Limits or mapping, optional
    ///     Limits for the evaluation, by default as for `Task.policy`.
    ///
    /// Returns
    /// -------
    /// tuple of float and (float or None)
    ///     The probability of the goal, and the mean cost of the runs that reach it.
    ///
    /// Raises
    /// ------
    /// LimitError
    ///     If a limit is reached.
    #[pyo3(signature = (*, limits = None))]
    fn evaluate(&self, py: Python<'_>, limits: Option<&Bound<'_, PyAny>>) -> PyResult<(f64, Option<f64>)> {
        let budget = Budget::new(limits_or(DEFAULT, limits, None, None)?);
        let value = self.with(py, |policy| evaluate(&self.chance, policy, &budget))?;
        Ok((value.goal_probability, value.cost))
    }

    /// Computes the value of the policy in each state.
    ///
    /// Parameters
    /// ----------
    /// all : bool, default False
    ///     Whether the table has all states that any policy reaches, instead of the states that this policy reaches. Goal states have
    ///     no successors in either.
    /// limits : Limits or mapping, optional
    ///     Limits for the computation, by default as for `Task.policy`.
    ///
    /// Returns
    /// -------
    /// list of PolicyState
    ///     The states in breadth-first order, the start states first.
    ///
    /// Raises
    /// ------
    /// LimitError
    ///     If a limit is reached.
    ///
    /// Examples
    /// --------
    /// >>> import herbrand
    /// >>> policy = herbrand.load("river", "train/01").policy()
    /// >>> first = policy.table()[0]
    /// >>> first.goal_probability == policy.goal_probability
    /// True
    #[pyo3(signature = (*, all = false, limits = None))]
    fn table<'py>(
        &self,
        py: Python<'py>,
        all: bool,
        limits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let budget = Budget::new(limits_or(DEFAULT, limits, None, None)?);
        let table = self.with(py, |policy| policy_table(&self.chance, policy, all, &budget))?;
        let class = py.import("herbrand.planning")?.getattr("PolicyState")?;
        let task = self.task.bind(py);
        let rows = table.states.into_iter().map(|row| {
            let action = row.action.map(|action| task.get().action_object(py, &action));
            let fields = PyDict::new(py);
            fields.set_item("state", State::of(task, row.state))?;
            fields.set_item("start_probability", row.start)?;
            fields.set_item("goal", row.is_goal)?;
            fields.set_item("dead_end", !row.is_goal && !row.has_actions)?;
            fields.set_item("action", action.transpose()?)?;
            fields.set_item("goal_probability", row.goal_probability)?;
            fields.set_item("expected_cost", row.cost)?;
            class.call((), Some(&fields))
        });
        rows.collect()
    }

    /// Returns the policy as the text of a policy file: an action for each state, of all states for ``"policy-iteration"`` and
    /// ``"value-iteration"``, and otherwise of those that the policy reaches. `Task.read_policy`, ``herbrand validate`` and
    /// ``herbrand rollout --policy`` read it.
    ///
    /// Parameters
    /// ----------
    /// limits : Limits or mapping, optional
    ///     Limits for the computation, by default as for `Task.policy`.
    ///
    /// Returns
    /// -------
    /// str
    ///
    /// Raises
    /// ------
    /// LimitError
    ///     If a limit is reached.
    ///
    /// Examples
    /// --------
    /// >>> import herbrand
    /// >>> policy = herbrand.load("river", "train/01").policy()
    /// >>> runs = herbrand.tasks.rollout("river", "train/01", policy_text=policy.text())
    /// >>> runs["goals"] > 0
    /// True
    #[pyo3(signature = (*, limits = None))]
    fn text(&self, py: Python<'_>, limits: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let budget = Budget::new(limits_or(DEFAULT, limits, None, None)?);
        let all = self.kind.is_some_and(PolicyKind::covers_all_states);
        let actions = self.with(py, |policy| {
            let table = policy_table(&self.chance, policy, all, &budget)?;
            ActionTable::of(&self.chance, &table.states, &budget)
        })?;
        let parts = &self.task.get().parts;
        let (domain, problem) = (&parts.domain.get().model, &parts.problem.get().model);
        actions_text(actions, domain.name.as_str(), problem.name.as_str()).or_raise(py)
    }

    /// Runs the policy several times.
    ///
    /// Parameters
    /// ----------
    /// runs : int, default 100
    ///     The number of runs, at least 1.
    /// horizon : int, default 1000
    ///     The maximal number of steps of a run.
    /// seed : int, default 0
    ///     The seed for random outcomes.
    /// limits : Limits or mapping, optional
    ///     Limits for all runs together.
    ///
    /// Returns
    /// -------
    /// PolicyRuns
    ///
    /// Raises
    /// ------
    /// LimitError
    ///     If a limit is reached.
    #[pyo3(signature = (runs = 100, *, horizon = 1000, seed = 0, limits = None))]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        runs: u32,
        horizon: u32,
        seed: u64,
        limits: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let budget = Budget::new(self::limits(limits)?);
        let options = EvaluateOptions {
            steps: horizon,
            episodes: runs,
            seed,
        };
        let mut walker = self.chance.walker().or_raise(py)?;
        let done = self.with(py, |policy| {
            let run = || herbrand_core::evaluate(&mut walker, policy, &options, 1.0, |_| true);
            budget.enclose(run)
        })?;
        let task = self.task.get();
        let first = done
            .first
            .iter()
            .flatten()
            .filter_map(|choice| choice.alternative());
        let first = first.map(|number| task.action_object(py, &ActionId::new(number)));
        let fields = PyDict::new(py);
        fields.set_item("runs", done.ends.len())?;
        fields.set_item("reached", done.reached().count())?;
        fields.set_item("cost", done.mean_of_reached(|total, _| 0.0 - total))?;
        fields.set_item("steps", done.mean_of_reached(|_, steps| f64::from(steps)))?;
        let [low, high] = done.goal_probability().1;
        fields.set_item("interval", (low, high))?;
        fields.set_item("first", PyTuple::new(py, first.collect::<PyResult<Vec<_>>>()?)?)?;
        py.import("herbrand.planning")?
            .getattr("PolicyRuns")?
            .call((), Some(&fields))
    }

    fn __repr__(&self) -> String {
        format!("<Policy by {}>", self.planner())
    }
}

/// Returns the ends of the confidence interval of 95 % (Wilson) of a probability, where `successes` of `trials` were counted.
#[pyfunction]
pub fn share_interval(successes: usize, trials: usize) -> (f64, f64) {
    interval(successes, trials).into()
}

impl IntoException for TaskError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Step(error) => error.exception(py),
            Self::BudgetExhausted(exhausted) => errors::message(py, "LimitError", &exhausted.to_string()),
        }
    }
}
