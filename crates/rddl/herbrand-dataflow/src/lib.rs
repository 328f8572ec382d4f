//! A compiler of expression graphs into straight-line programs.
//!
//! A [`Graph`] holds typed expressions: bools, ints and reals, conditions, sums, lookups in tables, and random draws. It
//! folds constants and shares equal expressions. A compiled program evaluates the chosen nodes of a graph again and again,
//! without allocating, each time for other inputs and random numbers.
//!
//! ```text
//!   expressions ──▶ Graph ──schedule──▶ branches ──emit──▶ Tape ──run(draws)──▶ Registers
//!                     │
//!                     └─tabulate─▶ regions ──emit, fuse, merge──▶ BatchTape ──run(draws)──▶ rows of lanes
//! ```
//!
//! # Two kinds of programs
//!
//! A [`Tape`] evaluates a graph once per run. [`Tape::compile`] schedules the nodes and emits typed instructions over flat
//! arrays of [`Registers`]; [`Tape::run`] executes them. Only the selected side of a condition is evaluated.
//!
//! A [`BatchTape`] evaluates the same graph for many lanes per run: each lane has its own inputs and random numbers. Each
//! register is a row with one value per lane, and each instruction is a loop over rows. A lane has the values of the tape,
//! bit for bit.
//!
//! Both can contain a [`Template`]: one expression for many bindings of its variables. It is a single instruction that loops
//! over a table of rows, a block of rows at a time.
//!
//! # An example
//!
//! A stock is refilled to 8 whenever it falls below 3; otherwise it loses a random demand:
//!
//! ```
//! use herbrand_dataflow::{BatchTape, BinaryOp, Graph, Layout, Tape, ValueType};
//! use herbrand_distributions::{Family, RandomGenerator, Site};
//! use herbrand_limits::Budget;
//!
//! let mut graph = Graph::new();
//! let stock = graph.input(ValueType::Int, 0);
//! let (least, full, mean) = (graph.int(3), graph.int(8), graph.real(1.5));
//! let is_low = graph.binary(BinaryOp::LtInt, stock, least);
//! let demand = graph.draw(Family::Poisson, mean, None, Site(0));
//! let rest = graph.binary(BinaryOp::SubInt, stock, demand);
//! let next = graph.select(is_low, full, rest);
//!
//! // One evaluation per run: the input is int register 0, the output int register 1.
//! let layout = Layout { ints: 2, ..Layout::default() };
//! let mut meter = Budget::unlimited().meter("compiling");
//! let tape = Tape::compile(&graph, layout, &[(next, 1)], &mut meter)?;
//! let mut registers = tape.registers();
//! registers.ints[0] = 2;
//! tape.run(&mut registers, &RandomGenerator::from_key(7))?;
//! assert_eq!(registers.ints[1], 8);
//!
//! // Two lanes per run, each with its own stock and its own random numbers.
//! let inputs = Layout { ints: 1, ..Layout::default() };
//! let batch = BatchTape::compile(&graph, inputs, [&[next], &[]], 64, &mut meter)?;
//! let mut rows = batch.registers();
//! rows.ints_mut()[..2].copy_from_slice(&[2, 6]);
//! batch.run_wide(&mut rows, &[RandomGenerator::from_key(7), RandomGenerator::from_key(8)])?;
//! let (_, row) = batch.results()[0];
//! let results = &rows.ints()[row as usize * batch.width()..][..2];
//!
//! registers.ints[0] = 6;
//! tape.run(&mut registers, &RandomGenerator::from_key(8))?;
//! assert_eq!(results, [8, registers.ints[1]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it is not
//!
//! It knows no planning language: there are no states, actions or rewards here, only inputs, outputs and sites of random
//! numbers. It makes no machine code; its programs are interpreted, one instruction per row of lanes. It computes no
//! gradients or bounds, but [`Graph::operation`] lets other crates analyse a graph.
//!
//! # Where to start
//!
//! Read [`Graph`] and the node types of [`Operation`] first. `schedule` and `emit` lead to a [`Tape`], `run` executes it.
//! The module `lanes` has the programs over lanes: its own passes and the loops that execute them.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::rddl::tape`: there, read `herbrand_dataflow` in the examples as
//! `herbrand::rddl::tape`.

mod batch;
mod compiled;
mod emit;
mod fault;
mod fold;
mod graph;
mod instruction;
mod lanes;
mod layout;
mod math;
mod matrix;
mod operation;
mod registers;
mod run;
mod schedule;
mod scratch;
mod substitute;
mod tabulate;
mod template;

pub use batch::{BatchFault, BatchRegisters, BatchTape};
pub use compiled::Tape;
pub use fault::{TapeFault, ValueError};
pub use graph::{Graph, Table};
pub use lanes::widest;
pub use layout::Layout;
pub use math::{pow_real, real_function};
pub use operation::{Absent, BinaryOp, NaryOp, NodeId, Operation, UnaryOp, ValueType, VectorOp};
pub use registers::Registers;
pub use substitute::Substitution;
pub use template::{Body, Fold, Groups, Index, Input, Lookup, Template};
