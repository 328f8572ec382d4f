//! The reasons why a value cannot be computed.

use herbrand_distributions::ParameterError;
use herbrand_limits::BudgetExhausted;
use thiserror::Error;

use crate::operation::{Absent, BinaryOp, NodeId};

/// The reason why a value could not be computed in a run of a tape. [`TapeFault`] and
/// [`BatchFault`](super::BatchFault) contain it.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
pub enum ValueError {
    /// The parameters of a distribution are out of range, or a drawn count is too large.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// An operation on ints has no result, or a real cannot be rounded to an int. The text tells the reason.
    #[error("{0}")]
    NoInt(&'static str),
    /// The expression has no value whatever the inputs are.
    #[error("{}", match .0 {
        Absent::ExtremeOfNothing => "an empty set has no minimum or maximum",
        Absent::ItemOfNothing => "a type without objects has no item to choose",
    })]
    Absent(Absent),
    /// The operand of [`VectorOp::Inverse`](super::VectorOp::Inverse) has no inverse.
    #[error("the matrix has no inverse")]
    Singular,
    /// The operand of [`VectorOp::Cholesky`](super::VectorOp::Cholesky) has no Cholesky factor.
    #[error("the matrix is not positive definite")]
    NotPositiveDefinite,
    /// The budget of the pass that contains the run is exhausted.
    #[error("{0}")]
    BudgetExhausted(#[from] BudgetExhausted),
}

impl ValueError {
    /// The error for a real that cannot be rounded to an int.
    pub(super) const NOT_WHOLE: Self = Self::NoInt("a number that is not finite, or too large, is no int");
}

/// The name of the pass in errors of an exhausted budget.
pub(super) const PASS: &str = "computing a step";

/// The error of [`Tape::run`](super::Tape::run): the value that could not be computed, and the reason.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("{error}")]
pub struct TapeFault {
    /// The graph's node of the value; `None` if it is unknown, or if a budget was exhausted before the first
    /// instruction.
    pub node: Option<NodeId>,
    /// The position of the value within its template's results; `None` if it is not computed by a template.
    pub value: Option<u32>,
    /// The reason why it could not be computed.
    pub error: ValueError,
}

/// Returns why an operation on ints has no result.
pub(super) const fn no_int(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::PowInt => "an int to the power of a negative int is not an int",
        _ => "an int is divided by 0",
    }
}
