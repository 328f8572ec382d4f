//! RDDL: suites, environments and tasks.
//!
//! ```text
//!   RddlSuite ─ observed ─▶ ObservedProblems ─▶ EnvCore, VecCore
//!       │
//!       └───── task ──────▶ RddlTask ──▶ RddlState
//! ```

mod analysis;
mod language;
mod model;
mod planning;
mod state;
mod suite;
mod task;
mod values;
mod walk;

pub use planning::{RddlPlanner, RddlPolicy, RelaxedStep};
pub use state::RddlState;
pub use suite::RddlSuite;
pub use task::RddlTask;
pub use values::Number;
pub use walk::walk_rddl;
