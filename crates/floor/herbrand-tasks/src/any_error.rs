//! The errors of problems of any language.

use herbrand_core::{ActionTextError, EpisodeFault, VecError};
use herbrand_env::EnvError;
use herbrand_pddlworld::WorldError;
use herbrand_rddl_sim::simulate::StepError;
use herbrand_rddl_sim::suite::RddlError;

/// The reason why a call failed whose problems are in any language.
#[derive(Debug, thiserror::Error)]
pub enum AnyError {
    /// A PDDL problem is faulty or refused a step.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// An RDDL problem is faulty or refused a step.
    #[error(transparent)]
    Rddl(#[from] RddlError),
    /// A domain under edit is faulty or refused a step.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The episode refused the call.
    #[error(transparent)]
    Episode(#[from] EpisodeFault),
    /// An environment of a batch failed.
    #[error("environment {index}: {error}")]
    InBatch {
        /// The smallest index of an environment that failed, counted from 0.
        index: usize,
        /// Its error.
        error: Box<Self>,
    },
    /// Any other reason: that of a language of one's own, or of the call itself.
    #[error("{text}")]
    Other {
        /// The kind of the error.
        kind: ErrorKind,
        /// The reason as a sentence.
        text: String,
    },
}

/// The kind of an [`AnyError::Other`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// A value or a buffer has another form than the problems need.
    Form,
    /// The action is not valid in the current state.
    Action,
    /// There is no problem, action or object with this name or number.
    Name,
    /// The problems lack what the call asks for.
    Lacking,
    /// A limit of time or memory was reached.
    Limit,
}

impl AnyError {
    /// Returns whether a step failed because a value is undefined, and not because its action is invalid.
    #[must_use]
    pub const fn is_undefined(&self) -> bool {
        matches!(self, Self::Rddl(RddlError::Step(StepError::Value { .. })))
    }

    /// Creates an error from the reason, a sentence.
    pub fn new(kind: ErrorKind, text: impl ToString) -> Self {
        Self::Other {
            kind,
            text: text.to_string(),
        }
    }
}

impl From<ActionTextError> for AnyError {
    fn from(error: ActionTextError) -> Self {
        Self::new(ErrorKind::Name, error)
    }
}

impl<E: Into<Self>> From<VecError<E>> for AnyError {
    fn from(error: VecError<E>) -> Self {
        match error {
            VecError::Env { index, error } => Self::InBatch {
                index,
                error: Box::new(error.into()),
            },
            VecError::Buffer(error) => Self::new(ErrorKind::Form, error),
            VecError::Threads(error) => Self::new(ErrorKind::Lacking, error),
        }
    }
}
