//! What can go wrong.

use thiserror::Error;

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum OracleError {
    /// Derived predicates that depend on each other through a negation.
    #[error("`{0}` depends on its own negation")]
    CyclicNegation(String),
    /// The action's precondition does not hold.
    #[error("{0} is not valid")]
    Invalid(String),
    /// A numeric effect reads or changes a term that has no value.
    #[error("an effect on {0} uses an undefined value")]
    Undefined(String),
    /// A numeric effect divides by zero.
    #[error("an effect on {0} divides by zero")]
    DivisionByZero(String),
    /// A number leaves the range of 64-bit floating-point numbers.
    #[error("an effect on {0} goes beyond the range of 64-bit numbers")]
    Overflow(String),
    /// Numeric effects whose result depends on their order.
    #[error("effects on {0} contradict each other")]
    Conflict(String),
    /// More combinations of chance than anyone wants to enumerate.
    #[error("more than {0} combinations of chance")]
    TooManyOutcomes(usize),
}
