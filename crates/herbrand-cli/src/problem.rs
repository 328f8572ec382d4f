//! The arguments that name one problem, for the commands that work on one.

use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::env::{ActionMode, Split, Suite};

use crate::failure::Failure;
use crate::input;

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

    /// A problem: a file with --domain, else a name or an index (the first problem when left out)
    #[arg(long, value_name = "FILE|NAME|INDEX")]
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
            return Ok(Suite::new(files, mode)?);
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
        let suite = Suite::new(files, mode)?;
        let suite = match self.split {
            Some(split) => suite.split(split),
            None => suite,
        };
        Ok(suite.problem(self.problem.as_deref().unwrap_or("0"))?)
    }

    /// The files of domain and problem, where they are named.
    #[must_use]
    pub fn files(&self) -> Option<(&Path, &Path)> {
        Some((self.domain_file.as_deref()?, Path::new(self.problem.as_deref()?)))
    }
}
