//! Errors of evaluation.

use herbrand_distributions::ParameterError;
use thiserror::Error;

/// The reason why an expression of a step has no value. The methods of [`RddlOracle`](super::RddlOracle) return it.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum RddlEvaluationError {
    /// A parameter of a distribution is invalid.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// An int is divided by 0 by `div`, `mod` or `fmod`. Reals give infinity or NaN instead.
    #[error("an int is divided by 0")]
    DivisionByZero,
    /// An int is raised to a negative int. Contains that exponent.
    #[error("an int to the power of {0}, which is negative")]
    NegativeExponent(i64),
    /// A real, NaN included, cannot be converted to a 64-bit int.
    #[error("{0} is no int of 64 bits")]
    NotAnInt(f64),
    /// The minimum, maximum, argmin or argmax of no values.
    #[error("the least or greatest value of nothing")]
    Empty,
    /// A function is not defined for a matrix: it is singular, or not positive definite. Contains the name of the
    /// function, `inverse` or `Cholesky factor`.
    #[error("the matrix has no {0}")]
    Matrix(&'static str),
    /// The exact probabilities do not exist because a draw has infinitely many outcomes. Only
    /// [`RddlOracle::chances`](super::RddlOracle::chances) returns it.
    #[error("a draw has infinitely many outcomes")]
    Infinite,
}
