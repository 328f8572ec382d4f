//! States and transitions of planning tasks: valid actions, derived atoms, effects, chance.
//!
//! A [`Simulator`] presents a ground task as functions of a [`State`]: its valid actions, the [`Outcome`]s of an action with
//! their probabilities, and whether the goal holds. A [`Walker`] stores a current state and updates its valid actions and
//! derived atoms incrementally at each step, without allocating. Both give the same answers: the simulator recomputes
//! everything by the plain definition, and the walker is the fast implementation.
//!
//! ```text
//!   State      [ fluent atoms, 64 per word | numbers, one word each ]       a value: compares, hashes, is kept
//!   Walker     State + valid actions + derived atoms, kept from step to step
//!                │ apply(action)
//!                ▼
//!   StepResult { reward, goal }                                             what changed: Walker::changes
//! ```
//!
//! A [`SlicedWalker`] steps hundreds of copies of one task together, one bit per copy, with the results of as many walkers.
//!
//! Effects read the state before the action; deletes go before adds (PDDL 2.1, Fox & Long 2003; PPDDL 1.0, Younes &
//! Littman 2004).
//!
//! The crate `herbrand` re-exports this crate as `herbrand::step`: there, read `herbrand_step` in the examples as
//! `herbrand::step`.

mod grounded;
mod lifted;
mod search;
mod semantics;
mod sliced;

pub use grounded::changes::Changes;
pub use grounded::compile::{compile, compile_normal, compile_with, compile_within};
pub use grounded::outcomes::Outcome;
pub use grounded::simulator::Simulator;
pub use grounded::state::{ClosedState, State, Valuation};
pub use grounded::valid::ValidActions;
pub use grounded::walker::{Branch, Walker};
pub use herbrand_core::{
    DistanceRow, PackedRows, Random, SpaceAnalysis, SpaceLimit, StateGraph, uniform_below, uniform_unit,
};
pub use lifted::actions::{LiftedActionRef, LiftedActions};
pub use lifted::outcomes::LiftedOutcome;
pub use lifted::simulator::LiftedSimulator;
pub use lifted::state::{LiftedNumber, LiftedState};
pub use lifted::walker::LiftedWalker;
pub use search::determinize::{AllOutcomes, all_outcomes};
pub use search::rounding::Rounding;
pub use search::space::{SpaceOptions, StateSpace};
pub use search::store::StateStore;
pub use search::symmetry::ObjectSymmetry;
pub use semantics::error::{CompileError, NameError, StepError, WrongType};
pub use semantics::explanation::{ActionExplanation, Failure, LiftedExplanation, PreconditionPart};
pub use semantics::fired::{EffectRecord, NumberRecord, StepRecord};
pub use semantics::numbers::NumberChange;
pub use semantics::options::{Chance, Derived, Matching, Options};
pub use semantics::plan::{ParsedPlan, PlanFormatError, PlanStep};
pub use semantics::simultaneous::{OrderError, SimultaneousSteps};
pub use semantics::transition::StepResult;
pub use sliced::error::SlicedError;
pub use sliced::list::{StepCondition, StepConjunction, StepEffects, StepList, StepRule, StepStratum};
pub use sliced::task::SlicedTask;
pub use sliced::walker::SlicedWalker;
