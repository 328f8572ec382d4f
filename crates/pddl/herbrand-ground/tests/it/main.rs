//! Tests of the public interface, in one test binary.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod check;
mod docs;
mod reachability;
mod relevance;
mod tasks;
mod unreachable;
