//! Plans: read, executed, judged.

mod metric;
mod text;
mod validate;

pub(crate) use metric::metric;
pub use text::{Plan, PlanFormatError, PlanStep};
pub use validate::{PlanFailure, Validation, validate};
