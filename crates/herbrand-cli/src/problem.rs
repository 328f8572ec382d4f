//! The arguments that name one problem, for the commands that work on one.

use std::path::PathBuf;

use clap::Args;
use herbrand::datalog::Limits;
use herbrand::env::{ActionMode, Split, Suite};

use crate::failure::Failure;
use crate::limits;
use crate::problems::{Problems, RDDL};

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

    /// A domain file, of PDDL or RDDL
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
    /// The one problem that is meant.
    ///
    /// # Errors
    /// When there is no such domain or problem, or a file is at fault.
    pub fn find(&self, mode: ActionMode) -> Result<Problems, Failure> {
        self.find_within(mode, limits::defaults())
    }

    /// The one problem that is meant, which is read and compiled within these limits.
    ///
    /// # Errors
    /// When there is no such domain or problem, or a file is at fault.
    pub fn find_within(&self, mode: ActionMode, limits: Limits) -> Result<Problems, Failure> {
        if let (Some(domain), Some(problem)) = (&self.domain_file, &self.problem) {
            return Problems::of_files(domain, &[PathBuf::from(problem)], mode, limits)?.first();
        }
        let name = self.name.as_deref().unwrap_or_default();
        let problems = match <[_; 1]>::try_from(Problems::named(name, mode, limits)?) {
            Ok([problems]) => problems,
            Err(several) => {
                let names: Vec<_> = several.iter().map(Problems::name).collect();
                let what = if name == RDDL {
                    "is many environments"
                } else {
                    "has levels"
                };
                let message = format!("`{name}` {what}: choose one of {}", names.join(", "));
                return Err(Failure::Request(message));
            }
        };
        let problems = match self.split {
            Some(split) => problems.split(split)?,
            None => problems,
        };
        match &self.problem {
            Some(problem) => problems.problem(problem),
            None => problems.first(),
        }
    }

    /// The suite of the one problem that is meant, for what takes PDDL alone.
    ///
    /// # Errors
    /// As [`find`](Self::find), and when the problem is in RDDL.
    pub fn suite(&self, mode: ActionMode, what: &str) -> Result<Suite, Failure> {
        self.find(mode)?.pddl(what)
    }
}
