//! Tests of the public interface, in one binary.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod model;
mod native;
mod players;
mod transcript;
