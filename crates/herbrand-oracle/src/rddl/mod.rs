//! A brute-force interpreter of [`Instance`](herbrand_rddl::Instance)s of RDDL: the slow, obvious twin of the engine.
//!
//! It reads expressions as they are in the model, with no grounding, no tape, no Datalog and no order of evaluation: the value
//! of a fluent is computed when something reads it, and kept for the rest of the step. What the language means where one could
//! be of two minds is said at the [operators](herbrand_rddl::Unary).
//!
//! [`RddlOracle::step`] is one step with draws of any kind; [`RddlOracle::chances`] are the exact probabilities that boolean
//! state fluents are true after it, found by going through all outcomes of the draws on which each depends.

mod arithmetic;
mod chance;
mod draw;
mod error;
mod evaluate;
mod matrix;
mod oracle;
mod world;

pub use error::EvaluationError;
pub use oracle::{RddlOracle, RddlStep, Tables};
