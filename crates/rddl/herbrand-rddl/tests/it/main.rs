//! Tests of the public interface, in one program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod batches;
mod bundled;
mod cartpole;
mod corpus;
mod docs;
mod exact;
mod expressions;
mod gradients;
mod intervals;
mod limits;
mod messages;
mod network;
#[cfg(feature = "png")]
mod pixels;
mod planning;
mod portfolio;
mod random_models;
mod recording;
mod reference;
mod robustness;
mod server;
mod simulator;
mod suites;
mod templates;
mod traces;
mod uct;
mod xadd;
