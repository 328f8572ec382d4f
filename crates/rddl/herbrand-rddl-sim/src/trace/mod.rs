//! Traces: walks recorded as JSON Lines, and their replay.
//!
//! The first line is a [`RddlHeader`]. Each further line is a [`TraceLine`]: a state of a walk with the joint action that was
//! taken there, the source of the random draws, and the results of the step. [`record()`] writes such a file. [`Replayer`]
//! follows a file that this or any other engine wrote, and reports the differences. A step at a quantile (`u`) is the same
//! in every engine. Versions and warnings are those of [`herbrand_core::trace`].
//!
//! ```
//! use herbrand_rddl_sim::suite::RddlSuite;
//! use herbrand_rddl_sim::trace::{RecordOptions, Replayer, record};
//!
//! let simulator = RddlSuite::bundled("rddl/sysadmin-mdp")?.simulator(0)?;
//! let compiled = simulator.compiled().clone();
//! let mut trace = Vec::new();
//! record(simulator, ("rddl/sysadmin-mdp", "1"), &RecordOptions::default(), &mut trace)?;
//!
//! let mut lines = trace.as_slice();
//! let header = Replayer::read_header(&mut lines)?;
//! let replay = Replayer::new(&compiled, header)?.replay(lines)?;
//! assert_eq!((replay.states, replay.mismatches), (50, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cell;
mod difference;
mod format;
mod header;
mod record;
mod replay;
mod seed;

pub use cell::Cell;
pub use difference::{Difference, StepDifferences};
pub use format::{RddlHeader, TraceError, TraceLine};
pub use record::{DrawRule, RddlRecorder, RecordOptions, RecordedCounts, record};
pub use replay::{Replay, Replayer};
