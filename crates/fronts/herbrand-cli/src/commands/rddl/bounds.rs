//! `herbrand rddl bounds`.

use std::io::Write as _;

use clap::Args;
use herbrand::rddl::interval::{Interval, LostBound};
use herbrand::tasks::AnyProblems;
use herbrand::tasks::bounds::{BoundsAnswer, BoundsQuery, bounds};

use crate::failure::Failure;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::problem::ProblemArgs;

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
    pub(super) asked: ProblemArgs,

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

/// Larger ends count as unbounded, because RDDL ints have 64 bits.
const UNBOUNDED: f64 = i64::MAX as f64;

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
        let problems = AnyProblems::Rddl(self.asked.suite()?);
        let query = BoundsQuery {
            steps: self.steps,
            between: self.between.and_then(|ends| ends.try_into().ok()),
        };
        let answer = self.asked.run(|run| bounds(&problems, &query, run))?;
        match format {
            Format::Json => output::json(&answer)?,
            Format::Text => text(&answer)?,
        }
        Ok(CommandOutcome::Yes)
    }
}

fn text(answer: &BoundsAnswer) -> Result<(), Failure> {
    let found = &answer.found;
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
    for (list, has, have) in [
        (&found.lost, "has no bound", "have no bound"),
        (&found.nan, "may be NaN", "may be NaN"),
    ] {
        for LostBound { of, step, by } in list.iter().take(LISTED) {
            writeln!(out, "{of} {has} from step {step} on: {by}")?;
        }
        if let Some(more @ 1..) = list.len().checked_sub(LISTED) {
            writeln!(out, "{more} more values {have}; --format json lists them")?;
        }
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
