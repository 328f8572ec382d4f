//! All integration tests of the PDDL interpreter, in one binary.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod random_tasks;
mod semantics;
mod timed;
mod traces;
