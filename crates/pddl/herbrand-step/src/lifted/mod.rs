//! The lifted engine: valid actions, derived atoms and effects computed by Datalog queries, without grounding.
//!
//! A [`LiftedSimulator`] owns the compiled program and can be shared. A [`LiftedWalker`] stores a state and the facts
//! derived from it, which it maintains from step to step.

pub(crate) mod actions;
pub(crate) mod applicable;
pub(crate) mod atoms;
pub(crate) mod closure;
pub(crate) mod explain;
pub(crate) mod fired;
pub(crate) mod instance;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod outcomes;
mod prepared;
pub(crate) mod simulator;
pub(crate) mod state;
pub(crate) mod tables;
pub(crate) mod tuples;
pub(crate) mod walker;
