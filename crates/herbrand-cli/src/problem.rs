//! The arguments that name one problem, for the commands that work on one.

use std::path::PathBuf;

use clap::Args;
use herbrand::env::{ActionMode, EnvError, Split, Suite};

use crate::failure::Failure;
use crate::{input, limits};

/// One problem: of a bundled domain, of a folder, or a pair of files.
#[derive(Args, Debug)]
pub struct ProblemArgs {
    /// A bundled domain or a folder
    #[arg(
        value_name = "DOMAIN",
        conflicts_with = "domain_file",
        required_unless_present = "domain_file"
    )]
    pub name: Option<String>,

    /// A domain file
    #[arg(long = "domain", value_name = "FILE", requires = "problem")]
    pub domain_file: Option<PathBuf>,

    /// A problem (the first when left out): with --domain a file, else a name such as 03 or test/03, or its place from 1
    ///
    /// A number that some problem is called by is its name: `--problem 03` and `--problem 3` are both the third problem of a
    /// domain whose problems are 01, 02, 03, …
    #[arg(long, value_name = "FILE|NAME|PLACE")]
    pub problem: Option<String>,

    /// The part of the domain's problems to choose from
    #[arg(long, value_name = "train|test", conflicts_with = "domain_file")]
    pub split: Option<Split>,
}

impl ProblemArgs {
    /// The suite of the one problem that is meant.
    ///
    /// # Errors
    /// When there is no such domain or problem, or a file is at fault.
    pub fn suite(&self, mode: ActionMode) -> Result<Suite, Failure> {
        if let (Some(domain), Some(problem)) = (&self.domain_file, &self.problem) {
            let files = input::pair(domain, &[PathBuf::from(problem)])?;
            return Ok(Suite::new(files, mode)?.with_limits(limits::defaults()));
        }
        let name = self.name.as_deref().unwrap_or_default();
        let files = match <[_; 1]>::try_from(input::suites(name)?) {
            Ok([files]) => files,
            Err(levels) => {
                let levels = levels.into_iter().map(|files| files.name).collect::<Vec<_>>();
                let message = format!("`{name}` has levels: choose one of {}", levels.join(", "));
                return Err(Failure::Request(message));
            }
        };
        let suite = Suite::new(files, mode)?.with_limits(limits::defaults());
        let suite = match self.split {
            Some(split) => suite.split(split),
            None => suite,
        };
        match &self.problem {
            Some(problem) => Ok(suite.problem(problem)?),
            None if suite.is_empty() => Err(EnvError::NoProblems {
                suite: suite.name().to_owned(),
            }
            .into()),
            None => Ok(suite.only(0)?),
        }
    }
}
