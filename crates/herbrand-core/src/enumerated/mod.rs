//! Joint actions as alternatives of a single field.
//!
//! A problem of RDDL has a field for each ground action fluent. Many agents choose one number per step instead;
//! [`Enumerated`] problems number the joint actions ([`JointTable`]) and have one discrete field with an alternative for
//! each. States, steps and draws are those of the problems themselves.
//!
//! ```text
//!   alternative ──JointTable──▶ joint action ──▶ the system's own step
//! ```

mod problems;
mod system;
mod table;

pub use problems::{Enumerated, EnumerationError, Within};
pub use system::EnumeratedSystem;
pub use table::{JointTable, TableError};
