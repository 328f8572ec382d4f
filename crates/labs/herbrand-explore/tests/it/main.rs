//! Tests of the public interface, in one binary.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod methods;
mod model;
mod native;
mod players;
mod transcript;

#[cfg(feature = "http")]
#[path = "../../examples/scripted_server/answers.rs"]
mod scripted_answers;
#[cfg(feature = "http")]
#[path = "../../examples/scripted_server/server.rs"]
mod scripted_server;
