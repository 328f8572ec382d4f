//! The interpreter of RDDL agrees with the recordings of the reference corpus.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod expressions;
mod fixture;
mod probabilities;
mod traces;
