//! Tests of the public interface, in one program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod exact;
mod gradients;
mod intervals;
mod limits;
mod network;
mod planning;
mod portfolio;
mod space;
mod uct;
mod xadd;
