//! Errors of episodes that do not depend on the planning language.

use herbrand_limits::BudgetExhausted;

use crate::action::JointError;
use crate::non_finite::NonFiniteValue;

/// The reason why an environment or episode refused a call. Errors of the problems themselves, such as a faulty file,
/// are not included. Environments, episodes and [`roll_out`](crate::roll_out()) return it within the error of the
/// problem set.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum EpisodeFault {
    /// The episode is over or has not started.
    #[error("the episode is over: reset before the next step")]
    Ended,
    /// The environment has no current problem, because there was no reset or restore yet, or none that found its
    /// problem.
    #[error("there is no current problem: reset first")]
    NotReset,
    /// The set of problems is empty, or a folder of problems is.
    #[error("{problems} has no problem")]
    NoProblems {
        /// The name of the set, or the folder.
        problems: String,
    },
    /// A joint action does not fit the [layout](crate::System::actions) of the current problem.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// The return of an episode is infinite or NaN although the rollout requires finite returns
    /// ([`RolloutOptions::require_finite`](crate::RolloutOptions::require_finite)).
    #[error("the return of an episode is not finite: {0}")]
    NonFinite(NonFiniteValue),
    /// A budget that [encloses](herbrand_limits::Budget::enclose) a rollout, or the recording or replay of a trace, is
    /// spent.
    #[error("{0}")]
    BudgetExhausted(#[from] BudgetExhausted),
}
