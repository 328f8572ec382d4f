//! A plan that was found, as text with its cost.

use std::fmt::Write as _;

use herbrand_env::plan::{ParsedPlan, PlanStep};
use herbrand_ground::{ActionId, GroundTask};
use herbrand_pddl::MetricDirection;
use herbrand_plan::{SearchOutcome, StepCosts};
use herbrand_step::Simulator;

use crate::numbers::significant;

/// A plan that was found.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundPlan {
    /// The steps, one operator each.
    pub steps: Vec<String>,
    /// The operators in the ground task that was searched.
    pub operators: Vec<ActionId>,
    /// The cost that the search minimises.
    pub cost: f64,
    /// The meaning of the cost.
    pub meaning: CostMeaning,
    /// Whether the search has shown that no plan costs less.
    pub proven_optimal: bool,
}

/// The meaning of the cost of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CostMeaning {
    /// The number of steps.
    Steps,
    /// The time at which the last action ends.
    Makespan,
    /// The value of the metric.
    Metric,
    /// An amount that differs from the value of the metric, because the metric does not begin with 0.
    AddedToMetric,
    /// An amount by which a metric that is maximised falls.
    TakenFromMetric,
}

impl CostMeaning {
    const fn text(self) -> &'static str {
        match self {
            Self::Steps => "number of steps",
            Self::Makespan => "time of the last end",
            Self::Metric => "value of the metric",
            Self::AddedToMetric => "added to the metric",
            Self::TakenFromMetric => "taken from the metric",
        }
    }
}

impl FoundPlan {
    /// Describes the plan of an outcome. Its cost is the amount that it adds to the metric, if the problem has one and the search could
    /// follow it. `is_rounded` is whether numbers of the states may be rounded.
    pub(crate) fn of(
        simulator: &Simulator,
        outcome: &SearchOutcome,
        is_rounded: bool,
        costs: &Costs,
    ) -> Self {
        let direction = simulator.task().metric.map(|(direction, _)| direction);
        let (cost, proven_optimal) = match outcome {
            SearchOutcome::Plan(plan) => (plan.cost, plan.proven_optimal),
            // An empty plan has cost 0. Steps may cost less only if costs are not exact.
            _ => (0.0, costs.fault.is_none() && !is_rounded),
        };
        let steps = outcome.plan().unwrap_or_default();
        Self {
            steps: (steps.iter())
                .map(|&step| simulator.task().display_action(step).to_string())
                .collect(),
            operators: steps.to_vec(),
            cost,
            meaning: match direction.filter(|_| costs.follows_metric) {
                Some(MetricDirection::Minimize) => CostMeaning::AddedToMetric,
                Some(MetricDirection::Maximize) => CostMeaning::TakenFromMetric,
                None => CostMeaning::Steps,
            },
            proven_optimal,
        }
    }

    /// Compares the cost with the value of the metric: if they are equal, the cost is called that.
    pub(crate) fn compare_with(&mut self, metric: Option<f64>) {
        let equals = |metric| significant(metric) == significant(self.cost);
        if self.meaning == CostMeaning::AddedToMetric && metric.is_some_and(equals) {
            self.meaning = CostMeaning::Metric;
        }
    }

    /// Returns the plan as text in the format that `validate` reads: a line for each step, and the cost as a comment.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for step in &self.steps {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{step}");
        }
        let _ = writeln!(
            text,
            "; cost = {} ({})",
            significant(self.cost),
            self.meaning.text()
        );
        text
    }

    pub(crate) fn parsed(&self) -> ParsedPlan {
        let steps = (1..).zip(&self.steps).map(|(line, action)| PlanStep {
            line,
            action: action.clone(),
            time: None,
            duration: None,
        });
        ParsedPlan {
            steps: steps.collect(),
        }
    }
}

/// How a search judges plans.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Costs {
    /// Whether costs follow the metric. If not, each step costs 1.
    pub(crate) follows_metric: bool,
    /// A clause that says why the metric is not followed, or not exactly.
    pub(crate) fault: Option<String>,
}

impl Costs {
    /// Describes the costs of the steps of a task.
    pub(crate) fn of(costs: &StepCosts, task: &GroundTask) -> Self {
        Self {
            follows_metric: costs.follows_metric(),
            fault: costs.metric_fault(task),
        }
    }

    /// Returns a note if the metric is not followed, or not exactly; `judge` names the search or planner that
    /// minimises the number of steps if it is not followed.
    #[must_use]
    pub fn note(&self, judge: &str) -> Option<String> {
        let fault = self.fault.as_ref()?;
        Some(if self.follows_metric {
            format!("costs of steps are rounded to six decimals, and negative ones to 0, because {fault}")
        } else {
            format!(
                "the metric does not count, because {fault}: {judge} minimises the number of steps instead"
            )
        })
    }
}
