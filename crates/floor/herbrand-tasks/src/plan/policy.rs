//! A policy for a problem in PDDL: its value, its runs, and its states.

use std::time::Duration;

use herbrand_core::{self as core, EpisodeEnd, EvaluateOptions, Evaluation};
use herbrand_env::Suite;
use herbrand_ground::{ActionId, GroundTask};
use herbrand_limits::{Budget, Instant, Limits};
use herbrand_plan::{
    ActionTable, Policy, PolicyKind, PolicyOptions, PolicyStatistics, PolicyValue, ProbabilisticTask,
    SearchOutcome, TaskError, UctLeaf, evaluate, policy_table,
};
use serde::Serialize;

use super::PlanQuery;
use super::states::StateTable;
use crate::failure::TaskFailure;
use crate::found::Costs;
use crate::numbers::counted;
use crate::policy_file::actions_text;
use crate::run::Run;

/// A policy for a problem in PDDL.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyReport {
    /// The name of the problem.
    pub problem: String,
    /// `policy`, or how the computation ended without one.
    pub outcome: &'static str,
    /// The name of the planner.
    pub planner: &'static str,
    /// The probability of reaching the goal: exact if `exact`, and otherwise the share of the runs that reached it.
    pub goal_probability: Option<f64>,
    /// The mean cost of the runs that reach the goal.
    pub expected_cost: Option<f64>,
    /// Whether the probability and the cost are exact.
    pub exact: bool,
    /// Whether no policy is better.
    pub optimal: bool,
    /// The runs.
    pub runs: Option<PolicyRuns>,
    /// The number of states that the planner enumerated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// The number of sweeps of value iteration, or of the policies that the others evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
    /// The greatest change in the last sweep of value iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residual: Option<f64>,
    /// The reason why numbers may be rounded, so that the policy is not proven optimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounding: Option<String>,
    /// The states, if the request asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<StateTable>,
    /// The text of a policy file, if the request asks for one.
    #[serde(skip)]
    pub file: Option<String>,
    /// Seconds from the files to the ground task.
    pub compile_seconds: f64,
    /// Seconds from the ground task to the policy.
    pub policy_seconds: Option<f64>,
    /// Seconds of the runs, in which uct and replan decide.
    pub run_seconds: Option<f64>,
    /// How the computation ended without a policy.
    #[serde(skip)]
    pub ended: Option<SearchOutcome>,
    /// The planner.
    #[serde(skip)]
    pub kind: PolicyKind,
    /// The number of walks before each decision of uct.
    #[serde(skip)]
    pub walks: u32,
    /// How the policy judges costs.
    #[serde(skip)]
    pub costs: Costs,
}

/// The runs of a policy.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyRuns {
    /// The number of runs.
    pub count: usize,
    /// The number of runs that reached the goal.
    pub reached: usize,
    /// Their share.
    pub goal_probability: f64,
    /// The ends of its confidence interval of 95 % (Wilson).
    pub interval: [f64; 2],
    /// The standard error for which the interval is as long.
    pub standard_error: f64,
    /// The mean cost of the runs that reached the goal.
    pub mean_cost: Option<f64>,
    /// The mean number of their steps.
    pub mean_steps: Option<f64>,
    /// The first run.
    pub first: FirstRun,
    /// The number of steps of all runs.
    #[serde(skip)]
    pub steps: u64,
}

impl PolicyRuns {
    /// Returns how many runs reached the goal as a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (share, [low, high]) = (self.goal_probability, self.interval);
        let cost = self.mean_cost;
        format!(
            "{} of {} reached the goal: {share:.4}, between {low:.4} and {high:.4} with a confidence of 95 %{}",
            self.reached,
            counted(self.count as u64, "run"),
            cost.map_or_else(String::new, |cost| format!(", at a mean cost of {cost:.4}")),
        )
    }

    /// Describes the runs of a policy in a [`herbrand_plan::TaskWalker`] of this task.
    pub(crate) fn of(runs: &Evaluation, task: &GroundTask) -> Self {
        let (share, interval) = runs.goal_probability();
        let first = runs.first.iter().flatten();
        let first = first.filter_map(|choice| choice.alternative());
        Self {
            count: runs.ends.len(),
            reached: runs.reached().count(),
            goal_probability: share,
            interval,
            standard_error: (interval[1] - interval[0]) / 3.92,
            mean_cost: runs.mean_of_reached(|total, _| 0.0 - total),
            mean_steps: runs.mean_of_reached(|_, steps| f64::from(steps)),
            first: FirstRun {
                steps: first
                    .map(|number| task.display_action(ActionId::new(number)).to_string())
                    .collect(),
                cost: 0.0 - runs.returns[0],
                reached: runs.ends.first() == Some(&Some(EpisodeEnd::Goal)),
            },
            steps: runs.lengths.iter().map(|&steps| u64::from(steps)).sum(),
        }
    }
}

/// The first run of a policy.
#[derive(Clone, Debug, Serialize)]
pub struct FirstRun {
    /// The actions.
    pub steps: Vec<String>,
    /// Their cost.
    pub cost: f64,
    /// Whether the run reached the goal.
    pub reached: bool,
}

/// A policy that was computed.
struct Found {
    value: Option<PolicyValue>,
    runs: Evaluation,
    made: Duration,
    ran: Duration,
    costs: Costs,
    statistics: Option<PolicyStatistics>,
    table: Option<StateTable>,
    file: Option<String>,
}

/// Computes a policy for the only problem of a suite within limits. `compiled` is the time that compiling it took.
pub(super) fn policy(
    suite: &Suite,
    kind: PolicyKind,
    request: &PlanQuery,
    limits: Limits,
    compiled: Duration,
    run: &Run<'_>,
) -> Result<PolicyReport, TaskFailure> {
    let options = PolicyOptions {
        seed: run.seed,
        iterations: request.iterations.unwrap_or(PolicyOptions::default().iterations),
        leaf: request
            .rollouts
            .map_or(UctLeaf::RelaxedPlan, UctLeaf::RandomWalks),
        determinization: request.determinize.unwrap_or_default(),
        ..PolicyOptions::default()
    };
    let mut report = PolicyReport {
        problem: suite.full_problem_name(0).unwrap_or_default(),
        outcome: "policy",
        planner: kind.as_str(),
        goal_probability: None,
        expected_cost: None,
        exact: false,
        optimal: false,
        runs: None,
        states: None,
        iterations: None,
        residual: None,
        rounding: None,
        table: None,
        file: None,
        compile_seconds: compiled.as_secs_f64(),
        policy_seconds: None,
        run_seconds: None,
        ended: None,
        kind,
        walks: options.iterations,
        costs: Costs::default(),
    };
    match find(suite, kind, request, &options, &Budget::new(limits), run.seed) {
        Ok(found) => report.set(found?, suite.instance(0)?.simulator().task()),
        Err(TaskError::BudgetExhausted(exhausted)) => {
            let ended = SearchOutcome::from(exhausted);
            report.outcome = ended.name();
            report.ended = Some(ended);
        }
        Err(TaskError::Step(error)) => return Err(error.into()),
    }
    Ok(report)
}

/// Computes the policy, its value, its states and its runs. The inner error is that of the states.
fn find(
    suite: &Suite,
    kind: PolicyKind,
    request: &PlanQuery,
    options: &PolicyOptions,
    budget: &Budget,
    seed: u64,
) -> Result<Result<Found, TaskFailure>, TaskError> {
    let simulator = match suite.instance(0) {
        Ok(compiled) => compiled.simulator(),
        Err(error) => return Ok(Err(error.into())),
    };
    let began = Instant::now();
    let task = ProbabilisticTask::from_initial(simulator, budget)?;
    let mut policy = kind.policy(&task, options, budget)?;
    let made = began.elapsed();
    let policy: &mut dyn Policy = policy.as_mut();
    let lists_states = request.table.is_some() || request.keeps_policy;
    let mut value = match policy.value() {
        None if request.exact && !lists_states => Some(evaluate(&task, policy, budget)?),
        value => value,
    };
    let (mut table, mut file) = (None, None);
    if lists_states {
        let all = kind.covers_all_states();
        let found = policy_table(&task, policy, all, budget)?;
        value = value.or(Some(found.value));
        let most = request.table.map(|most| most as usize);
        let rows = most.map(|most| StateTable::of(suite, &found.states, most, all, request.values));
        let keeps = request.keeps_policy;
        let actions = keeps.then(|| ActionTable::of(&task, &found.states, budget));
        let (domain, problem) = (suite.domain().name.to_string(), suite.full_problem_name(0));
        let text = |actions| actions_text(actions, &domain, &problem.unwrap_or_default());
        match (rows.transpose(), actions.transpose()?.map(text).transpose()) {
            (Ok(rows), Ok(text)) => (table, file) = (rows, text),
            (Err(failure), _) | (_, Err(failure)) => return Ok(Err(failure)),
        }
    }
    let options = EvaluateOptions {
        episodes: request.runs(),
        steps: request.horizon(),
        seed,
    };
    let mut walker = task.walker()?;
    let began = Instant::now();
    let runs = budget.enclose(|| core::evaluate(&mut walker, policy, &options, 1.0, |_| true))?;
    Ok(Ok(Found {
        value,
        runs,
        made,
        ran: began.elapsed(),
        costs: Costs::of(task.costs(), simulator.task()),
        statistics: policy.statistics(),
        table,
        file,
    }))
}

impl PolicyReport {
    /// Returns whether the policy reaches the goal at all.
    #[must_use]
    pub fn reaches(&self) -> bool {
        self.goal_probability.is_some_and(|share| share > 0.0)
    }

    /// Adds a policy.
    fn set(&mut self, found: Found, task: &GroundTask) {
        let runs = PolicyRuns::of(&found.runs, task);
        self.goal_probability =
            Some((found.value).map_or(runs.goal_probability, |value| value.goal_probability));
        self.expected_cost = found.value.map_or(runs.mean_cost, |value| value.cost);
        self.exact = found.value.is_some();
        self.optimal = found.value.is_some_and(|value| value.optimal);
        self.runs = Some(runs);
        self.states = found.statistics.map(|statistics| statistics.states);
        self.iterations = found.statistics.map(|statistics| statistics.iterations);
        self.residual = found.statistics.and_then(|statistics| statistics.residual);
        let rounding = found.statistics.and_then(|statistics| statistics.rounding);
        self.rounding = rounding.map(|rounding| rounding.to_string());
        self.table = found.table;
        self.file = found.file;
        self.policy_seconds = Some(found.made.as_secs_f64());
        self.run_seconds = Some(found.ran.as_secs_f64());
        self.costs = found.costs;
    }
}
