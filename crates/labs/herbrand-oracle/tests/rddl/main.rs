//! Tests that the RDDL interpreter agrees with the recordings of the corpus, and that the engine agrees with the
//! interpreter.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bundled;
mod engine;
mod expressions;
mod fixture;
mod mutants;
mod probabilities;
mod traces;
