//! A brute-force interpreter of RDDL [`Instance`](herbrand_rddl::Instance)s, as a reference for the engine.
//!
//! It evaluates expressions directly on the model, without grounding, compilation or an order of evaluation: the value of a
//! fluent is computed when it is first read in a step, and cached for the rest of the step. The documentation of the
//! [operators](herbrand_rddl::Unary) defines the ambiguous cases of the language.
//!
//! [`RddlOracle::step`] computes one step with draws from any source. [`RddlOracle::chances`] computes the exact
//! probabilities that boolean state fluents are true after a step, by enumerating all outcomes of the draws that a fluent
//! depends on. [`RddlOracle::outcomes`] lists all results of a step with their probabilities.

mod arithmetic;
mod chance;
mod draw;
mod error;
mod evaluate;
mod matrix;
mod oracle;
mod world;

pub use error::RddlEvaluationError;
pub use oracle::{RddlOracle, RddlStep, Tables};
