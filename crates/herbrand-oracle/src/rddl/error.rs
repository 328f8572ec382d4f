//! Why an expression has no value.

use herbrand_rddl::draw::ParameterError;
use thiserror::Error;

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum EvaluationError {
    /// A distribution is not defined for a parameter.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// `div` or `mod` by 0.
    #[error("an int is divided by 0")]
    DivisionByZero,
    /// An int to the power of a negative int.
    #[error("an int to the power of {0}, which is negative")]
    NegativeExponent(i64),
    /// A real that no int is near to.
    #[error("{0} is no int of 64 bits")]
    NotAnInt(f64),
    /// The least or greatest of nothing.
    #[error("the least or greatest value of nothing")]
    Empty,
    /// A matrix for which a function is not defined.
    #[error("the matrix has no {0}")]
    Matrix(&'static str),
    /// Probabilities were asked for, and a draw has infinitely many outcomes.
    #[error("a draw has infinitely many outcomes")]
    Infinite,
}
