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
    /// A cell for each column.
    fn cells(&self, columns: &[Column]) -> Vec<String> {
        let report = &self.report;
        let paid = |value: f64| {
            if report.counted > 0 && (report.rewards || report.non_finite.is_some()) {
                fixed(value, 3)
            } else {
                NONE.to_owned()
            }
        };
        let observed =
            |text: fn(&Observed) -> String| self.observed.as_ref().map_or_else(|| NONE.to_owned(), text);
        let cell = |column: &Column| match column {
            Column::Domain => match &report.problem {
                Some(problem) => format!("{} {problem}", report.domain),
                None => report.domain.clone(),
            },
            Column::Problems => report.problems.to_string(),
            Column::Episodes => grouped(report.episodes),
            Column::Steps => grouped(report.steps),
            Column::Rate => short(report.steps_per_s),
            Column::Observation => observed(|observed| grouped(observed.elements as u64)),
            Column::ObservedRate => observed(|observed| short(observed.steps_per_s)),
            Column::Cost => observed(|observed| short(observed.nanoseconds)),
            Column::Valid => format!("{:.2}", report.valid_actions),
            Column::Goals => report.goals.map_or_else(|| NONE.to_owned(), grouped),
            Column::DeadEnds => grouped(report.dead_ends),
            Column::Terminal => grouped(report.ends.terminal),
            Column::Invariant => grouped(report.ends.invariant),
            Column::Horizon => grouped(report.ends.horizon),
            Column::Stopped => grouped(report.ends.stopped),
            Column::Return => paid(report.mean_return),
            Column::Deviation => paid(report.return_deviation),
            Column::Discounted => paid(report.mean_discounted_return),
        };
        columns.iter().map(cell).collect()
    }
}

/// The text of a cell without a value.
const NONE: &str = "–";

/// A column of the table.
#[derive(Clone, Copy)]
enum Column {
    Domain,
    Problems,
    Episodes,
    Steps,
    Rate,
    Observation,
    ObservedRate,
    Cost,
    Valid,
    Goals,
    DeadEnds,
    Terminal,
    Invariant,
    Horizon,
    Stopped,
    Return,
    Deviation,
    Discounted,
}

impl Column {
    /// The columns that some rows need.
    fn of(rows: &[Row]) -> Vec<Self> {
        let mut columns = vec![
            Self::Domain,
            Self::Problems,
            Self::Episodes,
            Self::Steps,
            Self::Rate,
        ];
        if rows.iter().any(|row| row.observed.is_some()) {
            columns.extend([Self::Observation, Self::ObservedRate, Self::Cost]);
        }
        columns.push(Self::Valid);
        if rows.is_empty() || rows.iter().any(|row| row.report.goals.is_some()) {
            columns.extend([Self::Goals, Self::DeadEnds]);
        }
        let any = |count: fn(&EndCounts) -> u64| rows.iter().any(|row| count(&row.report.ends) > 0);
        let ends = [
            (Self::Terminal, any(|ends| ends.terminal)),
            (Self::Invariant, any(|ends| ends.invariant)),
            (Self::Horizon, any(|ends| ends.horizon)),
            (Self::Stopped, any(|ends| ends.stopped)),
        ];
        columns.extend(
            ends.into_iter()
                .filter(|(_, occurs)| *occurs)
                .map(|(column, _)| column),
        );
        if rows
            .iter()
            .any(|row| row.report.rewards || row.report.non_finite.is_some())
        {
            columns.extend([Self::Return, Self::Deviation, Self::Discounted]);
        }
        columns
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Domain => "domain",
            Self::Problems => "problems",
            Self::Episodes => "episodes",
            Self::Steps => "steps",
            Self::Rate => "steps/s",
            Self::Observation => "observation",
            Self::ObservedRate => "observed steps/s",
            Self::Cost => "ns/observation",
            Self::Valid => "valid actions",
            Self::Goals => "goals",
            Self::DeadEnds => "dead ends",
            Self::Terminal => "terminal",
            Self::Invariant => "invariant",
            Self::Horizon => "at horizon",
            Self::Stopped => "stopped",
            Self::Return => "return",
            Self::Deviation => "±",
            Self::Discounted => "discounted",
        }
    }

    /// The footer text that explains the column, if its title does not.
    const fn meaning(self) -> Option<&'static str> {
        Some(match self {
            Self::Observation => "observation: the length of an observation",
            Self::ObservedRate => "observed steps/s: steps per second with an observation of every state",
            Self::Cost => "ns/observation: the extra time per step",
            Self::Valid => "valid actions: mean number per state",
            Self::Goals => "goals: steps that reached the goal",
            Self::DeadEnds => "dead ends: episodes that ended in a state without a valid action",
            Self::Terminal => "terminal: episodes that ended by a termination condition",
            Self::Invariant => "invariant: episodes that a broken state invariant ended",
            Self::Horizon => "at horizon: episodes that ended after the maximum number of steps",
            Self::Stopped => {
                "stopped: episodes that ended with the plan, with the time of the rollout, or at a refused action"
            }
            Self::Return => "return: mean return per episode",
            Self::Deviation => "±: standard deviation of the returns",
            Self::Discounted => "discounted: mean discounted return",
            _ => return None,
        })
    }
}

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
    let columns = Column::of(rows);
    let titles: Vec<_> = columns
        .iter()
        .map(|&column| (column.title(), !matches!(column, Column::Domain)))
        .collect();
    output::table(&titles, rows.iter().map(|row| row.cells(&columns)))?;
    let meanings = columns.iter().filter_map(|column| column.meaning());
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
