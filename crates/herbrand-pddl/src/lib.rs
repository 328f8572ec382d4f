//! PDDL and PPDDL: text to a checked, typed model and back, with diagnostics.

mod check;
mod diagnostic;
mod file;
mod model;
mod print;
mod read;
mod requirements;
mod source;
#[cfg(feature = "strategies")]
pub mod strategies;
mod syntax;

pub use diagnostic::{Code, Diagnostic, Explanation, Faults, Label, Severity, Style, UnknownCode};
pub use file::LoadError;
pub use model::*;
pub use read::{Document, ReadOptions, Reading, UncheckedDomain, UncheckedProblem, read};
pub use requirements::{Requirement, Requirements};
pub use source::{Origin, Position, Source, Span};
