//! What can go wrong with environments.

use herbrand_core::{EpisodeFault, JointError, NonFiniteValue};
use herbrand_text::{Unreadable, did_you_mean};

use crate::ground::CompileError;
use crate::simulate::StepError;
use crate::{Faults, LoadError, SettingsError};

/// Why an environment could not be made or stepped.
#[derive(Debug, thiserror::Error)]
pub enum RddlError {
    /// A file cannot be read.
    #[error(transparent)]
    Io(#[from] Unreadable),
    /// A text is at fault.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// The settings beside a domain are at fault.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// An instance could not be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// What is seen of a state could not be drawn.
    #[cfg(feature = "png")]
    #[error(transparent)]
    Image(#[from] herbrand_render::ImageError),
    /// A step was refused.
    #[error(transparent)]
    Step(#[from] StepError),
    /// What was given is not a joint action.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// The episode is over or has not begun.
    #[error("the episode is over: reset before the next step")]
    Ended,
    /// No problem was chosen yet.
    #[error("there is no current problem: reset first")]
    NotReset,
    /// The return of an episode is infinite or NaN, and returns are required to be finite.
    #[error("the return of an episode is not finite: {0}")]
    NonFinite(NonFiniteValue),
    /// A suite holds no problem.
    #[error("{suite} has no instance")]
    NoProblems {
        /// The suite.
        suite: String,
    },
    /// No bundled environment has this name.
    #[error("there is no bundled environment `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownEnvironment {
        /// The name.
        name: String,
        /// The bundled environment of the nearest name.
        suggestion: Option<String>,
    },
    /// No problem of a suite has this name or place.
    #[error(
        "{suite} has no instance `{name}`, only {}{}",
        .names.join(", "),
        did_you_mean(.suggestion.as_deref())
    )]
    UnknownProblem {
        /// The suite.
        suite: String,
        /// The name or place.
        name: String,
        /// The names of all problems.
        names: Vec<String>,
        /// The problem of the nearest name.
        suggestion: Option<String>,
    },
}

impl From<LoadError> for RddlError {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Io(error) => Self::Io(error),
            LoadError::Faults(faults) => Self::Faults(faults),
        }
    }
}

impl From<EpisodeFault> for RddlError {
    fn from(fault: EpisodeFault) -> Self {
        match fault {
            EpisodeFault::Ended => Self::Ended,
            EpisodeFault::NotReset => Self::NotReset,
            EpisodeFault::NoProblems { problems } => Self::NoProblems { suite: problems },
            EpisodeFault::Joint(error) => Self::Joint(error),
            EpisodeFault::NonFinite(value) => Self::NonFinite(value),
        }
    }
}
