//! The bit-sliced engine: many copies of one ground task in step, one bit per copy.
//!
//! A *lane* is one copy. A *plane* has one bit per lane: the truth of one atom, or the validity of one action, in all lanes. So
//! one instruction on words of planes serves 64 lanes, and a vector instruction more.
//!
//! ```text
//!               lane 0 1 2 3 …           the grounded walker keeps the same bits
//!   atom 0           1 0 0 1 …  plane    the other way round: a state is a column
//!   atom 1           0 1 1 0 …  plane
//!   action 0         1 0 0 1 …  plane    atom 0
//!   action 1         0 0 1 0 …  plane    atom 1 and not atom 4
//! ```
//!
//! A [`Program`](program::Program) lists what a step computes, in the order in which it does. A
//! [`SlicedWalker`](walker::SlicedWalker) runs it on a block of lanes. Every lane has the states, valid actions, rewards and
//! draws of a grounded [`Walker`](crate::Walker), its slow twin.

pub(crate) mod carry;
pub(crate) mod choice;
pub(crate) mod choose;
pub(crate) mod derive;
pub(crate) mod effects;
pub(crate) mod error;
pub(crate) mod inspect;
pub(crate) mod lane;
pub(crate) mod list;
pub(crate) mod plane;
pub(crate) mod preconditions;
pub(crate) mod program;
pub(crate) mod rows;
pub(crate) mod rules;
pub(crate) mod task;
pub(crate) mod walker;
