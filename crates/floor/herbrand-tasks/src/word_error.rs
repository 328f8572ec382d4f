//! The reasons why words name no problem.

use std::path::{Path, PathBuf};

/// The reason why words name no problem.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WordError {
    /// There is no word.
    #[error("name a domain: a file, a folder, or one of the bundled domains")]
    NoDomain,
    /// There are more words than a problem needs.
    #[error("unexpected argument `{word}`{what}: this command takes {usage}")]
    Surplus {
        /// The first surplus word.
        word: String,
        /// A description of the word, as part of the sentence; may be empty.
        what: &'static str,
        /// The words that are expected.
        usage: String,
    },
    /// The first word is a plan.
    #[error("{0} is a plan: name its domain and problem first, as in `DOMAIN PROBLEM {0}`")]
    Plan(String),
    /// A problem has no domain.
    #[error(
        "{problem} defines a problem, and its folder has no {wanted}: name the domain first, as in `DOMAIN {problem}`"
    )]
    NoDomainBeside {
        /// The file of the problem.
        problem: String,
        /// The name of the domain file.
        wanted: &'static str,
    },
    /// A file is neither a domain nor a problem.
    #[error("`{0}` defines neither a domain nor a problem")]
    OtherFile(String),
    /// An instance file replaces the instances of an environment, which have a domain of their own.
    #[error("an instance file needs a domain file: name the domain file of `{0}` instead of `{0}`")]
    Instance(String),
    /// A name refers to several sets of problems.
    #[error("`{name}` {what}: choose one{advice}")]
    Several {
        /// The name.
        name: String,
        /// A predicate for the name.
        what: &'static str,
        /// The names to choose from; may be empty.
        advice: String,
    },
    /// A file is in the place of a folder.
    #[error(
        "`{0}` is a file, and a bundled domain or a folder is needed here: name the folder that it is in"
    )]
    File(String),
    /// There is nothing of a name.
    #[error("`{name}` is not a bundled domain, folder or file{advice}")]
    Unknown {
        /// The name.
        name: String,
        /// The name that was probably meant.
        advice: String,
    },
    /// A domain file defines no problem, and no problem file was named.
    #[error("{} defines no {what}{given}: add {} {what} file, as in `{} {}`", .path.display(), article(.what), .path.display(),
        .what.to_ascii_uppercase())]
    NoProblem {
        /// The file.
        path: PathBuf,
        /// The kind of the missing file.
        what: &'static str,
        /// The word in its place, as part of the sentence; may be empty.
        given: String,
    },
    /// A finite-domain task is one whole problem.
    #[error("{} is a finite-domain task, which is one whole problem: remove `{surplus}`", .path.display())]
    WholeTask {
        /// The file of the task.
        path: PathBuf,
        /// The word after it.
        surplus: String,
    },
    /// The world of the light switch has no problems of other names.
    #[error(
        "`{name}` is the world of the light switch and has no problem `{word}`: name a domain, as in `pddlworld/blocks`"
    )]
    LightSwitch {
        /// The name of the world.
        name: String,
        /// The word for a problem.
        word: String,
    },
    /// A word names no start of a domain under edit.
    #[error("{0}, or name a domain file")]
    Start(String),
    /// Problems in RDDL have no stored plans.
    #[error(
        "RDDL problems have no stored plans: give a plan file{0}, which `herbrand plan … --out FILE` writes"
    )]
    NoPlansOfRddl(&'static str),
    /// A problem has no stored plan.
    #[error(
        "problem {problem} of {domain} has no stored plan: give a plan file{place}, which `herbrand plan … --out FILE` writes"
    )]
    NoStoredPlan {
        /// The problem.
        problem: String,
        /// Its domain.
        domain: String,
        /// The place of a plan file on the command line, as part of the sentence; may be empty.
        place: &'static str,
    },
}

impl WordError {
    /// Returns the error of a domain file that defines no `what`, and to which no file was added. `word` is a word in the place of
    /// one.
    pub(super) fn no_problem(path: &Path, what: &'static str, word: Option<&str>) -> Self {
        Self::NoProblem {
            path: path.to_owned(),
            what,
            given: match word {
                Some(word) if Path::new(word).is_dir() => format!(", and `{word}` is a folder"),
                Some(word) => format!(", and `{word}` is not a file"),
                None => String::new(),
            },
        }
    }

    /// Returns the error of a finite-domain task with a word for a problem after it.
    #[must_use]
    pub fn whole_task(path: &Path, surplus: &str) -> Self {
        Self::WholeTask {
            path: path.to_owned(),
            surplus: surplus.to_owned(),
        }
    }
}

fn article(what: &str) -> &'static str {
    if what == "instance" { "an" } else { "a" }
}
