//! Steps as straight-line programs.
//!
//! A [`Graph`] holds the values of a step, with constants folded and equal values shared. [`Tape::compile`] orders them
//! into typed instructions over flat arrays of [`Registers`]; [`Tape::run`] executes those without allocating.
//!
//! A [`BatchTape`] does the same for many environments at once.
//!
//! A [`Template`] is one expression for many ground variables: an instruction of its own, which loops over a table of
//! rows, many of them at once.
//!
//! ```text
//!   CPFs, reward, conditions ──▶ Graph ──schedule──▶ branches ──emit──▶ Tape ──run(draws)──▶ Registers
//! ```

mod batch;
mod compiled;
mod emit;
mod fold;
mod graph;
mod instruction;
mod lanes;
mod math;
mod matrix;
mod run;
mod schedule;
mod tabulate;
mod template;
mod term;

pub use batch::{BatchFault, BatchRegisters, BatchTape};
pub use compiled::{Layout, Registers, Tape};
pub use graph::{Form, Graph, Table};
pub use run::{Fault, ValueError};
pub use template::{Body, Fold, Groups, Index, Input, Lookup, Template};
pub use term::{Absent, Binary, Kind, Nary, Node, Unary, VectorOp};

pub(crate) use fold::real_function;
pub(crate) use lanes::widest;
pub(crate) use math::pow_real;
pub(crate) use term::Term;
