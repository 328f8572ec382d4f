//! `herbrand rddl diagram`.

use std::io::Write as _;

use clap::Args;
use herbrand::rddl::xadd::{Output, Xadd};
use herbrand::text::did_you_mean;
use serde::Serialize;

use super::{Drawn, OneFluent};
use crate::failure::{Failure, refuse};
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::problem::ProblemArgs;

/// Print a fluent's next value as an extended algebraic decision diagram (XADD)
///
/// The leaves of a diagram are polynomials of state and action fluents. A term that is no polynomial, such as `cos[angle]`, stands
/// in them like a variable. Random draws are variables: `u3` is uniform, `z3`
/// standard normal. Without a fluent, lists the size of every diagram.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand rddl diagram rddl/elevators
  herbrand rddl diagram rddl/elevators --problem 1 --of reward
  herbrand rddl diagram rddl/mountain-car --of \"vel'\" --out vel.svg
  herbrand rddl diagram domain.rddl instance.rddl \"stock'(apple)\"
  herbrand rddl diagram --domain domain.rddl --problem instance.rddl --of reward --format json")]
pub struct Diagram {
    #[command(flatten)]
    pub(super) asked: ProblemArgs,

    #[command(flatten)]
    fluent: OneFluent,

    /// Maximum number of nodes during construction
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    limit: usize,

    #[command(flatten)]
    drawn: Drawn,
}

/// The size of a diagram, or the reason why it was not built.
#[derive(Serialize)]
struct Size {
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Diagram {
    pub fn run(mut self, format: Format) -> Result<CommandOutcome, Failure> {
        let of = self.fluent.take(&mut self.asked)?;
        let step = self.asked.step()?;
        let compiled = step.compiled();
        let Some(name) = &of else {
            if self.drawn.out.is_some() {
                return refuse("--out draws a single fluent: name it with --of");
            }
            let size = |output: Output| {
                let found = Xadd::new(&step, output, self.limit);
                Size {
                    output: output.name(compiled),
                    nodes: found.as_ref().ok().map(Xadd::len),
                    error: found.err().map(|error| error.to_string()),
                }
            };
            let sizes: Vec<Size> = Output::all(compiled).into_iter().map(size).collect();
            match format {
                Format::Json => output::json(&sizes)?,
                Format::Text => {
                    let row = |size: &Size| {
                        let nodes = size.nodes.map_or_else(String::new, |nodes| nodes.to_string());
                        vec![size.output.clone(), nodes, size.error.clone().unwrap_or_default()]
                    };
                    let columns = [("fluent", false), ("nodes", true), ("", false)];
                    output::table(&columns, sizes.iter().map(row))?;
                }
            }
            return Ok(CommandOutcome::Yes);
        };
        let output = Output::find(compiled, name).ok_or_else(|| {
            let near = Output::nearest(compiled, name);
            Failure::Request(format!(
                "the problem has no fluent `{name}`{}",
                did_you_mean(near.as_deref())
            ))
        })?;
        let diagram = Xadd::new(&step, output, self.limit).map_err(Failure::of)?;
        if self.drawn.write(|| diagram.scene().map_err(Failure::of))? {
            return Ok(CommandOutcome::Yes);
        }
        match format {
            Format::Json => output::json(&diagram.data())?,
            Format::Text => {
                let mut out = output::out();
                write!(out, "{diagram}")?;
                out.flush()?;
            }
        }
        Ok(CommandOutcome::Yes)
    }
}
