//! The answer of a search for a plan in PDDL.

use herbrand_env::TimedPlan;
use herbrand_env::plan::Validation;
use herbrand_ground::ActionId;
use herbrand_plan::{Report, SearchOutcome};
use serde::Serialize;

use crate::found::{CostMeaning, Costs, FoundPlan};
use crate::numbers::{counted, significant};

/// The answer of a search for a plan in PDDL.
#[derive(Clone, Debug, Serialize)]
pub struct PlanReport {
    /// The name of the problem.
    pub problem: String,
    /// How the search ended.
    #[serde(serialize_with = "outcome_name")]
    pub outcome: SearchOutcome,
    /// Whether there is a plan; `None` if the search has shown neither.
    pub solvable: Option<bool>,
    /// The name of the planner.
    pub planner: String,
    /// The steps.
    pub plan: Option<Vec<String>>,
    /// The cost that the search minimises.
    pub cost: Option<f64>,
    /// Whether the search has shown that no plan costs less.
    pub proven_optimal: Option<bool>,
    /// A cost that no plan is below, if the search has shown one.
    pub lower_bound: Option<f64>,
    /// The reason why numbers may be rounded, so that the search has proven nothing.
    pub rounding: Option<String>,
    /// If no plan was found: a sentence for each undefined value that keeps actions from being valid.
    pub undefined_values: Vec<String>,
    /// If no plan was found: a sentence for each conjunct of the goal that no reachable state satisfies.
    pub unreachable_goals: Vec<String>,
    /// The value of the problem's metric.
    pub metric: Option<f64>,
    /// The probability that the plan reaches the goal.
    pub goal_probability: Option<f64>,
    /// The counts of the search.
    #[serde(flatten)]
    pub counts: Counts,
    /// Seconds from the files to the ground task.
    pub compile_seconds: f64,
    /// Seconds from the ground task to the plan.
    pub search_seconds: f64,
    /// The part of these seconds before the first state was evaluated.
    pub preparation_seconds: f64,
    /// CPU seconds of this process from the files to the ground task.
    pub compile_cpu_seconds: f64,
    /// CPU seconds of this process from the ground task to the plan.
    pub search_cpu_seconds: f64,
    /// The plan with its cost.
    #[serde(skip)]
    pub found: Option<FoundPlan>,
    /// How the search judged plans.
    #[serde(skip)]
    pub costs: Costs,
    /// The terms of the metric that its value does not include, as text.
    #[serde(skip)]
    pub beside_metric: String,
    /// Whether the problem has a goal.
    #[serde(skip)]
    pub has_goal: bool,
    /// Whether the planner is another program, which reports no statistics.
    #[serde(skip)]
    pub external: bool,
}

/// The counts of a search, with the bytes that it used.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields of `SearchStatistics` describe them")]
pub struct Counts {
    pub expanded: u64,
    pub evaluated: u64,
    pub generated: u64,
    pub dead_ends: u64,
    pub states: u64,
    pub bytes: u64,
}

fn outcome_name<S: serde::Serializer>(outcome: &SearchOutcome, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(outcome.name())
}

impl PlanReport {
    /// Creates the answer of a search whose plan was not executed yet.
    pub(super) fn new(planner: &str, report: Report, costs: Costs) -> Self {
        let statistics = report.statistics;
        Self {
            problem: String::new(),
            solvable: (report.outcome == SearchOutcome::ProvenUnsolvable).then_some(false),
            outcome: report.outcome,
            planner: planner.to_owned(),
            plan: None,
            cost: None,
            proven_optimal: None,
            lower_bound: statistics.lower_bound,
            rounding: statistics.rounding.map(|rounding| rounding.to_string()),
            undefined_values: Vec::new(),
            unreachable_goals: Vec::new(),
            metric: None,
            goal_probability: None,
            counts: Counts {
                expanded: statistics.expanded,
                evaluated: statistics.evaluated,
                generated: statistics.generated,
                dead_ends: statistics.dead_ends,
                states: statistics.states,
                bytes: statistics.bytes,
            },
            compile_seconds: 0.0,
            search_seconds: statistics.time.as_secs_f64(),
            preparation_seconds: statistics.preparation.as_secs_f64(),
            compile_cpu_seconds: 0.0,
            search_cpu_seconds: 0.0,
            found: None,
            costs,
            beside_metric: String::new(),
            has_goal: true,
            external: false,
        }
    }

    /// Adds a plan with its execution.
    pub(super) fn set_plan(&mut self, found: FoundPlan, validation: &Validation) {
        self.solvable = Some(true);
        self.plan = Some(found.steps.clone());
        self.cost = Some(found.cost);
        self.proven_optimal = Some(found.proven_optimal);
        self.metric = validation.metric;
        self.goal_probability = Some(validation.goal);
        self.found = Some(found);
    }

    /// Adds a plan with times.
    pub(super) fn set_timed_plan(&mut self, plan: &TimedPlan, operators: Vec<ActionId>, metric: Option<f64>) {
        let steps: Vec<_> = plan.to_string().lines().map(str::to_owned).collect();
        self.solvable = Some(true);
        self.plan = Some(steps.clone());
        self.cost = Some(plan.makespan());
        self.proven_optimal = Some(false);
        self.metric = metric;
        self.goal_probability = Some(1.0);
        self.found = Some(FoundPlan {
            steps,
            operators,
            cost: plan.makespan(),
            meaning: CostMeaning::Makespan,
            proven_optimal: false,
        });
    }

    /// Returns what the search found, in a sentence. `time` is the option whose limit ended it, such as `--time`.
    #[must_use]
    pub fn verdict(&self, time: &str) -> String {
        match &self.outcome {
            SearchOutcome::Plan(plan) if plan.proven_optimal => {
                format!("{}, proven optimal", counted(plan.steps.len() as u64, "step"))
            }
            SearchOutcome::Plan(plan) => counted(plan.steps.len() as u64, "step"),
            SearchOutcome::GoalAlreadyTrue => "the goal already holds".to_owned(),
            SearchOutcome::ProvenUnsolvable | SearchOutcome::Exhausted if !self.has_goal => {
                "the problem has no goal, so there is no plan".to_owned()
            }
            SearchOutcome::ProvenUnsolvable => "there is no plan".to_owned(),
            SearchOutcome::Exhausted if self.rounding.is_some() => {
                "no plan was found, but there may be one".to_owned()
            }
            SearchOutcome::Exhausted => {
                "no plan was found: this planner's search space has no plan; another planner may find one"
                    .to_owned()
            }
            SearchOutcome::OutOfTime => {
                format!("no plan was found within the time limit ({time}){}", self.bound())
            }
            SearchOutcome::OutOfMemory => {
                format!(
                    "no plan was found within the memory limit (--memory){}",
                    self.bound()
                )
            }
            SearchOutcome::Cancelled => {
                format!("stopped by a signal; no plan was found so far{}", self.bound())
            }
            SearchOutcome::Failed(error) => error.to_string(),
        }
    }

    /// Returns a clause with the lower bound of the cost of every plan; empty if the search has shown none.
    fn bound(&self) -> String {
        let bound = self.lower_bound.map(significant);
        bound.map_or_else(String::new, |bound| {
            format!("; every plan costs at least {bound}")
        })
    }
}
