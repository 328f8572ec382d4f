//! Why a planning problem does not step.

use herbrand_step::StepError;

/// Why a planning problem did not step.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PlanningError {
    /// The operator is not valid, or its effect has no meaning.
    #[error(transparent)]
    Step(#[from] StepError),
    /// No operator fits the agent's action in this state.
    #[error("{action} is not valid here: no applicable operator carries it out")]
    NoOperator {
        /// The agent's action.
        action: String,
    },
    /// Several operators fit the agent's action, and nothing says which one is meant.
    #[error("{action} is ambiguous here: {} fit it", .operators.join(", "))]
    Ambiguous {
        /// The agent's action.
        action: String,
        /// The operators.
        operators: Vec<String>,
    },
    /// The action is one of larger problems of the suite.
    #[error("{action} does not exist in this problem, only in other problems of the suite")]
    Absent {
        /// The agent's action, with places for the objects that the problem lacks.
        action: String,
    },
    /// There is no such action.
    #[error("there is no action number {number}: the problem has {actions}")]
    UnknownAction {
        /// The number.
        number: u32,
        /// How many actions there are.
        actions: usize,
    },
    /// A step of a planning problem takes one action.
    #[error("a step takes one action, not {found}")]
    NotOne {
        /// How many were given.
        found: usize,
    },
}
