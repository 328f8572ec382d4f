//! Errors of the interpreter.

use thiserror::Error;

/// The reason why an [`Oracle`](crate::Oracle) cannot be created or cannot answer a query.
/// [`initial_states`](crate::Oracle::initial_states) and [`outcomes`](crate::Oracle::outcomes) return it.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum OracleError {
    /// A derived predicate, given by name, depends on its own negation. Only [`Oracle::new`](crate::Oracle::new)
    /// returns it.
    #[error("`{0}` depends on its own negation")]
    CyclicNegation(String),
    /// The action, given as PDDL, is not valid in the state, or has arguments of the wrong number or types.
    #[error("{0} is not valid")]
    Invalid(String),
    /// A numeric effect on the given function term reads or changes an undefined value.
    #[error("an effect on {0} uses an undefined value")]
    Undefined(String),
    /// A numeric effect on the given function term divides by zero.
    #[error("an effect on {0} divides by zero")]
    DivisionByZero(String),
    /// A numeric effect on the given function term, or the reward (given as `the reward`), exceeds the range of 64-bit
    /// floating-point numbers.
    #[error("an effect on {0} goes beyond the range of 64-bit numbers")]
    Overflow(String),
    /// The result of the numeric effects on the given function term depends on their order.
    #[error("effects on {0} contradict each other")]
    Conflict(String),
    /// A budget that encloses the call is spent.
    #[error("execution stopped: {0}")]
    Budget(#[from] herbrand_limits::BudgetExhausted),
    /// There are too many combinations of draws to enumerate. Contains the limit, 4,096.
    #[error("more than {0} combinations of chance")]
    TooManyOutcomes(usize),
}
