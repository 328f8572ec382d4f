//! `herbrand record`: random walks as a trace.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use herbrand::env::ActionMode;
use herbrand::env::trace::{RecordOptions, TraceError, record, record_lifted};

use crate::Answer;
use crate::engine::EngineName;
use crate::failure::Failure;
use crate::input::{file_error, trace_names};
use crate::output::{self, Format};
use crate::problem::ProblemArgs;

/// Record random walks as a trace
///
/// A trace is JSON Lines: a header, then a line for each visited state with its atoms, all valid actions, whether the
/// goal holds, and the action that was then chosen. Walks go on past goals. `herbrand replay` follows such a file.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand record --domain domain.pddl --problem p01.pddl --output p01.trace.jsonl
  herbrand record sokoban --problem 03 --walks 10 --steps 100 --seed 7")]
pub struct Record {
    #[command(flatten)]
    problem: ProblemArgs,

    /// How many walks
    #[arg(long, default_value_t = 2, value_name = "N")]
    walks: u64,

    /// The most steps of a walk
    #[arg(long, default_value_t = 25, value_name = "N")]
    steps: u64,

    /// The seed of the first walk
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// The file to write (standard output when left out)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Take the operators as the actions, whatever the domain declares
    #[arg(long)]
    operators: bool,

    /// What walks: the trace is the same
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: EngineName,
}

impl Record {
    pub fn run(self, _: Format) -> Result<Answer, Failure> {
        let mode = if self.operators {
            ActionMode::Operators
        } else {
            ActionMode::Declared
        };
        let suite = self.problem.suite(mode)?;
        let upkeep = self.engine.upkeep(&suite)?;
        let (domain, problem) = self.names(&suite);
        let options = RecordOptions {
            walks: self.walks,
            steps: self.steps,
            seed: self.seed,
        };
        let mut out: Box<dyn Write> = match &self.output {
            Some(path) => {
                let file = File::create(path).map_err(|error| file_error(path, error))?;
                Box::new(BufWriter::new(file))
            }
            None => Box::new(output::out()),
        };
        let written = match upkeep {
            None => record(suite.instance(0)?, &domain, &problem, &options, &mut out),
            Some(upkeep) => {
                let engine = suite.lifted_engine(0, upkeep)?;
                record_lifted(engine, &domain, &problem, &options, &mut out)
            }
        };
        let written = written.and_then(|_| Ok(out.flush()?));
        match (written, self.output) {
            (Ok(()), _) => Ok(Answer::Yes),
            (Err(TraceError::Io(error)), None) => Err(Failure::Output(error)),
            (Err(error), path) => Err(Failure::Trace {
                path: path.unwrap_or_else(|| PathBuf::from("standard output")),
                error,
            }),
        }
    }

    /// What the header calls domain and problem: their files from the trace's folder, or their names.
    fn names(&self, suite: &herbrand::env::Suite) -> (String, String) {
        match self.problem.files() {
            Some((domain, problem)) => trace_names(domain, problem, self.output.as_deref()),
            None => (
                suite.name().to_owned(),
                suite.full_problem_name(0).unwrap_or_default(),
            ),
        }
    }
}
