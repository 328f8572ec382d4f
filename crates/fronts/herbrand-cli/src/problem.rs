//! The words and options that name a problem, the same for every command that takes one.

use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::env::{ActionMode, Registry, Split};
use herbrand::limits::Limits;

use herbrand::tasks::open::{ProblemWords, RDDL, WordError};
use herbrand::tasks::{AnyProblems, Run, TaskFailure};

use crate::failure::Failure;
use crate::input;
use crate::limits::LimitArgs;
use crate::memory;
use crate::output;

/// The options that name one problem, and the limits of the command.
#[derive(Args, Clone, Debug)]
pub struct ProblemArgs {
    /// A bundled domain, a folder, a domain file of PDDL or RDDL, or a name of a collection, such as pddlgym:sokoban;
    /// `env.toml` beside a domain file applies
    #[arg(value_name = "DOMAIN")]
    pub name: Option<String>,

    /// A problem: a name such as 03 or test/03, a position from 1, or a file [default: the first problem]
    ///
    /// A number is a name if some problem has that name, and else a position. If the problems are 01, 02, 03, …, then `3`
    /// and `03` are the same problem.
    #[arg(value_name = "PROBLEM")]
    pub word: Option<String>,

    /// The domain file or folder, in place of DOMAIN
    #[arg(long = "domain", value_name = "FILE|FOLDER")]
    pub domain_file: Option<PathBuf>,

    /// The problem, in place of PROBLEM
    #[arg(long, value_name = "NAME|PLACE|FILE")]
    pub problem: Option<String>,

    /// Choose only among the training or the test problems
    #[arg(long, value_name = "train|test")]
    pub split: Option<Split>,

    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Sorts words into a domain, problems, and other files, like [`ProblemWords::sorted`].
///
/// # Errors
/// Fails if no domain is named. The failure lists the bundled ones.
pub fn sort_words(
    domain_file: Option<&Path>,
    problems: &[String],
    words: impl IntoIterator<Item = String>,
) -> Result<ProblemWords, Failure> {
    match ProblemWords::sorted(domain_file, problems, words) {
        Err(WordError::NoDomain) => Err(no_domain()),
        words => Ok(words?),
    }
}

/// The failure of a command line without a domain.
fn no_domain() -> Failure {
    let names = Registry::names().unwrap_or_default();
    let names = output::filled(names.iter().map(String::as_str), ", ");
    Failure::Request(format!(
        "name a domain: a file, a folder, `{RDDL}/NAME`, or one of the bundled domains\n{}\nRun `herbrand domains` for a description of each",
        names.join("\n")
    ))
}

impl ProblemArgs {
    /// Returns the words of the command line, sorted by their role. `after` are the words behind the problem.
    ///
    /// # Errors
    /// Fails if no domain is named.
    pub fn words(&self, after: &[String]) -> Result<ProblemWords, Failure> {
        let words = [&self.name, &self.word].into_iter().flatten().chain(after);
        sort_words(
            self.domain_file.as_deref(),
            self.problem.as_slice(),
            words.cloned(),
        )
    }

    /// Returns the limits of the command.
    pub fn limits(&self) -> Limits {
        self.limits.limits()
    }

    /// Runs a task that draws no random numbers and shows no progress, within the limits of the command.
    ///
    /// # Errors
    /// Fails like the task.
    pub fn run<T>(
        &self,
        task: impl FnOnce(&mut Run<'_>) -> Result<T, TaskFailure>,
    ) -> Result<T, TaskFailure> {
        task(&mut Run {
            limits: self.limits(),
            peak_bytes: Some(memory::peak_bytes),
            ..Run::default()
        })
    }

    /// Reads and compiles the problem that the words name, within the limits of the command.
    ///
    /// # Errors
    /// Fails if there is no such domain or problem, a file is faulty, or a limit is reached.
    pub fn find(&self, mode: ActionMode) -> Result<AnyProblems, Failure> {
        self.find_among(&self.words(&[])?, mode)
    }

    /// Like [`find`](Self::find), for words that were sorted before.
    ///
    /// # Errors
    /// Fails like [`find`](Self::find).
    pub fn find_among(&self, words: &ProblemWords, mode: ActionMode) -> Result<AnyProblems, Failure> {
        self.find_as(words, mode, "DOMAIN [PROBLEM]")
    }

    /// Like [`find_among`](Self::find_among), for a command that takes the words of `usage`.
    ///
    /// # Errors
    /// Fails like [`find`](Self::find).
    pub fn find_as(
        &self,
        words: &ProblemWords,
        mode: ActionMode,
        usage: &str,
    ) -> Result<AnyProblems, Failure> {
        Ok(input::opener(mode, self.limits()).problem(words, self.split, usage)?)
    }

    /// Reads the sets of all problems that the words and --split select.
    ///
    /// # Errors
    /// Fails if there is no such domain or problem, no problem is selected, a file is faulty, or a limit is reached.
    pub fn sets(&self, words: &ProblemWords, mode: ActionMode) -> Result<Vec<AnyProblems>, Failure> {
        Ok(input::opener(mode, self.limits()).sets(words, self.split)?)
    }
}
