//! Stepping without grounding: valid actions, derived atoms and effects by Datalog, for one state after the other.
//!
//! [`LiftedSimulator`] shares the compiled program; a [`LiftedWalker`] holds a state with what follows from it, either
//! kept from step to step or evaluated anew ([`Maintenance`]).

pub(crate) mod actions;
pub(crate) mod atoms;
pub(crate) mod closure;
pub(crate) mod explain;
pub(crate) mod fired;
pub(crate) mod found;
pub(crate) mod instance;
pub(crate) mod numbers;
pub(crate) mod outcomes;
pub(crate) mod simulator;
pub(crate) mod state;
pub(crate) mod tables;
pub(crate) mod tuples;
pub(crate) mod walker;
pub(crate) mod words;
