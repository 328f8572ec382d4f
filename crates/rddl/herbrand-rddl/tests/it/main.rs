//! Tests of the public interface, in one program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bundled;
mod corpus;
mod docs;
mod format;
mod ground_names;
mod messages;
mod mistakes;
mod random_models;
mod robustness;
