//! Errors of suites and environments.

use herbrand_core::{EpisodeFault, JointError, NonFiniteValue, UnknownProblem};
use herbrand_rddl::{Faults, LoadError};
use herbrand_text::{Unreadable, did_you_mean};

use crate::ground::CompileError;
use crate::settings::SettingsError;
use crate::simulate::StepError;

/// The reason why an environment could not be created or stepped. The functions of [`RddlSuite`](super::RddlSuite), of its
/// environments and of its batches return it.
#[derive(Debug, thiserror::Error)]
pub enum RddlError {
    /// A file could not be read.
    #[error(transparent)]
    Io(#[from] Unreadable),
    /// A text has faults.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// The settings in `env.toml` have faults.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// An instance could not be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A pixel observation could not be drawn.
    #[cfg(feature = "png")]
    #[error(transparent)]
    Image(#[from] herbrand_render::ImageError),
    /// A step was refused, or a budget ended during it. Contains the reason.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The choices are not a joint action of the problem, or a text does not name one.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// A step was requested although the episode is over or has not begun.
    #[error("the episode is over: reset before the next step")]
    Ended,
    /// The environment was used before its first reset selected a problem.
    #[error("there is no current problem: reset first")]
    NotReset,
    /// The return of an episode is infinite or NaN, although the options require finite returns.
    #[error("the return of an episode is not finite: {0}")]
    NonFinite(NonFiniteValue),
    /// The suite contains no problem.
    #[error("{suite} has no instance")]
    NoProblems {
        /// The name of the suite.
        suite: String,
    },
    /// There is no bundled environment of this name.
    #[error("there is no bundled environment `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    UnknownEnvironment {
        /// The unknown name.
        name: String,
        /// The name of the most similar bundled environment; `None` if none is similar.
        suggestion: Option<String>,
    },
    /// The suite has no problem with this name, number or index.
    #[error(transparent)]
    UnknownProblem(#[from] UnknownProblem),
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
            EpisodeFault::BudgetExhausted(spent) => Self::Step(spent.into()),
        }
    }
}
