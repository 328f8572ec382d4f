//! Errors of distribution parameters.

use std::fmt;

use thiserror::Error;

/// The requirement that a parameter of a distribution violates, in [`ParameterError::fault`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ParameterFault {
    /// The parameter must be greater than 0.
    NotPositive,
    /// The parameter must be at least 0.
    Negative,
    /// The parameter must be an integer of at least 0.
    NotACount,
    /// The parameter must be between 0 and 1.
    NotAProbability,
    /// The parameter must be greater than 0 and at most 1.
    NotAPositiveProbability,
    /// The upper bound must be at least the lower bound.
    BoundsOutOfOrder,
    /// The probabilities must sum to 1.
    SumNotOne,
    /// The weights must have a positive, finite sum.
    SumNotPositive,
    /// The parameter must be small enough that the result is below 2^53; for `Beta`, it must itself be below 2^53.
    TooLarge,
    /// The parameter, a probability, must be large enough that the count is below 2^53.
    TooSmall,
    /// The matrix must be positive definite.
    NotPositiveDefinite,
}

impl fmt::Display for ParameterFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotPositive => "greater than 0",
            Self::Negative => "at least 0",
            Self::NotACount => "an integer of at least 0",
            Self::NotAProbability => "between 0 and 1",
            Self::NotAPositiveProbability => "greater than 0 and at most 1",
            Self::BoundsOutOfOrder => "at least the lower bound",
            Self::SumNotOne => "1 in sum",
            Self::SumNotPositive => "positive and finite in sum",
            Self::TooLarge => "below 2^53",
            Self::TooSmall => "large enough for counts below 2^53",
            Self::NotPositiveDefinite => "positive definite",
        })
    }
}

/// The error that a distribution is not defined for the given parameters. The draws of this crate,
/// [`Family::check`](super::Family::check) and [`WeightKind::total`](super::WeightKind::total) return it.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("{parameter} of {distribution} must be {fault}, not {value:?}")]
pub struct ParameterError {
    /// The distribution, as spelled in RDDL.
    pub distribution: &'static str,
    /// The name of the parameter, such as `variance`.
    pub parameter: &'static str,
    /// The rejected value of the parameter, or the sum if the fault is in a sum; NaN for a matrix.
    pub value: f64,
    /// The requirement that the parameter violates.
    pub fault: ParameterFault,
}
