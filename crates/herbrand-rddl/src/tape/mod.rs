//! Steps as straight-line programs.
//!
//! A [`Graph`] holds the values of a step, with constants folded and equal values shared. [`Tape::compile`] orders them
//! into typed instructions over flat arrays of [`Registers`]; [`Tape::run`] executes those without allocating.
//!
//! ```text
//!   CPFs, reward, conditions ──▶ Graph ──schedule──▶ branches ──emit──▶ Tape ──run(draws)──▶ Registers
//! ```

mod compiled;
mod emit;
mod fold;
mod graph;
mod instruction;
mod math;
mod matrix;
mod run;
mod schedule;
mod term;

pub use compiled::{Layout, Registers, Tape};
pub use graph::{Form, Graph};
pub use run::{Fault, ValueError};
pub use term::{Absent, Binary, Kind, Nary, Node, Unary, VectorOp};
