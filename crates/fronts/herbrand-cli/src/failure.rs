//! The failures of commands.

use std::io;
use std::path::{Path, PathBuf};

use herbrand::CompileError;
use herbrand::collections::CollectionError;
use herbrand::core::trace::{FileError, WalkError};
use herbrand::env::trace::TraceError;
use herbrand::env::{ConfigError, EnvError};
use herbrand::ground::GroundError;
use herbrand::pddlworld::WorldError;
use herbrand::rddl;
use herbrand::rddl::suite::RddlError;
use herbrand::tasks::TaskFailure;
use herbrand::text::{Code, Diagnostic, Faults, Style};

/// The reason why a command failed: bad input, or output that cannot be written. The methods of
/// [`WalkTo`](crate::WalkTo) and [`Report`](crate::Report) return it.
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
    /// A text has faults. Contains each diagnostic as it is printed.
    #[error("{} error(s)", .0.len())]
    Faults(Vec<String>),
    /// A PDDL environment cannot be created or stepped.
    #[error(transparent)]
    Env(EnvError),
    /// An RDDL environment cannot be created or stepped.
    #[error(transparent)]
    Rddl(RddlError),
    /// A problem cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A trace cannot be read or replayed.
    #[error("{}: {error}", .path.display())]
    Trace {
        /// The path of the trace.
        path: PathBuf,
        /// The reason why it cannot.
        error: Box<TraceError>,
    },
    /// Standard input cannot be read.
    #[error("cannot read the input: {0}")]
    Input(io::Error),
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// The arguments of the command are invalid. Contains the message.
    #[error("{0}")]
    Request(String),
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
            RddlError::Io(unreadable) => Self::File {
                path: unreadable.path,
                error: unreadable.error,
            },
            error => Self::Rddl(error),
        }
    }
}

impl From<TaskFailure> for Failure {
    fn from(failure: TaskFailure) -> Self {
        match failure {
            TaskFailure::Env(error) => error.into(),
            TaskFailure::Rddl(error) => error.into(),
            TaskFailure::World(error) => error.into(),
            TaskFailure::Sas(faults) => faults.into(),
            failure => Self::Request(failure.to_string()),
        }
    }
}

impl From<CollectionError> for Failure {
    fn from(error: CollectionError) -> Self {
        match error {
            CollectionError::File(unreadable) => Self::File {
                path: unreadable.path,
                error: unreadable.error,
            },
            error => Self::Request(error.to_string()),
        }
    }
}

impl From<WorldError> for Failure {
    fn from(error: WorldError) -> Self {
        match error {
            WorldError::Pddl(faults) => faults.into(),
            error => Self::Request(error.to_string()),
        }
    }
}

impl Failure {
    /// Returns the failure for an RDDL trace at `path` that could not be written or replayed.
    pub fn rddl_trace(path: &Path, error: rddl::trace::TraceError) -> Self {
        match error {
            rddl::trace::TraceError::Env(error) => error.into(),
            rddl::trace::TraceError::File(FileError::Io(error)) => Self::File {
                path: path.to_owned(),
                error,
            },
            error => Self::Request(format!("{}: {error}", path.display())),
        }
    }

    /// Returns the failure for a trace at `path` of a domain under edit that could not be written or replayed.
    pub fn edits_trace(path: &Path, error: WalkError<WorldError>) -> Self {
        match error {
            WalkError::Problem(error) => error.into(),
            WalkError::File(FileError::Io(error)) => file_error(path, error),
            WalkError::File(error) => Self::Request(format!("{}: {error}", path.display())),
        }
    }

    /// Returns the failure for a trace at `path` that could not be written or replayed.
    pub fn trace(path: &Path, error: TraceError) -> Self {
        match error {
            TraceError::Env(error) => error.into(),
            TraceError::File(FileError::Io(error)) => Self::File {
                path: path.to_owned(),
                error,
            },
            error => Self::Trace {
                path: path.to_owned(),
                error: Box::new(error),
            },
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

    /// Returns the failure for a text with these faults, formatted for standard error.
    pub fn faults<C: Code>(diagnostics: &[Diagnostic<C>]) -> Self {
        Self::Faults(
            diagnostics
                .iter()
                .map(|fault| fault.render(Style::Colored))
                .collect(),
        )
    }

    /// Prints the failure to standard error, in red if it is a terminal.
    pub fn print(&self) {
        use anstyle::{AnsiColor, Style as Ansi};
        let red: Ansi = AnsiColor::Red.on_default().bold();
        match self {
            Self::Faults(diagnostics) => {
                anstream::eprintln!("{}", diagnostics.join("\n\n").trim_end());
            }
            other => anstream::eprintln!("{red}error:{red:#} {other}"),
        }
        if self.is_grounding_limit() {
            anstream::eprintln!(
                "help: `herbrand ground DOMAIN PROBLEM --explain` counts the combinations of each schema; if each state has few \
                 valid actions, `herbrand show`, `rollout`, `record`, `replay` and `bench` step the problem without grounding it: \
                 add `--engine lifted` there"
            );
        }
    }
}
