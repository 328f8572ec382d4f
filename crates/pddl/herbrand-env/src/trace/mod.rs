//! Traces: recorded walks in JSON Lines format, written and replayed.
//!
//! The first line is a [`Header`]. Each further line is a [`Visit`]: one state of a walk with its atoms, all valid actions,
//! whether the goal holds, and the action that was then chosen. [`rollout_recorded`](crate::rollout_recorded) writes such a
//! file. [`Replayer`] follows a file that this or any other engine wrote, and reports the differences. Versions and warnings
//! are those of [`herbrand_core::trace`].

mod difference;
mod follow;
mod format;
mod listed;
mod replay;
mod seed;

pub use difference::{Difference, Sets};
pub use format::{TraceError, header};
pub use herbrand_core::trace::{Header, Mismatch, Recorder, Visit};
pub use replay::{Replay, Replayer};
