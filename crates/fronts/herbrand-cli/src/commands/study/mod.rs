//! `herbrand study`: how hard the bundled domains are.

mod chart;
mod learning;
mod panels;
mod planning;
mod spread;

use clap::{Args, Subcommand};

use crate::Answer;
use crate::failure::Failure;
use crate::limits::LimitArgs;
use crate::output::Format;

use learning::Learning;
use planning::Planning;

/// Measure how hard the bundled domains are
///
/// Each study runs on all bundled domains that it applies to, with several seeds, and reports means and spreads. It can
/// write tables and pictures to files.
#[derive(Args)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Examples:
  herbrand study planning
  herbrand study planning sokoban hanoi --time 30s --csv planning.csv --svg planning.svg
  herbrand study learning
  herbrand study learning blocks depot --points 10,100,400 --svg learning.svg"
)]
pub struct Study {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Planning(Planning),
    Learning(Learning),
}

impl Study {
    /// Returns the limits of time and memory for the whole command.
    pub fn limits(&self) -> LimitArgs {
        match &self.what {
            What::Planning(study) => study.limits(),
            What::Learning(study) => study.limits(),
        }
    }

    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        match self.what {
            What::Planning(study) => study.run(format),
            What::Learning(study) => study.run(format),
        }
    }
}
