//! Whether a plan reaches the goal.

use herbrand_env::plan::{PlanFailure, Validation};
use serde::Serialize;

/// Whether a plan reaches the goal.
#[derive(Clone, Debug, Serialize)]
pub struct GoalReport {
    /// Whether the plan reaches the goal with certainty.
    pub valid: bool,
    /// The number of steps.
    pub steps: usize,
    /// The probability that all steps can be executed and the goal holds at the end.
    pub goal_probability: f64,
    /// The probability that all steps can be executed.
    pub executable_probability: f64,
    /// The value of the metric.
    pub metric: Option<f64>,
    /// The time at which the last action ends; `None` if actions take no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub makespan: Option<f64>,
    /// The first step that cannot be executed.
    pub failure: Option<StepFailure>,
    /// Further steps that are at fault at the same time, or that no state can mend. Only plans with times have them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further_failures: Vec<StepFailure>,
    /// The conditions of the goal that do not hold at the end.
    pub missing: Vec<String>,
    /// The metric as text, and the terms that its value does not include; `None` if there is no metric.
    #[serde(skip)]
    pub metric_text: Option<(String, String)>,
}

/// A step that cannot be executed.
#[derive(Clone, Debug, Serialize)]
pub struct StepFailure {
    /// Its number in the plan, from 1.
    pub step: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Its action.
    pub action: String,
    /// Why it cannot be executed.
    pub reason: String,
}

impl GoalReport {
    pub(crate) fn of(validation: Validation, metric_text: Option<(String, String)>) -> Self {
        let failure = |failure: PlanFailure| StepFailure {
            step: failure.step,
            line: failure.line,
            action: failure.action,
            reason: failure.reason,
        };
        Self {
            valid: validation.is_valid(),
            steps: validation.steps,
            goal_probability: validation.goal,
            executable_probability: validation.executable,
            metric: validation.metric,
            makespan: None,
            further_failures: Vec::new(),
            failure: validation.failure.map(failure),
            missing: validation.missing,
            metric_text,
        }
    }
}
