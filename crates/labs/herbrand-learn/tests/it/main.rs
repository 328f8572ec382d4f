//! Tests of the public interface, in one binary.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bundled;
mod chance;
mod random_domain;
mod recording;
mod refusals;
mod soundness;
