//! Tests over several crates, in one program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agreement;
mod bundled;
mod common;
mod explanations;
mod fired;
mod lifted;
mod masks;
mod mutants;
mod random;
mod reachable_actions;
mod relevance;
mod serial;
mod timed_episodes;
mod timed_plans;
mod valid_actions;
