//! Plans for several problems, or by several planners, as a table.

use herbrand::plan::SearchOutcome;
use herbrand::tasks::plan::{PlanAnswer, PlanReport, PlanReturns, PolicyReport};
use serde::Serialize;

use super::print::returns_cells;
use crate::failure::Failure;
use crate::output::{self, Format, grouped, significant};

/// The result for one of several problems, or of one of several planners.
#[derive(Serialize)]
pub struct PlanRow {
    domain: String,
    #[serde(flatten)]
    result: RowResult,
    /// The planner, if the rows compare planners.
    #[serde(skip)]
    planner: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum RowResult {
    Answer(PlanAnswer),
    Failed {
        problem: String,
        error: String,
        outcome: &'static str,
    },
}

/// The text of a cell without a value.
const NONE: &str = "–";

impl PlanRow {
    /// Creates a row for an answer, or for a problem that failed with an error.
    pub fn new(
        domain: &str,
        planner: Option<&'static str>,
        answer: Result<PlanAnswer, (String, String)>,
    ) -> Self {
        Self {
            domain: domain.to_owned(),
            planner,
            result: match answer {
                Ok(answer) => RowResult::Answer(answer),
                Err((problem, error)) => RowResult::Failed {
                    problem,
                    error,
                    outcome: "failed",
                },
            },
        }
    }

    /// Returns the first cell: the planner or the problem.
    fn title(&self) -> String {
        let problem = match &self.result {
            RowResult::Answer(answer) => answer.problem(),
            RowResult::Failed { problem, .. } => problem,
        };
        self.planner.unwrap_or(problem).to_owned()
    }

    fn paid(&self) -> Option<&PlanReturns> {
        match &self.result {
            RowResult::Answer(PlanAnswer::Straight(report)) => report.paid.as_ref(),
            RowResult::Answer(PlanAnswer::Acting(report)) => Some(&report.paid),
            _ => None,
        }
    }

    /// Returns the cells of a table of returns.
    fn cells_of_returns(&self) -> Vec<String> {
        let (steps, seconds) = match &self.result {
            RowResult::Answer(PlanAnswer::Straight(report)) => (report.plan.len(), report.seconds),
            RowResult::Answer(PlanAnswer::Acting(report)) => (report.first.len(), report.seconds),
            _ => return failed(self.title(), 7),
        };
        let paid = self
            .paid()
            .map_or_else(|| [NONE; 4].map(str::to_owned), returns_cells);
        let mut cells = vec![self.title(), steps.to_string()];
        cells.extend(paid);
        cells.push(format!("{seconds:.2}"));
        cells
    }

    /// Returns the cells of a table of goals.
    fn cells(&self) -> Vec<String> {
        let cells = match &self.result {
            RowResult::Answer(PlanAnswer::Plan(report)) => of_plan(report),
            RowResult::Answer(PlanAnswer::Policy(report)) => of_policy(report),
            _ => return failed(self.title(), 7),
        };
        [self.title()].into_iter().chain(cells).collect()
    }
}

/// Returns the cells of a row without an answer.
fn failed(title: String, columns: usize) -> Vec<String> {
    let mut cells = vec![NONE.to_owned(); columns];
    cells[0] = title;
    cells[1] = "failed".to_owned();
    cells
}

fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| NONE.to_owned())
}

fn of_plan(report: &PlanReport) -> [String; 6] {
    let outcome = match &report.outcome {
        SearchOutcome::Plan(plan) if plan.proven_optimal => "plan, optimal",
        SearchOutcome::ProvenUnsolvable => "none exists",
        SearchOutcome::Exhausted => "none found",
        SearchOutcome::Cancelled => "stopped",
        outcome => outcome.name(),
    };
    let steps = report.plan.as_ref().map(|plan| plan.len().to_string());
    [
        outcome.to_owned(),
        or_none(report.goal_probability.map(|goal| format!("{goal:.4}"))),
        or_none(report.cost.map(significant)),
        or_none(steps),
        or_none((!report.external).then(|| grouped(report.counts.expanded))),
        format!("{:.3}", report.compile_seconds + report.search_seconds),
    ]
}

fn of_policy(report: &PolicyReport) -> [String; 6] {
    let sampled = report.runs.as_ref().filter(|_| !report.exact);
    let share = report.goal_probability.map(|share| match sampled {
        Some(runs) => format!("{share:.4} ({:.4}–{:.4})", runs.interval[0], runs.interval[1]),
        None => format!("{share:.4}"),
    });
    let outcome = if report.optimal {
        "policy, optimal"
    } else {
        report.outcome
    };
    let seconds = [report.policy_seconds, report.run_seconds].map(Option::unwrap_or_default);
    [
        outcome.to_owned(),
        or_none(share),
        or_none(report.expected_cost.map(output::reward)),
        NONE.to_owned(),
        or_none(report.states.map(|states| grouped(states as u64))),
        format!("{:.3}", report.compile_seconds + seconds[0] + seconds[1]),
    ]
}

/// Prints the rows: as JSON, or as a table.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn print(rows: &[PlanRow], format: Format) -> Result<(), Failure> {
    if format == Format::Json {
        return Ok(output::json(&rows)?);
    }
    let is_policy = |row: &PlanRow| matches!(row.result, RowResult::Answer(PlanAnswer::Policy(_)));
    let first = if rows.iter().any(|row| row.planner.is_some()) {
        "planner"
    } else {
        "problem"
    };
    if rows.iter().any(|row| row.paid().is_some()) {
        let columns = [
            (first, false),
            ("steps", true),
            ("mean return", true),
            ("±", true),
            ("doing nothing", true),
            ("random actions", true),
            ("seconds", true),
        ];
        return Ok(output::table(
            &columns,
            rows.iter().map(PlanRow::cells_of_returns),
        )?);
    }
    let only_policies = !rows.is_empty() && rows.iter().all(is_policy);
    let mut columns = vec![
        (first, false),
        ("outcome", false),
        ("P(goal)", true),
        ("cost", true),
        ("steps", true),
        (if only_policies { "states" } else { "expanded" }, true),
        ("seconds", true),
    ];
    let mut cells: Vec<_> = rows.iter().map(PlanRow::cells).collect();
    let mut leave_out = |column: usize| {
        columns.remove(column);
        for row in &mut cells {
            row.remove(column);
        }
    };
    if only_policies {
        leave_out(4);
    }
    let is_certain = |row: &PlanRow| match &row.result {
        RowResult::Answer(PlanAnswer::Plan(report)) => report.goal_probability.unwrap_or(1.0) > 1.0 - 1e-9,
        RowResult::Answer(_) => false,
        RowResult::Failed { .. } => true,
    };
    // Without chance, every plan reaches the goal.
    if rows.iter().all(is_certain) {
        leave_out(2);
    }
    Ok(output::table(&columns, cells)?)
}
