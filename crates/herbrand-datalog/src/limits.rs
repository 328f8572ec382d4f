//! Budgets of an evaluation, and how it ends when one is spent.

use std::time::Duration;

use crate::{FactError, RuleId};

/// What an evaluation may use. The default sets no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes held by the evaluation: facts, tables and indexes. What the sink keeps is its own affair.
    pub bytes: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
}

/// Why an evaluation ended without a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// The memory budget is spent.
    #[error("the memory limit of {limit} bytes is reached; {culprit}")]
    Memory {
        /// The budget, in bytes.
        limit: u64,
        /// The rule that fired most.
        culprit: Culprit,
    },
    /// The time budget is spent.
    #[error("the time limit of {limit:?} is reached; {culprit}")]
    Time {
        /// The budget.
        limit: Duration,
        /// The rule that was tried most.
        culprit: Culprit,
    },
    /// An input fact does not fit the program.
    #[error(transparent)]
    Facts(#[from] FactError),
    /// The sink asked to stop.
    #[error("the evaluation was stopped by its sink")]
    Stopped,
}

/// The rule to blame for a spent budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rule `{name}` has fired {firings} times and tried {candidates} candidates")]
pub struct Culprit {
    /// The rule.
    pub rule: RuleId,
    /// Its name.
    pub name: String,
    /// How often it has fired.
    pub firings: u64,
    /// How many facts have been tried for its literals.
    pub candidates: u64,
}
