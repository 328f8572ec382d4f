//! Tests of the public interface, in one program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod batches;
mod bounds;
mod cartpole;
mod docs;
mod exact;
mod expressions;
mod limits;
#[cfg(feature = "png")]
mod pixels;
mod preconditions;
mod recording;
mod reference;
mod server;
mod simulator;
mod starts;
mod suites;
mod templates;
mod traces;
mod valid;
