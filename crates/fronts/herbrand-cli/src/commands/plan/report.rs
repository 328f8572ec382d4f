//! The output of `herbrand plan`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use herbrand::env::plan::{ParsedPlan, PlanStep, Validation};
use herbrand::plan::{SearchOutcome, SearchStatistics};
use herbrand::{ActionId, Simulator};
use serde::Serialize;

use crate::output::{self, counted, short};

/// A plan that was found, as text, with its evaluation.
pub struct FoundPlan {
    steps: Vec<String>,
    pub cost: f64,
    /// Whether the cost is the value of the metric; if not, it is the number of steps.
    cost_is_metric: bool,
    pub proven_optimal: bool,
}

impl FoundPlan {
    /// Describes the plan of an outcome. Its cost is the metric, if the problem has one and the search could follow it.
    pub fn of(
        simulator: &Simulator,
        steps: &[ActionId],
        outcome: &SearchOutcome,
        follows_metric: bool,
    ) -> Self {
        let (cost, proven_optimal) = match outcome {
            SearchOutcome::Plan(plan) => (plan.cost, plan.proven_optimal),
            // An empty plan has cost 0.
            _ => (0.0, true),
        };
        let names = steps
            .iter()
            .map(|&step| simulator.task().display_action(step).to_string());
        Self {
            steps: names.collect(),
            cost,
            cost_is_metric: follows_metric && simulator.task().metric.is_some(),
            proven_optimal,
        }
    }

    /// Returns the plan as text in the format that `validate` reads.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for step in &self.steps {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{step}");
        }
        let meaning = if self.cost_is_metric {
            "value of the metric"
        } else {
            "number of steps"
        };
        let _ = writeln!(text, "; cost = {} ({meaning})", self.cost);
        text
    }

    pub fn plan(&self) -> ParsedPlan {
        let steps = (1..).zip(&self.steps).map(|(line, action)| PlanStep {
            line,
            action: action.clone(),
        });
        ParsedPlan {
            steps: steps.collect(),
        }
    }
}

/// The report of a search: the plan if one was found, and the statistics.
pub struct Report<'a> {
    pub planner: &'a str,
    /// Whether the planner is an external program, which reports no statistics.
    pub external: bool,
    pub outcome: &'a SearchOutcome,
    /// If no plan was found: a sentence for each undefined value that may be the reason.
    pub undefined: &'a [String],
    /// If no plan was found: a sentence for each conjunct of the goal that no reachable state satisfies.
    pub unreachable: &'a [String],
    /// Whether the problem has a goal.
    pub has_goal: bool,
    pub follows_metric: bool,
    pub found: Option<&'a FoundPlan>,
    pub validation: Option<&'a Validation>,
    pub statistics: SearchStatistics,
    /// The time that reading and grounding took.
    pub compiled: Duration,
    /// The CPU time that reading and grounding took.
    pub compiled_cpu: Duration,
    pub searched_cpu: Duration,
}

/// The JSON form of a [`Report`].
#[derive(Serialize)]
pub struct Data<'a> {
    outcome: &'static str,
    planner: &'a str,
    plan: Option<&'a [String]>,
    /// The cost that the search minimises.
    cost: Option<f64>,
    proven_optimal: Option<bool>,
    /// If no plan was found: the undefined values that keep actions from being valid.
    undefined_values: &'a [String],
    /// If no plan was found: the conjuncts of the goal that no reachable state satisfies.
    unreachable_goals: &'a [String],
    /// The value of the problem's metric.
    metric: Option<f64>,
    goal_probability: Option<f64>,
    expanded: u64,
    evaluated: u64,
    generated: u64,
    dead_ends: u64,
    states: u64,
    bytes: u64,
    /// Seconds from the files to the ground task.
    compile_seconds: f64,
    /// Seconds from the ground task to the plan, and the part of them before the first state was evaluated.
    search_seconds: f64,
    preparation_seconds: f64,
    /// The same in CPU time of this process.
    compile_cpu_seconds: f64,
    search_cpu_seconds: f64,
}

impl<'a> Report<'a> {
    pub fn data(&self) -> Data<'a> {
        let statistics = self.statistics;
        Data {
            outcome: self.outcome.name(),
            planner: self.planner,
            plan: self.found.map(|found| found.steps.as_slice()),
            cost: self.found.map(|found| found.cost),
            proven_optimal: self.found.map(|found| found.proven_optimal),
            undefined_values: self.undefined,
            unreachable_goals: self.unreachable,
            metric: self.validation.and_then(|validation| validation.metric),
            goal_probability: self.validation.map(|validation| validation.goal),
            expanded: statistics.expanded,
            evaluated: statistics.evaluated,
            generated: statistics.generated,
            dead_ends: statistics.dead_ends,
            states: statistics.states,
            bytes: statistics.bytes,
            compile_seconds: self.compiled.as_secs_f64(),
            search_seconds: statistics.time.as_secs_f64(),
            preparation_seconds: statistics.preparation.as_secs_f64(),
            compile_cpu_seconds: self.compiled_cpu.as_secs_f64(),
            search_cpu_seconds: self.searched_cpu.as_secs_f64(),
        }
    }

    pub fn print(&self) -> io::Result<()> {
        let mut out = output::out();
        if let Some(found) = self.found {
            write!(out, "{}", found.text())?;
        }
        writeln!(out, "; {}", self.verdict())?;
        for sentence in self.unreachable.iter().chain(self.undefined) {
            writeln!(out, "; {sentence}")?;
        }
        if let Some(validation) = self.validation {
            if !validation.is_valid() {
                writeln!(
                    out,
                    "; it reaches the goal with probability {:.6}",
                    validation.goal
                )?;
            }
            // A plan whose cost is the metric has said its value.
            if let (Some(metric), false) = (validation.metric, self.follows_metric) {
                writeln!(out, "; value of the metric = {metric}")?;
            }
        }
        if !self.follows_metric {
            writeln!(
                out,
                "; the metric is not a sum over the steps: the search minimised the number of steps instead"
            )?;
        }
        let statistics = self.statistics;
        let seconds = statistics.time.as_secs_f64();
        let expanded = if self.external {
            "ended".to_owned()
        } else {
            format!("{} expanded", counted(statistics.expanded, "state"))
        };
        writeln!(
            out,
            "; {} by {}: {expanded} in {seconds:.3} s after {:.3} s of grounding",
            self.outcome.name(),
            self.planner,
            self.compiled.as_secs_f64(),
        )?;
        out.flush()
    }

    fn verdict(&self) -> String {
        match self.outcome {
            SearchOutcome::Plan(plan) if plan.proven_optimal => {
                format!("{}, proven optimal", counted(plan.steps.len() as u64, "step"))
            }
            SearchOutcome::Plan(plan) => counted(plan.steps.len() as u64, "step"),
            SearchOutcome::GoalAlreadyTrue => "the goal already holds".to_owned(),
            SearchOutcome::ProvenUnsolvable | SearchOutcome::Exhausted if !self.has_goal => {
                "the problem has no goal, so there is no plan".to_owned()
            }
            SearchOutcome::ProvenUnsolvable => "there is no plan".to_owned(),
            SearchOutcome::Exhausted => {
                "this planner's search space has no plan; another planner may find one".to_owned()
            }
            SearchOutcome::OutOfTime => "no plan was found within the time limit (--time)".to_owned(),
            SearchOutcome::OutOfMemory => "no plan was found within the memory limit (--memory)".to_owned(),
            SearchOutcome::Cancelled => "stopped".to_owned(),
            SearchOutcome::Failed(error) => error.to_string(),
        }
    }
}

/// Formats the statistics of a running search as one line.
pub fn progress(statistics: &SearchStatistics) -> String {
    let seconds = statistics.time.as_secs_f64().max(1e-9);
    let best = statistics
        .best_heuristic
        .map(|best| format!(", best heuristic {best}"));
    let cost = statistics.best_cost.map(|cost| format!(", best plan {cost}"));
    format!(
        "{} expanded, {} per second{}{}",
        short(statistics.expanded as f64),
        short(statistics.evaluated as f64 / seconds),
        best.unwrap_or_default(),
        cost.unwrap_or_default(),
    )
}
