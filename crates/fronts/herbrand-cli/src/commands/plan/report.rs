//! The output of `herbrand plan`.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use herbrand::env::plan::{ParsedPlan, PlanStep, Validation};
use herbrand::pddl::MetricDirection;
use herbrand::plan::{SearchOutcome, SearchStatistics, StepCosts};
use herbrand::step::Rounding;
use herbrand::{ActionId, GroundTask, Simulator};
use serde::Serialize;

use crate::outcome::CommandOutcome;
use crate::output::{self, counted, grouped, short, significant};

/// A plan that was found, as text, with its evaluation.
pub struct FoundPlan {
    steps: Vec<String>,
    pub cost: f64,
    meaning: CostMeaning,
    pub proven_optimal: bool,
}

/// The meaning of the cost of a plan.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CostMeaning {
    Steps,
    Metric,
    /// An amount that differs from the value of the metric, because the metric does not begin with 0.
    AddedToMetric,
    TakenFromMetric,
}

impl CostMeaning {
    const fn text(self) -> &'static str {
        match self {
            Self::Steps => "number of steps",
            Self::Metric => "value of the metric",
            Self::AddedToMetric => "added to the metric",
            Self::TakenFromMetric => "taken from the metric",
        }
    }
}

impl FoundPlan {
    /// Describes the plan of an outcome. Its cost is what it adds to the metric, if the problem has one and the search could
    /// follow it.
    pub fn of(
        simulator: &Simulator,
        steps: &[ActionId],
        (outcome, rounding): (&SearchOutcome, Option<Rounding>),
        costs: &Costs,
    ) -> Self {
        let direction = simulator.task().metric.map(|(direction, _)| direction);
        let (cost, proven_optimal) = match outcome {
            SearchOutcome::Plan(plan) => (plan.cost, plan.proven_optimal),
            // An empty plan has cost 0. Steps may cost less only if costs are not exact.
            _ => (0.0, costs.fault.is_none() && rounding.is_none()),
        };
        let names = steps
            .iter()
            .map(|&step| simulator.task().display_action(step).to_string());
        Self {
            steps: names.collect(),
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
    pub fn compare_with(&mut self, metric: Option<f64>) {
        let equals = |metric| significant(metric) == significant(self.cost);
        if self.meaning == CostMeaning::AddedToMetric && metric.is_some_and(equals) {
            self.meaning = CostMeaning::Metric;
        }
    }

    /// Sets the texts of the steps.
    pub fn rename(&mut self, steps: Vec<String>) {
        self.steps = steps;
    }

    /// Returns the plan as text in the format that `validate` reads.
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

    /// Returns the number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn plan(&self) -> ParsedPlan {
        let steps = (1..).zip(&self.steps).map(|(line, action)| PlanStep {
            line,
            action: action.clone(),
            time: None,
        });
        ParsedPlan {
            steps: steps.collect(),
        }
    }
}

/// The report of a search: the plan if one was found, and the statistics.
pub struct Report {
    /// The name of the problem.
    pub problem: String,
    pub planner: String,
    /// Whether the planner is an external program, which reports no statistics.
    pub external: bool,
    pub outcome: SearchOutcome,
    /// If no plan was found: a sentence for each undefined value that may be the reason.
    pub undefined: Vec<String>,
    /// If no plan was found: a sentence for each conjunct of the goal that no reachable state satisfies.
    pub unreachable: Vec<String>,
    /// Whether the problem has a goal.
    pub has_goal: bool,
    pub costs: Costs,
    pub found: Option<FoundPlan>,
    pub validation: Option<Validation>,
    /// The terms of the metric that its value does not include, as text.
    pub beside_metric: String,
    pub statistics: SearchStatistics,
    /// The time that reading and grounding took.
    pub compiled: Duration,
    /// The CPU time that reading and grounding took.
    pub compiled_cpu: Duration,
    pub searched_cpu: Duration,
}

/// The result for one of several problems.
pub struct PlanResult {
    pub domain: String,
    pub solved: Result<Report, Unplanned>,
}

/// A problem for which no search began, or whose search failed. An example is a problem that cannot be grounded within
/// the limits.
#[derive(Serialize)]
pub struct Unplanned {
    pub problem: String,
    pub error: String,
}

/// The JSON form of a [`PlanResult`].
#[derive(Serialize)]
pub struct ResultData<'a> {
    domain: &'a str,
    #[serde(flatten)]
    result: ReportOrError<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ReportOrError<'a> {
    Report(Box<Data<'a>>),
    Error {
        #[serde(flatten)]
        unplanned: &'a Unplanned,
        outcome: &'static str,
    },
}

impl PlanResult {
    pub fn data(&self) -> ResultData<'_> {
        let result = match &self.solved {
            Ok(report) => ReportOrError::Report(Box::new(report.data())),
            Err(unplanned) => ReportOrError::Error {
                unplanned,
                outcome: "failed",
            },
        };
        ResultData {
            domain: &self.domain,
            result,
        }
    }

    /// Returns the row of a table of several problems: the problem, the outcome, the cost, the number of steps, the expanded
    /// states and the seconds.
    pub fn row(&self) -> Vec<String> {
        match &self.solved {
            Ok(report) => report.row(),
            Err(unplanned) => {
                let mut row = vec!["–".to_owned(); 6];
                row[0].clone_from(&unplanned.problem);
                row[1] = "failed".to_owned();
                row
            }
        }
    }
}

/// How a search judged plans.
pub struct Costs {
    pub follows_metric: bool,
    /// A clause that says why the metric is not followed, or not exactly.
    pub fault: Option<String>,
}

impl Costs {
    /// Describes the costs of the steps of a task.
    pub fn of(costs: &StepCosts, task: &GroundTask) -> Self {
        Self {
            follows_metric: costs.follows_metric(),
            fault: costs.metric_fault(task),
        }
    }

    /// Returns a note if the metric is not followed, or not exactly; `judge` names the search or planner that
    /// minimises the number of steps if it is not followed.
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

/// The JSON form of a [`Report`].
#[derive(Serialize)]
pub struct Data<'a> {
    problem: &'a str,
    outcome: &'static str,
    /// Whether there is a plan; `null` if the search has shown neither.
    solvable: Option<bool>,
    planner: &'a str,
    plan: Option<&'a [String]>,
    /// The cost that the search minimises.
    cost: Option<f64>,
    proven_optimal: Option<bool>,
    /// A cost that no plan is below, if the search has shown one.
    lower_bound: Option<f64>,
    /// The reason why numbers may be rounded, so that the search has proven nothing.
    rounding: Option<String>,
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

impl Report {
    pub fn data(&self) -> Data<'_> {
        let statistics = self.statistics;
        let (found, validation) = (self.found.as_ref(), self.validation.as_ref());
        Data {
            problem: &self.problem,
            outcome: self.outcome.name(),
            solvable: match self.outcome {
                SearchOutcome::ProvenUnsolvable => Some(false),
                _ => self.found.is_some().then_some(true),
            },
            planner: &self.planner,
            plan: found.map(|found| found.steps.as_slice()),
            cost: found.map(|found| found.cost),
            proven_optimal: found.map(|found| found.proven_optimal),
            lower_bound: statistics.lower_bound,
            rounding: statistics.rounding.map(|rounding| rounding.to_string()),
            undefined_values: &self.undefined,
            unreachable_goals: &self.unreachable,
            metric: validation.and_then(|validation| validation.metric),
            goal_probability: validation.map(|validation| validation.goal),
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

    /// Returns the answer of the command.
    pub const fn answer(&self) -> CommandOutcome {
        match self.outcome {
            SearchOutcome::Cancelled => CommandOutcome::Interrupted,
            _ if self.found.is_some() => CommandOutcome::Yes,
            _ => CommandOutcome::No,
        }
    }

    /// Returns the row of [`PlanResult::row`].
    fn row(&self) -> Vec<String> {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let steps = self.found.as_ref().map(|found| found.steps.len());
        let outcome = match &self.outcome {
            SearchOutcome::Plan(plan) if plan.proven_optimal => "plan, optimal",
            SearchOutcome::ProvenUnsolvable => "none exists",
            SearchOutcome::Exhausted => "none found",
            SearchOutcome::Cancelled => "stopped",
            outcome => outcome.name(),
        };
        vec![
            self.problem.clone(),
            outcome.to_owned(),
            or_none(self.found.as_ref().map(|found| significant(found.cost))),
            or_none(steps.map(|steps| steps.to_string())),
            or_none((!self.external).then(|| grouped(self.statistics.expanded))),
            format!("{:.3}", (self.compiled + self.statistics.time).as_secs_f64()),
        ]
    }

    /// Prints the report; `names_problem` says whether it names the problem.
    pub fn print(&self, names_problem: bool) -> io::Result<()> {
        let mut out = output::out();
        if let Some(found) = &self.found {
            write!(out, "{}", found.text())?;
        }
        writeln!(out, "; {}", self.verdict())?;
        for sentence in self.unreachable.iter().chain(&self.undefined) {
            writeln!(out, "; {sentence}")?;
        }
        if let Some(validation) = &self.validation {
            if !validation.is_valid() {
                writeln!(
                    out,
                    "; it reaches the goal with probability {:.6}",
                    validation.goal
                )?;
            }
            // A plan whose cost is the metric has said its value.
            let cost_is_metric = self
                .found
                .as_ref()
                .is_some_and(|found| found.meaning == CostMeaning::Metric);
            if let (Some(metric), false) = (validation.metric, cost_is_metric) {
                let metric = significant(metric);
                writeln!(out, "; value of the metric = {metric}{}", self.beside_metric)?;
            }
        }
        if let Some(rounding) = self.statistics.rounding {
            writeln!(out, "; numbers may be rounded, so nothing is proven: {rounding}")?;
        }
        if let Some(note) = self.costs.note("the search") {
            writeln!(out, "; {note}")?;
        }
        if names_problem {
            writeln!(out, "; problem {}", self.problem)?;
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
            "; planner {}: {expanded} in {seconds:.3} s after {:.3} s of grounding",
            self.planner,
            self.compiled.as_secs_f64(),
        )?;
        out.flush()
    }

    fn verdict(&self) -> String {
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
            SearchOutcome::Exhausted if self.statistics.rounding.is_some() => {
                "no plan was found, but there may be one".to_owned()
            }
            SearchOutcome::Exhausted => {
                "no plan was found: this planner's search space has no plan; another planner may find one"
                    .to_owned()
            }
            SearchOutcome::OutOfTime => {
                format!("no plan was found within the time limit (--time){}", self.bound())
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
        let bound = self.statistics.lower_bound.map(significant);
        bound.map_or_else(String::new, |bound| {
            format!("; every plan costs at least {bound}")
        })
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
        match statistics.expanded {
            few @ 0..1000 => few.to_string(),
            many => short(many as f64),
        },
        short(statistics.evaluated as f64 / seconds),
        best.unwrap_or_default(),
        cost.unwrap_or_default(),
    )
}
