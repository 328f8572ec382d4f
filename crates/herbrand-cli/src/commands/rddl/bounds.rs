//! `herbrand rddl bounds`.

use std::io::Write as _;

use clap::Args;
use herbrand::rddl::Horizon;
use herbrand::rddl::interval::{HorizonBounds, Interval, Spread};
use herbrand::rddl::simulate::Fluents;
use herbrand::rddl::suite::RddlError;
use serde::Serialize;

use super::Asked;
use crate::Answer;
use crate::failure::Failure;
use crate::output::{self, Format};

/// Bounds of all fluents, and of the return, step by step
///
/// Whatever the actions, every value is within its bounds. They may be wider than what can happen, for values that depend on each
/// other are taken to be independent. JSON has the bounds of every step; the table those before the last step, and the widest reward.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand rddl bounds rddl/mountain-car --steps 50
  herbrand rddl bounds --domain domain.rddl --problem instance.rddl --between 0.05 0.95
  herbrand rddl bounds rddl/elevators --problem 2 --format json")]
pub struct Bounds {
    #[command(flatten)]
    asked: Asked,

    /// How many steps to look ahead [default: the horizon, or 100]
    #[arg(long, value_name = "N")]
    steps: Option<u32>,

    /// Take draws to be between two of their quantiles, in place of all that is possible
    #[arg(long, num_args = 2, value_names = ["LOW", "HIGH"], value_parser = quantile)]
    between: Option<Vec<f64>>,
}

fn quantile(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if 0.0 < value && value < 1.0 => Ok(value),
        _ => Err("not a number between 0 and 1".to_owned()),
    }
}

/// Ends of an interval; none if it has no end.
type Ends = [Option<f64>; 2];

#[derive(Serialize)]
struct Report {
    problem: String,
    actions: Vec<(String, Ends)>,
    /// The bounds of the discounted return.
    total: Ends,
    steps: Vec<Step>,
    /// State fluents after the last step.
    last: Vec<(String, Ends)>,
}

#[derive(Serialize)]
struct Step {
    state: Vec<(String, Ends)>,
    interm: Vec<(String, Ends)>,
    observ: Vec<(String, Ends)>,
    reward: Ends,
}

fn ends(interval: &Interval) -> Ends {
    [interval.low, interval.high].map(|end| end.is_finite().then_some(end))
}

impl Bounds {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let instance = self.asked.instance()?;
        let steps = self.steps.unwrap_or(match instance.horizon {
            Horizon::Steps(steps) => steps,
            Horizon::Infinite => 100,
        });
        let spread = match self.between.as_deref() {
            Some([low, high]) if low > high => {
                return Err(Failure::Request(format!("--between: {low} is more than {high}")));
            }
            Some([low, high]) => Spread::Between(*low, *high),
            _ => Spread::Support,
        };
        let found =
            HorizonBounds::new(&instance, steps, spread, &self.asked.budget()).map_err(RddlError::from)?;
        match format {
            Format::Json => output::json(&report(&found))?,
            Format::Text => text(&found)?,
        }
        Ok(Answer::Yes)
    }
}

fn named(found: &HorizonBounds, fluents: &Fluents, intervals: &[Interval]) -> Vec<(String, Ends)> {
    let names = (0..fluents.len()).map(|at| found.process.name(fluents, at));
    names.zip(intervals.iter().map(ends)).collect()
}

fn report(found: &HorizonBounds) -> Report {
    let process = &found.process;
    Report {
        problem: process.instance.name.to_string(),
        actions: named(found, &process.action, &found.actions),
        total: ends(&found.total),
        steps: found
            .steps
            .iter()
            .map(|step| Step {
                state: named(found, &process.state, &step.state),
                interm: named(found, &process.interm, &step.interm),
                observ: named(found, &process.observ, &step.observ),
                reward: ends(&step.reward),
            })
            .collect(),
        last: named(found, &process.state, &found.last),
    }
}

fn text(found: &HorizonBounds) -> Result<(), Failure> {
    let process = &found.process;
    let number = |end: f64| {
        if end.is_finite() {
            output::short(end)
        } else {
            format!("{end}")
        }
    };
    let row = |name: String, interval: &Interval| vec![name, number(interval.low), number(interval.high)];
    let mut rows = Vec::new();
    if let Some(last) = found.steps.last() {
        let parts = [
            (&process.action, &found.actions, ""),
            (&process.interm, &last.interm, ""),
            (&process.state, &found.last, "'"),
            (&process.observ, &last.observ, ""),
        ];
        for (fluents, intervals, prime) in parts {
            for (at, interval) in intervals.iter().enumerate() {
                rows.push(row(format!("{}{prime}", process.name(fluents, at)), interval));
            }
        }
        rows.push(row("reward".to_owned(), &last.reward));
    }
    rows.push(row(
        format!("return over {} steps", found.steps.len()),
        &found.total,
    ));
    output::table(&[("value", false), ("least", true), ("greatest", true)], rows)?;
    if found.steps.is_empty() {
        writeln!(output::out(), "no steps")?;
    }
    Ok(())
}
