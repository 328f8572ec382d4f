//! Errors of steps of planning problems.

use herbrand_step::StepError;

/// The reason why a planning problem refused a step, a reset or a state, or could not explain an action. After a
/// refused step or state, the state is unchanged. The methods of [`Planning`](crate::Planning) return it; environments,
/// as [`EnvError::Planning`](crate::EnvError::Planning).
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PlanningError {
    /// The operator is invalid in the current state, or its effect is undefined, such as a division by zero. Also a
    /// state of another problem, a draw without a result, or a spent limit of the lifted engine.
    #[error(transparent)]
    Step(#[from] StepError),
    /// No operator that is valid in the current state carries out the agent action. Engines may report
    /// [`Step`](Self::Step) instead if a single operator can carry it out.
    #[error("{action} is not valid here: no applicable operator carries it out")]
    NoOperator {
        /// The agent action.
        action: String,
    },
    /// Several valid operators carry out the agent action, and [`Ambiguity::Error`](crate::Ambiguity::Error) is set.
    #[error("{action} is ambiguous here: {} fit it", .operators.join(", "))]
    Ambiguous {
        /// The agent action.
        action: String,
        /// These operators, in PDDL syntax.
        operators: Vec<String>,
    },
    /// The id is that of an action that exists only in larger problems of the suite.
    #[error("{action} does not exist in this problem, only in other problems of the suite")]
    Absent {
        /// The agent action, with places for the objects that the problem lacks.
        action: String,
    },
    /// There is no action with this id. On the lifted engine without [numbering](crate::Lifted::numbering), no action
    /// has got this id so far.
    #[error("there is no action number {number}: the problem has {actions}")]
    UnknownAction {
        /// The id.
        number: u32,
        /// The number of action ids; 2^32 - 1 on the lifted engine without numbering.
        actions: usize,
    },
    /// A joint action has other than exactly one choice, or its only choice is not discrete.
    #[error("a step takes one action, not {found}")]
    NotOne {
        /// The number of choices in the joint action. 1 if the choice is not discrete.
        found: usize,
    },
}
