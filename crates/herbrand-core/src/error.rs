//! What can go wrong with episodes, whatever the language.

use crate::{JointError, NonFiniteValue};

/// Why an environment did not do what was asked, apart from what its problems refuse.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum EpisodeFault {
    /// The episode is over or has not begun.
    #[error("the episode is over: reset before the next step")]
    Ended,
    /// No problem was chosen yet.
    #[error("there is no current problem: reset first")]
    NotReset,
    /// A set of problems is empty.
    #[error("{problems} has no problem")]
    NoProblems {
        /// The name of the set.
        problems: String,
    },
    /// An action is not one of the current problem's.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// The return of an episode is infinite or NaN, and returns are required to be finite.
    #[error("the return of an episode is not finite: {0}")]
    NonFinite(NonFiniteValue),
}
