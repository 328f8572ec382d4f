//! `herbrand record --parquet`: records a data set in Parquet, written by the Python package.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use crate::outcome::CommandOutcome;
use crate::problem::ProblemArgs;
use crate::python::{data, python};

/// The options for a Parquet data set.
#[derive(Args)]
pub struct ParquetArgs {
    /// Write a Parquet data set to this folder instead of a trace; of all problems if none is named
    ///
    /// Needs the Python package (`pip install 'herbrand[data]'`), and does the same as `python -m herbrand.data record`.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["out", "walks", "operators", "engine"])]
    parquet: Option<PathBuf>,

    /// The number of environments
    #[arg(long, default_value_t = 256, value_name = "N", requires = "parquet", value_parser = clap::value_parser!(u64).range(1..))]
    envs: u64,

    /// Maximum number of steps per episode [default: the horizon of the domain]
    #[arg(long, value_name = "N", requires = "parquet", value_parser = clap::value_parser!(u64).range(1..))]
    horizon: Option<u64>,

    /// The number of processes; the files do not depend on it
    #[arg(long, default_value_t = 1, value_name = "N", requires = "parquet", value_parser = clap::value_parser!(u64).range(1..))]
    workers: u64,

    /// The Python that has the package [default: $HERBRAND_PYTHON, else python3]
    #[arg(long, value_name = "PROGRAM", requires = "parquet")]
    python: Option<PathBuf>,
}

impl ParquetArgs {
    /// Returns whether the option --parquet is given.
    pub const fn is_asked_for(&self) -> bool {
        self.parquet.is_some()
    }

    /// Records a data set if --parquet is given, by the Python package; returns `None` otherwise.
    pub fn run(
        &self,
        problem: &ProblemArgs,
        steps: Option<u64>,
        seed: u64,
    ) -> Result<Option<CommandOutcome>, Failure> {
        let Some(folder) = &self.parquet else {
            return Ok(None);
        };
        let words = problem.words(&[])?;
        let mut arguments = vec![OsString::from("record"), words.domain.into()];
        arguments.extend(words.problems.into_iter().map(OsString::from));
        let mut option = |name: &str, value: OsString| arguments.extend([OsString::from(name), value]);
        option("--out", folder.into());
        option("--envs", self.envs.to_string().into());
        option("--seed", seed.to_string().into());
        option("--workers", self.workers.to_string().into());
        for (name, number) in [("--steps", steps), ("--horizon", self.horizon)] {
            if let Some(number) = number {
                option(name, number.to_string().into());
            }
        }
        if let Some(split) = problem.split {
            option("--split", split.to_string().into());
        }
        data(&python(self.python.as_deref()), arguments).map(Some)
    }
}
