//! Stepping without grounding: valid actions, derived atoms and effects by Datalog, for one state after the other.
//!
//! [`LiftedSimulator`] shares the compiled program; a [`LiftedWalker`] holds a state with what follows from it, either
//! kept from step to step or evaluated anew ([`Upkeep`]).

mod actions;
mod atoms;
mod closure;
mod explain;
mod fired;
mod found;
mod instance;
mod numbers;
mod outcomes;
mod simulator;
mod state;
mod tuples;
mod walker;
mod words;

pub use actions::{LiftedActionRef, LiftedActions};
pub use explain::LiftedExplanation;
pub use outcomes::LiftedOutcome;
pub use simulator::{LiftedSimulator, Upkeep};
pub use state::{LiftedNumber, LiftedState};
pub use walker::LiftedWalker;
