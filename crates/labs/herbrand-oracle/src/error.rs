//! Errors of the interpreter.

use thiserror::Error;

/// The reason why the interpreter cannot answer a query.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum OracleError {
    /// A derived predicate depends on its own negation.
    #[error("`{0}` depends on its own negation")]
    CyclicNegation(String),
    /// The action is not valid in the state.
    #[error("{0} is not valid")]
    Invalid(String),
    /// A numeric effect reads or changes a term without a value.
    #[error("an effect on {0} uses an undefined value")]
    Undefined(String),
    /// A numeric effect divides by zero.
    #[error("an effect on {0} divides by zero")]
    DivisionByZero(String),
    /// A number exceeds the range of 64-bit floating-point numbers.
    #[error("an effect on {0} goes beyond the range of 64-bit numbers")]
    Overflow(String),
    /// The result of numeric effects depends on their order.
    #[error("effects on {0} contradict each other")]
    Conflict(String),
    /// There are too many combinations of draws to enumerate.
    #[error("more than {0} combinations of chance")]
    TooManyOutcomes(usize),
}
