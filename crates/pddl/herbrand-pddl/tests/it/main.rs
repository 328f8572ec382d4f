//! All integration tests of the public interface, in one binary.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod corpus;
mod diagnostics;
mod format;
mod lenient;
mod liberal;
mod limits;
mod number_names;
mod outside;
mod random_models;
mod robustness;
