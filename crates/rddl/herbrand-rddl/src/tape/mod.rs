//! A compiler of expression graphs into straight-line programs.
//!
//! A [`Graph`] holds typed expressions. It folds constants and shares equal expressions. [`Tape::compile`] schedules the
//! nodes and emits typed instructions over flat arrays of [`Registers`]. [`Tape::run`] executes them without allocating.
//!
//! A [`BatchTape`] evaluates the same graph for many lanes at once: each lane has its own inputs and random numbers.
//!
//! A [`Template`] evaluates one expression for many bindings of its variables. It is a single instruction that loops over a
//! table of rows, a block of rows at a time.
//!
//! ```text
//!   expressions ──▶ Graph ──schedule──▶ branches ──emit──▶ Tape ──run(draws)──▶ Registers
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
