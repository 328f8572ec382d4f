//! Why a step was refused.

use herbrand_core::JointError;
use herbrand_limits::Spent;
use thiserror::Error;

use crate::tape::ValueError;

/// Why a step was refused; the state does not change then.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum StepError {
    /// What was given is not a joint action of the problem.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// An action precondition does not hold, and preconditions are enforced.
    #[error("action precondition {} does not hold for this action in this state: {text}", .number + 1)]
    Precondition {
        /// The number of the precondition in the domain, from 0.
        number: usize,
        /// The precondition as RDDL.
        text: String,
    },
    /// A value could not be computed.
    #[error("{owner}: {error}")]
    Value {
        /// The ground fluent or condition that it belongs to.
        owner: String,
        /// What is wrong.
        error: ValueError,
    },
    /// A state was given that is not one of this problem.
    #[error("the state has other fluents than this problem")]
    ForeignState,
    /// The budget of the work that the step belongs to is spent.
    #[error(transparent)]
    Spent(#[from] Spent),
}
