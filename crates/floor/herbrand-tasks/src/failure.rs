//! The reasons why a task has no answer.

use herbrand_env::EnvError;
use herbrand_pddlworld::WorldError;
use herbrand_rddl_sim::suite::RddlError;

/// The reason why a task has no answer. [`kind`](Self::kind) tells what a caller can do about it.
#[derive(Debug, thiserror::Error)]
pub enum TaskFailure {
    /// A PDDL problem is faulty or cannot be compiled or stepped.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// An RDDL problem is faulty or cannot be compiled or stepped.
    #[error(transparent)]
    Rddl(#[from] RddlError),
    /// A domain under edit is faulty.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The problems are in a language that the task does not support.
    #[error("`{problems}` {is}, but {task} supports only {languages}")]
    Language {
        /// The name of the set of problems.
        problems: String,
        /// What the problems are: a verb with a noun.
        is: &'static str,
        /// The task, or its option.
        task: String,
        /// The languages that the task supports.
        languages: &'static str,
    },
    /// The problems are not divided into training and test problems.
    #[error("`{problems}` {is} and has no {split} problems: leave --split out")]
    Split {
        /// The name of the set of problems.
        problems: String,
        /// What the problems are: a verb with a noun.
        is: &'static str,
        /// The part that was asked for.
        split: herbrand_env::Split,
    },
}

/// What a caller can do about a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// Correct the texts or the request.
    Input,
    /// Raise a limit.
    Limit,
}

impl TaskFailure {
    /// Returns the kind of the failure.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Env(error) if error.is_grounding_limit() => FailureKind::Limit,
            _ => FailureKind::Input,
        }
    }
}
