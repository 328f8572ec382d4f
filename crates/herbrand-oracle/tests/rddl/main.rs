//! The interpreter of RDDL agrees with the recordings of the reference corpus, and the engine with the interpreter.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bundled;
mod engine;
mod expressions;
mod fixture;
mod mutants;
mod probabilities;
mod traces;
