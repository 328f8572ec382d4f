//! Errors of a step.

use herbrand_core::JointError;
use herbrand_dataflow::ValueError;
use herbrand_limits::BudgetExhausted;
use thiserror::Error;

/// The reason why a step or a query of a simulator failed. The state is unchanged then.
/// [`RddlSimulator::advance`](super::RddlSimulator::advance), [`Rollouts::run`](super::Rollouts::run) and queries such as
/// [`RddlSimulator::would_violate`](super::RddlSimulator::would_violate) return it.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum StepError {
    /// The choices are not a joint action of the problem. Bounds of numbers are not checked here.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// An action precondition does not hold, and preconditions are enforced.
    #[error("action precondition {} does not hold for this action in this state: {text}", .number + 1)]
    Precondition {
        /// The index of the precondition in the domain, counted from 0; state-action constraints follow the preconditions.
        number: usize,
        /// The text of the precondition in RDDL.
        text: String,
    },
    /// A value could not be computed.
    #[error("{owner}{}: {error}", .place.as_ref().map_or_else(String::new, |place| format!(" ({place})")))]
    Value {
        /// The ground fluent or condition that the value belongs to.
        owner: String,
        /// The file and the line of its formula, such as `shop.rddl:12`; `None` if the model does not come from a text.
        place: Option<String>,
        /// The reason why it could not be computed.
        error: ValueError,
    },
    /// The state that was passed belongs to another problem: it has other numbers of values of each kind. A state of
    /// another problem with the same numbers is not noticed.
    #[error("the fluents of the state are not those of this problem")]
    ForeignState,
    /// The budget of the pass that contains the step is exhausted.
    #[error("{0}")]
    BudgetExhausted(#[from] BudgetExhausted),
}
