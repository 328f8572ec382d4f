//! `herbrand rddl bounds`.

use std::io::Write as _;

use clap::Args;
use herbrand::rddl::Horizon;
use herbrand::rddl::interval::{DrawCoverage, HorizonBounds, Interval, LostBound, NanBound};
use herbrand::rddl::simulate::GroundFluents;
use herbrand::rddl::suite::RddlError;
use serde::Serialize;

use super::ProblemOptions;
use crate::failure::{Failure, refuse};
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};

/// Compute bounds of all fluents and of the return, step by step
///
/// The bounds hold for every choice of actions that satisfy the preconditions. Before each step but the first, state invariants
/// hold and no termination condition does, because the episode has ended otherwise. The bounds can be wider than necessary,
/// because the analysis treats most dependent values as independent. A value that may be NaN is marked, since no bound contains
/// NaN; numbers without bounds count as finite. The JSON output has the bounds for every step; the table has the bounds after the
/// last step, and says at which step and why a value has no bound or may be NaN.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand rddl bounds rddl/mountain-car --steps 50
  herbrand rddl bounds --domain domain.rddl --problem instance.rddl --between 0.05 0.95
  herbrand rddl bounds rddl/elevators --problem 2 --format json")]
pub struct Bounds {
    #[command(flatten)]
    pub(super) asked: ProblemOptions,

    /// The number of steps to look ahead [default: the horizon, or 100]
    #[arg(long, value_name = "N")]
    steps: Option<u32>,

    /// Restrict random draws to the range between these two quantiles
    #[arg(long, num_args = 2, value_names = ["LOW", "HIGH"], value_parser = quantile)]
    between: Option<Vec<f64>>,
}

fn quantile(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(value) if 0.0 < value && value < 1.0 => Ok(value),
        _ => Err("not a number between 0 and 1"),
    }
}

/// The ends of an interval; `None` where it is unbounded.
type Ends = [Option<f64>; 2];

#[derive(Serialize)]
struct Report {
    problem: String,
    actions: Vec<(String, Ends)>,
    /// The bounds of the discounted return.
    total: Ends,
    steps: Vec<Step>,
    /// The bounds of the state fluents after the last step.
    last: Vec<(String, Ends)>,
    /// The values that lose a bound: the first step at which it is missing, and the cause.
    lost: Vec<Lost>,
    /// The values that may be NaN, which no bound contains: the first step at which they may be.
    nan: Vec<Lost>,
}

/// A value that loses a bound, or may be NaN, from a step on.
#[derive(Serialize)]
struct Lost {
    of: String,
    step: usize,
    by: String,
}

#[derive(Serialize)]
struct Step {
    state: Vec<(String, Ends)>,
    interm: Vec<(String, Ends)>,
    observ: Vec<(String, Ends)>,
    reward: Ends,
}

/// Larger ends count as unbounded, because RDDL ints have 64 bits.
const UNBOUNDED: f64 = i64::MAX as f64;

fn ends(interval: &Interval) -> Ends {
    [interval.low, interval.high].map(|end| (end.abs() < UNBOUNDED).then_some(end))
}

/// Formats an end of an interval for a table, with up to six decimals (fewer for large values), or `no bound`.
fn number(end: f64) -> String {
    let size = end.abs();
    let decimals = match size {
        _ if size.is_nan() => return "no number".to_owned(),
        UNBOUNDED.. => return "no bound".to_owned(),
        1e15.. => return format!("{end:.3e}"),
        1e3.. => 2,
        1.0.. => 3,
        _ => 6,
    };
    let text = format!("{size:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), output::grouped);
    let sign = if end < 0.0 && (whole != "0" || !fraction.is_empty()) {
        "-"
    } else {
        ""
    };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

/// The number of values without bounds, and of values that may be NaN, that are listed.
const LISTED: usize = 12;

impl Bounds {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let instance = self.asked.instance()?;
        let steps = self.steps.unwrap_or(match instance.horizon {
            Horizon::Steps(steps) => steps,
            Horizon::Infinite => 100,
        });
        let coverage = match self.between.as_deref() {
            Some([low, high]) if low > high => {
                return refuse(format!("--between needs LOW at most HIGH, not {low} and {high}"));
            }
            Some([low, high]) => DrawCoverage::Between(*low, *high),
            _ => DrawCoverage::Support,
        };
        let found =
            HorizonBounds::new(&instance, steps, coverage, &self.asked.budget()).map_err(RddlError::from)?;
        match format {
            Format::Json => output::json(&report(&found))?,
            Format::Text => text(&found)?,
        }
        Ok(CommandOutcome::Yes)
    }
}

impl Lost {
    fn bound(LostBound { of, step, by }: &LostBound) -> Self {
        let (of, step, by) = (of.clone(), *step, by.clone());
        Self { of, step, by }
    }

    fn number(NanBound { of, step, by }: &NanBound) -> Self {
        let (of, step, by) = (of.clone(), *step, by.clone());
        Self { of, step, by }
    }
}

fn named(found: &HorizonBounds, fluents: &GroundFluents, intervals: &[Interval]) -> Vec<(String, Ends)> {
    let names = (0..fluents.len()).map(|at| found.compiled.name(fluents, at));
    names.zip(intervals.iter().map(ends)).collect()
}

fn report(found: &HorizonBounds) -> Report {
    let compiled = &found.compiled;
    Report {
        problem: compiled.instance.name.to_string(),
        actions: named(found, &compiled.action, &found.actions),
        total: ends(&found.total),
        steps: found
            .steps
            .iter()
            .map(|step| Step {
                state: named(found, &compiled.state, &step.state),
                interm: named(found, &compiled.interm, &step.interm),
                observ: named(found, &compiled.observ, &step.observ),
                reward: ends(&step.reward),
            })
            .collect(),
        last: named(found, &compiled.state, &found.last),
        lost: found.lost.iter().map(Lost::bound).collect(),
        nan: found.nan.iter().map(Lost::number).collect(),
    }
}

fn text(found: &HorizonBounds) -> Result<(), Failure> {
    let compiled = &found.compiled;
    let row = |name: String, interval: &Interval| {
        let nan = if interval.nan { " or NaN" } else { "" };
        vec![
            name,
            number(interval.low),
            format!("{}{nan}", number(interval.high)),
        ]
    };
    let mut rows = Vec::new();
    if let Some(last) = found.steps.last() {
        let parts = [
            (&compiled.action, &found.actions, ""),
            (&compiled.interm, &last.interm, ""),
            (&compiled.state, &found.last, "'"),
            (&compiled.observ, &last.observ, ""),
        ];
        for (fluents, intervals, prime) in parts {
            for (at, interval) in intervals.iter().enumerate() {
                rows.push(row(format!("{}{prime}", compiled.name(fluents, at)), interval));
            }
        }
        rows.push(row("reward".to_owned(), &last.reward));
    }
    let name = output::return_name(compiled.instance.discount);
    rows.push(row(
        format!("{name} over {} steps", found.steps.len()),
        &found.total,
    ));
    output::table(
        &[("value", false), ("lower bound", true), ("upper bound", true)],
        rows,
    )?;
    if found.steps.is_empty() {
        writeln!(output::out(), "no steps")?;
    }
    let mut out = output::out();
    for LostBound { of, step, by } in found.lost.iter().take(LISTED) {
        writeln!(out, "{of} has no bound from step {step} on: {by}")?;
    }
    if let Some(more) = found.lost.len().checked_sub(LISTED).filter(|&more| more > 0) {
        writeln!(out, "{more} more values have no bound; --format json lists them")?;
    }
    for NanBound { of, step, by } in found.nan.iter().take(LISTED) {
        writeln!(out, "{of} may be NaN from step {step} on: {by}")?;
    }
    if let Some(more) = found.nan.len().checked_sub(LISTED).filter(|&more| more > 0) {
        writeln!(out, "{more} more values may be NaN; --format json lists them")?;
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_written_in_one_style() {
        for (end, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-1e-9, "0"),
            (1.0, "1"),
            (0.000_25, "0.00025"),
            (-1832.0, "-1,832"),
            (25_750.254, "25,750.25"),
            (-348_458.0, "-348,458"),
            (12.5, "12.5"),
            (-2.5e17, "-2.500e17"),
            (i64::MAX as f64, "no bound"),
            (f64::INFINITY, "no bound"),
            (f64::NEG_INFINITY, "no bound"),
        ] {
            assert_eq!(number(end), text, "{end}");
        }
    }
}
