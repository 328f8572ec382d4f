//! The ground engine: simulator and walker.
//!
//! A [`Simulator`](simulator::Simulator) answers every question about a state from scratch. A [`Walker`](walker::Walker)
//! maintains the valid actions and derived atoms of its state from step to step, using tables that the simulator builds
//! once.

pub(crate) mod axioms;
pub(crate) mod bits;
pub(crate) mod changes;
pub(crate) mod closure;
pub(crate) mod compile;
pub(crate) mod counts;
pub(crate) mod derivation;
pub(crate) mod explain;
pub(crate) mod fired;
pub(crate) mod goal;
pub(crate) mod lists;
pub(crate) mod matcher;
pub(crate) mod moves;
pub(crate) mod names;
pub(crate) mod network;
pub(crate) mod numbers;
pub(crate) mod order;
pub(crate) mod outcomes;
pub(crate) mod products;
pub(crate) mod programs;
pub(crate) mod propositions;
pub(crate) mod rows;
pub(crate) mod simulator;
pub(crate) mod state;
pub(crate) mod truth;
pub(crate) mod valid;
pub(crate) mod validity;
pub(crate) mod walker;
pub(crate) mod watches;
