//! Plans: read, executed, judged.

mod metric;
mod text;
mod validate;

pub use text::{Plan, PlanFormatError, PlanStep};
pub use validate::{PlanFailure, Validation, validate};
