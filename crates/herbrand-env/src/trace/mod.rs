//! Traces: recorded walks in JSON Lines format, written and replayed.
//!
//! The first line is a [`Header`]. Each other line is a [`Visit`]: a state of a walk with its atoms, all valid actions, the
//! goal flag and the action chosen there. [`rollout_recorded`](crate::rollout_recorded) writes a trace. [`Replayer`] replays
//! a trace of this or any other engine and reports the differences.

mod difference;
mod follow;
mod format;
mod listed;
mod record;
mod replay;

pub use difference::{Difference, Mismatch, Sets};
pub use format::{Header, TraceError, Visit};
pub use record::Recorder;
pub use replay::{Replay, Replayer};
