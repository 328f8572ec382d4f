//! The failures of commands.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use herbrand::CompileError;
use herbrand::collections::CollectionError;
use herbrand::core::trace::FileError;
use herbrand::env::{ConfigError, EnvError};
use herbrand::ground::GroundError;
use herbrand::pddlworld::WorldError;
use herbrand::rddl::suite::RddlError;
use herbrand::tasks::any::AnyError;
use herbrand::tasks::check::CheckFinding;
use herbrand::tasks::open::WordError;
use herbrand::tasks::{FailureKind, TaskFailure};
use herbrand::text::{Code, Diagnostic, Faults, Unreadable};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted};

/// The reason why a command failed: bad input, or output that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file or folder cannot be read or written.
    #[error("{}: {error}", .path.display())]
    File {
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A text has faults.
    #[error("{}", counted(.0.len() as u64, "error"))]
    Faults(Vec<CheckFinding>),
    /// A PDDL environment cannot be created or stepped.
    #[error(transparent)]
    Env(EnvError),
    /// An RDDL environment cannot be created or stepped.
    #[error(transparent)]
    Rddl(RddlError),
    /// A problem cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// Standard input cannot be read.
    #[error("cannot read the input: {0}")]
    Input(io::Error),
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// The arguments of the command are invalid. Contains the message.
    #[error("{0}")]
    Request(String),
    /// An option does not go with a language. Contains the option and its languages.
    #[error("{0} supports only {1}")]
    OnlyFor(String, &'static str),
    /// An option needs a single problem. Contains the option.
    #[error("{0} needs a single problem: name one after the domain")]
    OneProblem(String),
    /// A limit of time or memory ended the command. Contains the message.
    #[error("{0}")]
    Limit(String),
    /// The library refused the work. Contains the message and its cause, from which the kind follows.
    #[error("{0}")]
    Caused(String, #[source] Box<dyn Error>),
}

/// The reason why the text of an option is no value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ValueError {
    #[error("`{0}` is not a duration: write seconds, such as 10 or 0.5, or a unit, such as 30s or 5m")]
    Duration(String),
    #[error("`{0}` is not a range: write two numbers, such as 4..12, or one")]
    Range(String),
    #[error("the range {0}..{1} is empty")]
    Empty(u64, u64),
    #[error("`{0}` is not a number")]
    Number(String),
    #[error("the number is too large")]
    TooLarge,
}

/// Refuses the arguments of a command.
pub fn refuse<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Request(message.into()))
}

/// Returns the failure of reading or writing the file or folder at `path`.
pub fn file_error(path: &Path, error: io::Error) -> Failure {
    Failure::File {
        path: path.to_owned(),
        error,
    }
}

impl<C: Code> From<Faults<C>> for Failure {
    fn from(faults: Faults<C>) -> Self {
        Self::faults(faults.diagnostics())
    }
}

impl From<EnvError> for Failure {
    fn from(error: EnvError) -> Self {
        match error {
            EnvError::Faults(faults) => faults.into(),
            EnvError::Config(ConfigError::Faults(faults)) => faults.into(),
            error => Self::Env(error),
        }
    }
}

impl From<RddlError> for Failure {
    fn from(error: RddlError) -> Self {
        match error {
            RddlError::Faults(faults) => faults.into(),
            RddlError::Settings(faults) => faults.into(),
            RddlError::Io(unreadable) => unreadable.into(),
            error => Self::Rddl(error),
        }
    }
}

impl From<Unreadable> for Failure {
    fn from(unreadable: Unreadable) -> Self {
        file_error(&unreadable.path, unreadable.error)
    }
}

impl From<WordError> for Failure {
    fn from(error: WordError) -> Self {
        TaskFailure::from(error).into()
    }
}

impl From<TaskFailure> for Failure {
    fn from(failure: TaskFailure) -> Self {
        match failure {
            TaskFailure::Any(AnyError::Env(error)) => error.into(),
            TaskFailure::Any(AnyError::Rddl(error)) => error.into(),
            TaskFailure::Any(AnyError::World(WorldError::Pddl(faults))) => faults.into(),
            TaskFailure::Sas(faults) => faults.into(),
            TaskFailure::Unreadable(unreadable) => unreadable.into(),
            TaskFailure::Collection(error) => error.into(),
            failure if failure.kind() == FailureKind::Limit => Self::Limit(failure.to_string()),
            failure => Self::of(failure),
        }
    }
}

impl From<CollectionError> for Failure {
    fn from(error: CollectionError) -> Self {
        match error {
            CollectionError::File(unreadable) => unreadable.into(),
            error => Self::of(error),
        }
    }
}

impl Failure {
    /// Returns the failure for a trace at `path` that could not be written or followed.
    pub fn trace<E: Into<TaskFailure>>(path: &Path, failure: E) -> Self {
        match failure.into() {
            TaskFailure::TraceFile(FileError::Io(error)) => file_error(path, error),
            failure @ (TaskFailure::TraceFile(_) | TaskFailure::Trace(_)) => Self::at(path, failure),
            failure => failure.into(),
        }
    }

    /// Returns the failure of an operation of the library.
    pub fn of(error: impl Error + 'static) -> Self {
        Self::Caused(error.to_string(), Box::new(error))
    }

    /// Like [`of`](Self::of), with words and a colon before the message.
    pub fn told(before: impl Display, error: impl Error + 'static) -> Self {
        Self::Caused(format!("{before}: {error}"), Box::new(error))
    }

    /// Like [`of`](Self::of), with the file at `path` before the message.
    pub fn at(path: &Path, error: impl Error + 'static) -> Self {
        Self::told(path.display(), error)
    }

    /// Returns what the user can do about the failure.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        let is_named_wrongly = |error: &io::Error| {
            use io::ErrorKind::{InvalidData, IsADirectory, NotADirectory, NotFound};
            matches!(
                error.kind(),
                InvalidData | IsADirectory | NotADirectory | NotFound
            )
        };
        match self {
            Self::File { error, .. } if is_named_wrongly(error) => FailureKind::Input,
            Self::File { .. } | Self::Input(_) | Self::Output(_) => FailureKind::System,
            Self::Faults(faults) if faults.iter().any(|one| one.kind == FailureKind::Limit) => {
                FailureKind::Limit
            }
            Self::Limit(_) => FailureKind::Limit,
            other => FailureKind::of(other),
        }
    }

    /// Whether a problem is too large to be grounded.
    fn is_grounding_limit(&self) -> bool {
        match self {
            Self::Env(error) => error.is_grounding_limit(),
            Self::Compile(error) => matches!(error, CompileError::Ground(GroundError::Limit(_))),
            _ => false,
        }
    }

    /// Returns the failure for a text with these faults.
    pub fn faults<C: Code>(diagnostics: &[Diagnostic<C>]) -> Self {
        Self::Faults(diagnostics.iter().map(CheckFinding::of).collect())
    }

    /// Prints the failure to standard error, in red if it is a terminal.
    pub fn print(&self) {
        use anstyle::{AnsiColor, Style as Ansi};
        let red: Ansi = AnsiColor::Red.on_default().bold();
        match self {
            Self::Faults(faults) => {
                let faults: Vec<_> = faults.iter().map(|fault| fault.rendered.as_str()).collect();
                anstream::eprintln!("{}", faults.join("\n\n").trim_end());
            }
            other => anstream::eprintln!("{red}error:{red:#} {other}"),
        }
        if let Some(help) = self.help() {
            anstream::eprintln!("help: {help}");
        }
    }

    fn help(&self) -> Option<&'static str> {
        self.is_grounding_limit().then_some(
            "`herbrand ground DOMAIN PROBLEM --explain` counts the combinations of each schema; if each state has few valid \
             actions, `herbrand show`, `rollout`, `record`, `replay` and `bench` step the problem without grounding it: add \
             `--engine lifted` there",
        )
    }

    /// Prints the failure that ends the program: as JSON to standard output if that is asked for and has nothing yet, and
    /// otherwise to standard error. Returns the exit status.
    pub fn report(&self, format: Format) -> u8 {
        if format == Format::Json && !output::has_json() {
            // A closed output has no reader for another error.
            let _ = output::json(&BTreeMap::from([("error", self)]));
        } else {
            self.print();
        }
        self.outcome().status()
    }

    /// Returns the answer of a command that this failure ends.
    #[must_use]
    pub fn outcome(&self) -> CommandOutcome {
        self.kind().into()
    }
}

impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let faults = match self {
            Self::Faults(faults) => &faults[..],
            _ => &[],
        };
        let mut data = serializer.serialize_map(None)?;
        data.serialize_entry("kind", &self.kind())?;
        data.serialize_entry("status", &self.outcome().status())?;
        data.serialize_entry("message", &self.to_string())?;
        data.serialize_entry("faults", faults)?;
        data.serialize_entry("help", &self.help())?;
        data.end()
    }
}
