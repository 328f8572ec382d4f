//! States and transitions of planning tasks: valid actions, derived atoms, effects, chance.
//!
//! A [`Simulator`] is a ground task as functions of a [`State`]: valid actions, [`Outcome`]s with their
//! probabilities, the goal. A [`Walker`] holds a current state and keeps its valid actions and derived atoms while
//! it steps, without allocation. Both agree in everything; the simulator is the plain definition, the walker the
//! fast machine.
//!
//! Effects read the state before the action; deletes go before adds (PDDL 2.1, Fox & Long 2003; PPDDL 1.0, Younes &
//! Littman 2004).

mod alternatives;
mod arithmetic;
mod axioms;
mod bits;
mod changes;
mod closure;
mod compile;
mod counts;
mod derivation;
mod determinize;
mod error;
mod explanation;
mod fired;
mod firing;
mod goal;
mod lifted;
mod lists;
mod matcher;
mod moves;
mod names;
mod network;
mod numbers;
mod order;
mod outcomes;
mod propositions;

mod reachable;
mod simulator;
mod state;
mod store;
mod tape;
mod truth;
mod valid;
mod walker;
mod watches;

pub use changes::{Changes, Transition};
pub use compile::{CompileError, compile, compile_normal, compile_with};
pub use determinize::all_outcomes;
pub use error::{NameError, StepError, WrongType};
pub use explanation::{Explanation, Failure, Requirement};
pub use fired::{Fired, FiredEffect, NumberFired};
pub use herbrand_core::{Random, uniform_below, uniform_unit};
pub use lifted::{
    LiftedActionRef, LiftedActions, LiftedExplanation, LiftedNumber, LiftedOutcome, LiftedSimulator,
    LiftedState, LiftedWalker, Upkeep,
};
pub use numbers::NumberChange;
pub use outcomes::Outcome;
pub use reachable::{Reachable, reachable_states};
pub use simulator::{Chance, Derived, Matching, Options, Simulator};
pub use state::{Closed, State, Valuation};
pub use valid::ValidActions;
pub use walker::Walker;
