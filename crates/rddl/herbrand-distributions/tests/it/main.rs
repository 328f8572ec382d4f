//! Tests of the public interface, in one program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod goodness;
mod quantiles;
