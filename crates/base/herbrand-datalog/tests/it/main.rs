//! Tests of the public interface, in one test binary.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod borders;
mod faults;
mod limits;
mod plans;
mod programs;
mod random;
