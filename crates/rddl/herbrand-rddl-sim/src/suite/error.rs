//! Errors of suites and environments.

use herbrand_core::{EpisodeFault, JointError, UnknownProblem};
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
    /// An error common to all episodes: a step after the end or before a reset, choices that are no joint action, an empty
    /// suite, or in a rollout an infinite return or a spent budget.
    #[error(transparent)]
    Episode(#[from] EpisodeFault),
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

impl From<JointError> for RddlError {
    fn from(error: JointError) -> Self {
        Self::Episode(error.into())
    }
}
