//! Plans: parsing, execution and evaluation.

mod metric;
mod validate;

pub use herbrand_step::{Plan, PlanFormatError, PlanStep};
pub(crate) use metric::{accumulators, metric};
pub use validate::{PlanFailure, Validation, validate};
