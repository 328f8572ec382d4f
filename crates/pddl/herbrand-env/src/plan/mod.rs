//! Plans of operators, as planners write them: parsing, execution and evaluation.
//!
//! [`ParsedPlan`] parses a plan's text, and [`validate()`] executes it in the engine, following all random outcomes. Open
//! this module to check the output of any planner.

mod cost;
pub(crate) mod metric;
mod validate;

pub use cost::{WalkCost, cost_after};

pub use herbrand_step::{ParsedPlan, PlanFormatError, PlanStep, SimultaneousSteps};
pub use validate::{PlanFailure, Validation, validate};
