//! Tests of the public interface, in one program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod batches;
mod bundled;
mod cartpole;
mod corpus;
mod docs;
mod exact;
mod expressions;
mod limits;
mod messages;
#[cfg(feature = "png")]
mod pixels;
mod random_models;
mod recording;
mod reference;
mod robustness;
mod server;
mod simulator;
mod suites;
mod templates;
mod traces;
