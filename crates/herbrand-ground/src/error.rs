//! Why a problem cannot be grounded.

use herbrand_datalog::{EvaluationError, InvalidProgram, NegativeCycle};

/// Why a problem cannot be grounded.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum GroundError {
    /// The problem was checked against another domain.
    #[error("problem `{problem}` was checked against another domain than `{domain}`")]
    OtherDomain {
        /// The domain's name.
        domain: String,
        /// The problem's name.
        problem: String,
    },
    /// A derived predicate depends on its own negation.
    #[error(transparent)]
    NegativeCycle(#[from] NegativeCycle),
    /// The model asks for more than a Datalog program can hold.
    #[error(transparent)]
    Program(#[from] InvalidProgram),
    /// Grounding ran out of its limits.
    #[error(
        "grounding stopped: {0}; a schema with so many instances is better left lifted (engine `lifted`)"
    )]
    Limit(#[from] EvaluationError),
}
