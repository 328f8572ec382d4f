//! Why a command could not do its work.

use std::io;
use std::path::{Path, PathBuf};

use herbrand::CompileError;
use herbrand::env::EnvError;
use herbrand::env::trace::TraceError;
use herbrand::ground::GroundError;
use herbrand::pddl::{Diagnostic, Faults, Style};

/// Why a command could not do its work: bad input, or nobody to read the output.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file or folder cannot be read or written.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A text is at fault.
    #[error("{} fault(s)", .0.len())]
    Faults(Vec<Diagnostic>),
    /// An environment cannot be made or stepped.
    #[error(transparent)]
    Env(EnvError),
    /// A problem cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A trace cannot be followed.
    #[error("{}: {error}", .path.display())]
    Trace {
        /// The trace.
        path: PathBuf,
        /// Why.
        error: Box<TraceError>,
    },
    /// The input cannot be read.
    #[error("the input cannot be read: {0}")]
    Input(io::Error),
    /// The output cannot be written.
    #[error("the output cannot be written: {0}")]
    Output(#[from] io::Error),
    /// What was asked for makes no sense.
    #[error("{0}")]
    Request(String),
}

impl From<Faults> for Failure {
    fn from(faults: Faults) -> Self {
        Self::Faults(faults.diagnostics().to_vec())
    }
}

impl From<EnvError> for Failure {
    fn from(error: EnvError) -> Self {
        match error {
            EnvError::Faults(faults) => faults.into(),
            error => Self::Env(error),
        }
    }
}

impl Failure {
    /// Why a trace at `path` could not be written or followed.
    pub fn trace(path: &Path, error: TraceError) -> Self {
        match error {
            TraceError::Env(error) => error.into(),
            TraceError::Io(error) => Self::File {
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

    /// Tells the user, on standard error.
    pub fn print(&self) {
        use anstyle::{AnsiColor, Style as Ansi};
        let red: Ansi = AnsiColor::Red.on_default().bold();
        match self {
            Self::Faults(diagnostics) => {
                let rendered = diagnostics.iter().map(|fault| fault.render(Style::Colored));
                let rendered = rendered.collect::<Vec<_>>().join("\n\n");
                anstream::eprintln!("{}", rendered.trim_end());
            }
            other => anstream::eprintln!("{red}error:{red:#} {other}"),
        }
        if self.is_grounding_limit() {
            anstream::eprintln!(
                "help: `herbrand show`, `rollout`, `record`, `replay` and `bench` take `--engine lifted`"
            );
        }
    }
}
