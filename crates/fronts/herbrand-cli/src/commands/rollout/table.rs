//! The results of rollouts, as data and as a table.

use std::io::Write;

use herbrand::core::{ActionCount, EndCounts, Rollout};
use herbrand::tasks::FaultTotals;
use herbrand::tasks::rollout::RolloutReport;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{self, fixed, grouped, short};

/// One set of problems.
#[derive(Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    pub(super) report: RolloutReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) observed: Option<Observed>,
    /// Where and why the plan that was to be followed stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plan_stops: Option<String>,
}

/// The same rollout with an observation of every state.
#[derive(Serialize)]
pub(super) struct Observed {
    mode: String,
    /// The length of an observation.
    elements: usize,
    steps_per_s: f64,
    /// The additional nanoseconds per step.
    nanoseconds: f64,
}

impl Observed {
    pub(super) fn new(mode: &str, elements: usize, plain: &RolloutReport, observed: &Rollout) -> Self {
        let each = |seconds: f64, steps: u64| seconds * 1e9 / steps.max(1) as f64;
        let (before, after) = (
            each(plain.seconds, plain.steps),
            each(observed.seconds, observed.steps),
        );
        Self {
            mode: mode.to_owned(),
            elements,
            steps_per_s: observed.steps_per_second(),
            nanoseconds: (after - before).max(0.0),
        }
    }
}

impl Row {
    /// Returns the text of the observation, if there is one.
    fn observation(&self, text: impl Fn(&Observed) -> String) -> String {
        self.observed.as_ref().map_or_else(none, text)
    }

    fn has_returns(&self) -> bool {
        self.report.rewards || self.report.non_finite.is_some()
    }

    /// Returns the text of a mean of the returns, or of their deviation.
    fn paid(&self, value: f64) -> String {
        if self.report.counted > 0 && self.has_returns() {
            fixed(value, 3)
        } else {
            none()
        }
    }
}

/// The text of a cell without a value.
fn none() -> String {
    "–".to_owned()
}

/// A column of the table.
struct Column {
    title: &'static str,
    /// The text in the footer that explains the column, if its title does not.
    meaning: Option<&'static str>,
    /// Whether rows need the column.
    needs: fn(&[Row]) -> bool,
    cell: fn(&Row) -> String,
}

const fn column(
    title: &'static str,
    meaning: Option<&'static str>,
    needs: fn(&[Row]) -> bool,
    cell: fn(&Row) -> String,
) -> Column {
    Column {
        title,
        meaning,
        needs,
        cell,
    }
}

fn always(_: &[Row]) -> bool {
    true
}

fn are_observed(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.observed.is_some())
}

fn have_goals(rows: &[Row]) -> bool {
    rows.is_empty() || rows.iter().any(|row| row.report.goals.is_some())
}

fn have_returns(rows: &[Row]) -> bool {
    rows.iter().any(Row::has_returns)
}

/// Returns whether an episode has an end of some kind.
fn end(rows: &[Row], count: fn(&EndCounts) -> u64) -> bool {
    rows.iter().any(|row| count(&row.report.ends) > 0)
}

/// The columns in their order.
const COLUMNS: [Column; 18] = [
    column("domain", None, always, |row| match &row.report.problem {
        Some(problem) => format!("{} {problem}", row.report.domain),
        None => row.report.domain.clone(),
    }),
    column("problems", None, always, |row| row.report.problems.to_string()),
    column("episodes", None, always, |row| grouped(row.report.episodes)),
    column("steps", None, always, |row| grouped(row.report.steps)),
    column("steps/s", None, always, |row| short(row.report.steps_per_s)),
    column(
        "observation",
        Some("observation: the length of an observation"),
        are_observed,
        |row| row.observation(|observed| grouped(observed.elements as u64)),
    ),
    column(
        "observed steps/s",
        Some("observed steps/s: steps per second with an observation of every state"),
        are_observed,
        |row| row.observation(|observed| short(observed.steps_per_s)),
    ),
    column(
        "ns/observation",
        Some("ns/observation: the extra time per step"),
        are_observed,
        |row| row.observation(|observed| short(observed.nanoseconds)),
    ),
    column(
        "valid actions",
        Some("valid actions: mean number per state"),
        always,
        |row| format!("{:.2}", row.report.valid_actions),
    ),
    column(
        "goals",
        Some("goals: steps that reached the goal"),
        have_goals,
        |row| row.report.goals.map_or_else(none, grouped),
    ),
    column(
        "dead ends",
        Some("dead ends: episodes that ended in a state without a valid action"),
        have_goals,
        |row| grouped(row.report.dead_ends),
    ),
    column(
        "terminal",
        Some("terminal: episodes that ended by a termination condition"),
        |rows| end(rows, |ends| ends.terminal),
        |row| grouped(row.report.ends.terminal),
    ),
    column(
        "invariant",
        Some("invariant: episodes that a broken state invariant ended"),
        |rows| end(rows, |ends| ends.invariant),
        |row| grouped(row.report.ends.invariant),
    ),
    column(
        "at horizon",
        Some("at horizon: episodes that ended after the maximum number of steps"),
        |rows| end(rows, |ends| ends.horizon),
        |row| grouped(row.report.ends.horizon),
    ),
    column(
        "stopped",
        Some(
            "stopped: episodes that ended where the plan or the policy stops, with the time of the rollout, or at a refused action",
        ),
        |rows| end(rows, |ends| ends.stopped),
        |row| grouped(row.report.ends.stopped),
    ),
    column(
        "return",
        Some("return: mean return per episode"),
        have_returns,
        |row| row.paid(row.report.mean_return),
    ),
    column(
        "±",
        Some("±: standard deviation of the returns"),
        have_returns,
        |row| row.paid(row.report.return_deviation),
    ),
    column(
        "discounted",
        Some("discounted: mean discounted return"),
        have_returns,
        |row| row.paid(row.report.mean_discounted_return),
    ),
];

/// One line per row: its digest and its name.
pub(super) fn print_digests(rows: &[Row]) -> Result<(), Failure> {
    let mut out = output::out();
    for row in rows {
        writeln!(out, "{} {}", row.report.digest, row.report.domain)?;
    }
    Ok(out.flush()?)
}

/// Prints the table and the meaning of its columns.
pub(super) fn print(rows: &[Row]) -> Result<(), Failure> {
    let mut columns = Vec::from(COLUMNS);
    columns.retain(|column| (column.needs)(rows));
    let is_number = |(number, column): (usize, &Column)| (column.title, number > 0);
    let titles: Vec<_> = columns.iter().enumerate().map(is_number).collect();
    let cells = |row| columns.iter().map(|column| (column.cell)(row)).collect();
    output::table(&titles, rows.iter().map(cells))?;
    let meanings = columns.iter().filter_map(|column| column.meaning);
    let counts = [
        (ActionCount::Infinite, None, "∞: infinitely many"),
        (ActionCount::Unknown, Some(false), "–: too many to count"),
        (ActionCount::Unknown, Some(true), "–: uncountable"),
    ];
    let is_told = |count, real: Option<bool>| {
        let mut rows = rows.iter().filter(|row| row.report.valid_actions == count);
        rows.any(|row| real.is_none_or(|real| real == row.report.has_reals))
    };
    let meanings = meanings.chain(
        counts
            .into_iter()
            .filter_map(|(count, real, text)| is_told(count, real).then_some(text)),
    );
    let mut out = output::out();
    writeln!(out)?;
    for line in output::filled(meanings, "; ") {
        writeln!(out, "{line}")?;
    }
    for row in rows {
        if let Some(stop) = &row.plan_stops {
            writeln!(out, "{}: {stop}", row.report.domain)?;
        }
        if let Some(non_finite) = &row.report.non_finite {
            writeln!(
                out,
                "{}: {}",
                row.report.domain,
                non_finite.sentence(row.report.episodes)
            )?;
        }
        let totals = FaultTotals {
            violating: row.report.violating_steps.unwrap_or(0),
            steps: row.report.steps,
            effect: row.report.effect,
            broken: row.report.ends.invariant,
            episodes: row.report.episodes,
        };
        if let Some(sentence) = totals.sentence("episode") {
            let leaves_out = totals.broken > 0 && !row.report.counts_broken;
            let left_out = if leaves_out {
                ", which the means leave out"
            } else {
                ""
            };
            writeln!(out, "{}: {sentence}{left_out}", row.report.domain)?;
        }
        if row.report.uniform == Some(false) {
            writeln!(
                out,
                "{}: random actions are valid but not exactly uniform, because some preconditions restrict reals or are too large",
                row.report.domain
            )?;
        }
    }
    Ok(out.flush()?)
}
