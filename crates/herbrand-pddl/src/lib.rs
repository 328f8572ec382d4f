//! PDDL and PPDDL: text to a checked, typed model and back, with diagnostics.

mod model;
mod requirements;
mod source;
#[cfg(feature = "strategies")]
pub mod strategies;

pub use model::*;
pub use requirements::{Requirement, Requirements};
pub use source::{Source, Span};
