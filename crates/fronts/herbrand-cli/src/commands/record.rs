//! `herbrand record`: random walks as a trace, or as a data set in Parquet.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::core::trace::RandomWalks;
use herbrand::env::ActionMode;
use herbrand::tasks::TaskFailure;
use herbrand::tasks::traces::record;

use super::parquet::ParquetArgs;
use crate::engine::EngineName;
use crate::failure::Failure;
use crate::files::{report_written, write_with};
use crate::input::trace_names;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted};
use crate::preconditions::PreconditionArgs;
use crate::problem::ProblemArgs;
use crate::start::StartArgs;

/// Record random walks as a trace
///
/// A trace is a JSON Lines file: a header, then one line per visited state with its atoms, all valid actions, whether the
/// goal holds, and the chosen action. Walks continue past goals. `herbrand replay` checks such a file. With --parquet, many
/// environments take random steps, and the result is a folder of Parquet files.
///
/// In RDDL there is one line per step, with the values before it, the joint action, the reward and the observation. Joint
/// actions are drawn uniformly from the valid ones. Where none is found, the step has no action; if that violates a
/// precondition, the step is taken, and a warning counts it. All draws of a step
/// are quantiles of the same number, so that any engine can reproduce the trace: they are not random samples. For samples,
/// use `herbrand rollout --record`.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand record domain.pddl p01.pddl --out p01.trace.jsonl
  herbrand record sokoban 03 --walks 10 --steps 100 --seed 7
  herbrand record rddl/elevators 2 --out elevators.trace.jsonl
  herbrand record sokoban --parquet sokoban-data --envs 1024 --steps 10000 --workers 2")]
pub struct Record {
    #[command(flatten)]
    problem: ProblemArgs,

    #[command(flatten)]
    preconditions: PreconditionArgs,

    #[command(flatten)]
    start: StartArgs,

    /// The number of walks
    #[arg(long, default_value_t = 2, value_name = "N")]
    walks: u64,

    /// Maximum number of steps per walk; with --parquet, steps per environment [default: 25, or 1000 with --parquet]
    #[arg(long, value_name = "N")]
    steps: Option<u64>,

    /// The random seed of the first walk
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Use the operators as actions, even if the domain declares agent actions
    #[arg(long)]
    operators: bool,

    /// The engine; it does not change the trace
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: EngineName,

    #[command(flatten)]
    parquet: ParquetArgs,
}

/// The default for the maximum number of steps per walk.
const STEPS: u64 = 25;

impl Record {
    /// Returns the limits of the whole command. With --parquet, the time limit does not apply.
    pub const fn limits(&self) -> LimitArgs {
        if self.parquet.is_asked_for() {
            self.problem.limits.of_parts()
        } else {
            self.problem.limits
        }
    }

    pub fn run(self, _: Format) -> Result<CommandOutcome, Failure> {
        if let Some(answer) = self.parquet.run(&self.problem, self.steps, self.seed)? {
            return Ok(answer);
        }
        let mode = if self.operators {
            ActionMode::Operators
        } else {
            ActionMode::Declared
        };
        let problems = self.preconditions.apply(self.problem.find(mode)?)?;
        let problems = self.start.apply(problems)?;
        // Report errors before a file is opened.
        problems.clone().open_on(self.engine.into())?;
        let walks = RandomWalks {
            walks: self.walks,
            steps: self.steps.unwrap_or(STEPS),
            seed: self.seed,
        };
        let (domain, problem) = trace_names(&problems, self.out.as_deref());
        let write = |out: &mut dyn Write| {
            let names = (domain.as_str(), problem.as_str());
            if let Some(warning) = record(&problems, walks, self.engine.into(), names, out)? {
                anstream::eprintln!("warning: {warning}");
            }
            Ok(())
        };
        match &self.out {
            Some(path) => {
                write_with(path, Failure::trace::<TaskFailure>, write)?;
                report_written(path, counted(self.walks, "walk"));
            }
            None => {
                let written = write(&mut output::out());
                written.map_err(
                    |error| match Failure::trace(Path::new("standard output"), error) {
                        Failure::File { error, .. } => Failure::Output(error),
                        other => other,
                    },
                )?;
            }
        }
        Ok(CommandOutcome::Yes)
    }
}
