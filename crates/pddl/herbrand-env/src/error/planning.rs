//! Errors of steps of planning problems.

use herbrand_step::StepError;

/// The reason why a planning problem refused a step.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PlanningError {
    /// The operator is invalid or its effect is undefined.
    #[error(transparent)]
    Step(#[from] StepError),
    /// No operator fits the agent action in this state.
    #[error("{action} is not valid here: no applicable operator carries it out")]
    NoOperator {
        /// The agent action.
        action: String,
    },
    /// Several operators fit the agent action, and the settings do not resolve the ambiguity.
    #[error("{action} is ambiguous here: {} fit it", .operators.join(", "))]
    Ambiguous {
        /// The agent action.
        action: String,
        /// The operators that fit.
        operators: Vec<String>,
    },
    /// The action only exists in larger problems of the suite.
    #[error("{action} does not exist in this problem, only in other problems of the suite")]
    Absent {
        /// The agent action, with places for the objects that the problem lacks.
        action: String,
    },
    /// There is no action with this id.
    #[error("there is no action number {number}: the problem has {actions}")]
    UnknownAction {
        /// The id.
        number: u32,
        /// The number of actions.
        actions: usize,
    },
    /// The joint action does not consist of exactly one choice.
    #[error("a step takes one action, not {found}")]
    NotOne {
        /// The number of choices.
        found: usize,
    },
}
