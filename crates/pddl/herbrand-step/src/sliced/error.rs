//! Why a task cannot be bit-sliced.

use herbrand_limits::BudgetExhausted;
use thiserror::Error;

/// The reason why the bit-sliced engine cannot step a task. [`SlicedTask::new`](crate::SlicedTask::new) returns it. The
/// grounded [`Walker`](crate::Walker) steps every task.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SlicedError {
    /// The states have numbers, but the engine steps atoms only.
    #[error("its states contain numbers, such as `{fluent}`, and the bit-sliced engine has atoms only")]
    Numbers {
        /// The first numeric fluent of the states, in PDDL syntax.
        fluent: String,
    },
    /// A condition compares numbers.
    #[error("its conditions compare numbers, and the bit-sliced engine reads atoms only")]
    Comparisons,
    /// The amount by which an effect changes a cost or a reward may have no value, such as a division by zero.
    #[error(
        "an effect of {action} on `{fluent}` may have no result, and the bit-sliced engine takes no such step"
    )]
    Undefined {
        /// The action, or the initial state.
        action: String,
        /// The cost or reward.
        fluent: String,
    },
    /// There are too many ground operators.
    #[error("it has {actions} ground operators, more than the {limit} that the bit-sliced engine numbers")]
    Actions {
        /// The number of ground operators.
        actions: usize,
        /// The largest number of ground operators that the engine steps.
        limit: usize,
    },
    /// The reward of an operator depends on too many conditions and draws for a [`StepList`](crate::StepList).
    #[error("a reward depends on {masks} conditions and alternatives, more than the {limit} of a step list")]
    Rewards {
        /// The number of conditional effects and alternatives that change the reward.
        masks: usize,
        /// The largest number of them.
        limit: usize,
    },
    /// The budget is exhausted.
    #[error("{0}")]
    Limit(#[from] BudgetExhausted),
}
