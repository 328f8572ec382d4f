//! `herbrand record`: random walks as a trace, or as a data set in Parquet.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::core::trace::{RandomWalks, record};
use herbrand::env::{ActionMode, RolloutOptions, RolloutPolicy, rollout_recorded};
use herbrand::rddl;
use herbrand::rddl::suite::RddlSuite;
use herbrand::tasks::AnyProblems;
use herbrand::tasks::FaultTotals;

use super::parquet::ParquetArgs;
use super::rollout::only_engine;
use crate::engine::EngineName;
use crate::failure::Failure;
use crate::files::{report_written, write_with};
use crate::input::{trace_names, trace_names_of_rddl};
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
        let suite = match self
            .start
            .apply(self.preconditions.apply(self.problem.find(mode)?)?)?
        {
            AnyProblems::Pddl(suite) => suite,
            AnyProblems::Rddl(suite) => {
                only_engine(self.engine.into())?;
                self.write(Failure::rddl_trace, |out| self.rddl(&suite, out))?;
                return Ok(CommandOutcome::Yes);
            }
            AnyProblems::World(worlds) => {
                only_engine(self.engine.into())?;
                let walks = RandomWalks {
                    walks: self.walks,
                    steps: self.steps.unwrap_or(STEPS),
                    seed: self.seed,
                };
                let path = self.out.as_deref().unwrap_or(Path::new("standard output"));
                let failed = |error| Failure::edits_trace(path, error);
                let write = |out: &mut dyn Write| record(&worlds, 0, walks, out).map(drop).map_err(failed);
                self.write(|_, failure| failure, write)?;
                return Ok(CommandOutcome::Yes);
            }
        };
        let engine = self.engine.into();
        // Report errors before a file is opened.
        suite.on(engine)?;
        let (domain, problem) = trace_names(&suite, self.out.as_deref());
        let options = RolloutOptions {
            episodes: self.walks,
            steps: u32::try_from(self.steps.unwrap_or(STEPS)).unwrap_or(u32::MAX),
            seed: self.seed,
            through_goals: true,
            ..RolloutOptions::default()
        };
        self.write(Failure::trace, |out| {
            let names = (domain.as_str(), problem.as_str());
            rollout_recorded(&RolloutPolicy::Random, &suite, engine, &options, names, out).map(drop)
        })?;
        Ok(CommandOutcome::Yes)
    }

    /// Writes a trace to its destination. `failed` converts an error to a failure.
    fn write<E: From<std::io::Error>>(
        &self,
        failed: impl FnOnce(&Path, E) -> Failure,
        write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), Failure> {
        match &self.out {
            Some(path) => {
                write_with(path, failed, write)?;
                report_written(path, counted(self.walks, "walk"));
                Ok(())
            }
            None => {
                let written = write(&mut output::out());
                written.map_err(|error| match failed(Path::new("standard output"), error) {
                    Failure::File { error, .. } => Failure::Output(error),
                    other => other,
                })
            }
        }
    }

    fn rddl(&self, suite: &RddlSuite, mut out: &mut dyn Write) -> Result<(), rddl::trace::TraceError> {
        let (domain, instance) = trace_names_of_rddl(suite, self.out.as_deref());
        let options = rddl::trace::RecordOptions {
            walks: self.walks,
            steps: self.steps.unwrap_or(STEPS),
            seed: self.seed,
            ..rddl::trace::RecordOptions::default()
        };
        let recorded = rddl::trace::record(suite.simulator(0)?, (&domain, &instance), &options, &mut out)?;
        out.flush()?;
        let totals = FaultTotals {
            violating: recorded.violating_steps,
            steps: recorded.steps,
            effect: suite.preconditions(),
            broken: recorded.broken_walks,
            episodes: self.walks,
        };
        if let Some(sentence) = totals.sentence("walk") {
            anstream::eprintln!("warning: {sentence}");
        }
        Ok(())
    }
}
