//! Systems with one discrete action whose alternatives are the joint actions of another system.
//!
//! An RDDL problem has one field per ground action fluent, but many agents choose a single number per step. [`Enumerated`]
//! problems number the joint actions in a [`JointTable`] and offer them as alternatives of one discrete field. States, steps
//! and random draws stay those of the underlying problems.
//!
//! ```text
//!   alternative ──JointTable──▶ joint action ──▶ the system's own step
//! ```

mod problems;
mod system;
mod table;

pub use problems::{Enumerated, EnumeratedObserver, EnumerationError};
pub use system::EnumeratedSystem;
pub use table::{JointTable, TableError};
