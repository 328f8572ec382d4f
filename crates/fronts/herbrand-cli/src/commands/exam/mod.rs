//! `herbrand exam`: makes questions with exact answers, prints them, and grades answers.

mod grade;
mod make;
mod print;

use clap::{Args, Subcommand};
use herbrand::exam::ExamError;

use crate::failure::Failure;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::Format;

/// Make questions about planning problems, print them, and grade answers
///
/// Questions are about generated problems of the bundled domains: whether a plan works, the facts after some actions,
/// the missing action of a plan, the length of a shortest plan, the probability of an outcome, and others.
/// Every answer is exact, and is computed twice by different programs.
#[derive(Args)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Examples:
  herbrand exam make --count 500 --seed 1 --out exam.jsonl
  herbrand exam grade exam.jsonl answers.jsonl --out report.html
  herbrand exam print exam.jsonl --out questions.html --answers answers.html"
)]
pub struct Exam {
    /// The command
    #[command(subcommand)]
    command: ExamCommand,
}

#[derive(Subcommand)]
enum ExamCommand {
    Make(make::Make),
    Grade(grade::Grade),
    Print(print::Print),
}

impl Exam {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        match &self.command {
            ExamCommand::Make(command) => command.limits,
            ExamCommand::Grade(command) => command.limits,
            ExamCommand::Print(command) => command.limits,
        }
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        match self.command {
            ExamCommand::Make(command) => command.run(format),
            ExamCommand::Grade(command) => command.run(format),
            ExamCommand::Print(command) => command.run(),
        }
    }
}

fn request(error: ExamError) -> Failure {
    match error {
        ExamError::Sentences(faults) => faults.into(),
        error => Failure::of(error),
    }
}
