//! Transition systems, episodes, observations and batches for any planning language.
//!
//! - [`System`] is a transition system with a current state. [`BatchSystem`] adds optional fast paths. [`Problems`] is a
//!   set of problems with one kind of system. [`Described`] systems can name their actions and facts.
//! - [`Observer`] turns states into arrays of numbers.
//! - [`Env`] runs episodes over the problems, all determined by one seed. [`VecEnv`] steps many environments at once and
//!   writes into buffers of the caller. [`roll_out()`] measures a fixed policy, and [`evaluate()`] runs any [`Agent`].
//! - [`StateGraph`] is a state space as arrays: transitions, distances, dead ends, components.
//!
//! ```text
//!   Problems ──system(i)──▶ System ──state──▶ Observer ──row──▶ observation
//!                             ▲  │
//!                joint action │  │ reward, status
//!                             │  ▼
//!              agent ◀──────▶ Env (one)  ·  VecEnv (many, on threads)
//! ```
//!
//! A hot-air balloon ([`balloon`]) is the smallest system that uses every trait:
//!
//! ```
//! use herbrand_core::balloon::{Altimeter, BalloonProblems};
//! use herbrand_core::{Env, EnvOptions};
//!
//! let mut env = Env::observed(BalloonProblems::new(3), Altimeter, EnvOptions::default())?;
//! env.reset(Some(7))?;
//! let mut shown = [0.0; 2];
//! while let Some(joint) = env.sample()? {
//!     let step = env.step(&*joint)?;
//!     env.write_observation(&mut shown)?;
//!     if step.ended() {
//!         break;
//!     }
//! }
//! println!("the altimeter showed {} last, and {} at most", shown[0], shown[1]);
//! # Ok::<(), herbrand_core::balloon::BalloonError>(())
//! ```
//!
//! No planning language is known here: PDDL is the instance in `herbrand-env`, RDDL the one in `herbrand-rddl`.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::core`: there, read `herbrand_core` in the examples as
//! `herbrand::core`.

mod action;
mod agent;
pub mod balloon;
mod batch_system;
mod catalogue;
mod describe;
mod enumerated;
mod env;
mod episode;
mod error;
mod explained;
mod idle;
mod non_finite;
mod observe;
mod problems;
mod random;
mod rollout;
mod simd;
mod snapshot;
mod space;
mod streams;
mod system;
mod system_block;
#[cfg(feature = "traces")]
pub mod trace;
pub mod uct;
mod vector;

pub use action::{
    ActionCount, ActionField, ActionLayout, Choice, FieldDomain, FieldValue, Joint, JointAction, JointError,
};
pub use agent::{Agent, EvaluateOptions, Evaluation, FaultySteps, evaluate, mean_and_error, share_interval};
pub use batch_system::{BatchSystem, Job};
pub use catalogue::{Catalogue, UnknownProblem};
pub use describe::{
    ActionTextError, ActionValidity, Described, Fact, FactValue, Fingerprinted, Group, readable,
};
pub use enumerated::{
    Enumerated, EnumeratedObserver, EnumeratedSystem, EnumerationError, JointTable, TableError,
};
pub use env::{Env, EnvOptions, EpisodeHorizon, EpisodeStart, Last, ProblemChoice, Reset};
pub use episode::{DeadEnd, Episode, EpisodeEnd, EpisodeRules, InvalidAction, Step};
pub use error::EpisodeFault;
pub use explained::{Explained, GoalConjunct};
pub use non_finite::{NonFinite, NonFiniteValue};
pub use observe::{
    BitRow, Element, ElementKind, Elements, Memory, ObservationField, ObservationLayout, Observer,
    Unobserved, Written,
};
pub use problems::Problems;
pub use random::{Random, scramble, uniform_below, uniform_unit};
pub use rollout::{
    Digest, EndCounts, Rollout, RolloutOptions, RolloutPolicy, StateFunction, roll_out, watch_roll_out,
};
pub use simd::widest;
pub use snapshot::{PackedStates, Snapshot};
pub use space::{DistanceRow, GraphBuilder, PackedRows, SpaceAnalysis, SpaceLimit, SpaceOutcome, StateGraph};
pub use streams::Streams;
pub use system::{Status, System, Transition};
pub use system_block::{RowBit, SystemBlock};
pub use vector::{
    Actions, ActionsMut, Autoreset, Batch, BufferContents, BufferError, Flags, MaskForm, VecEnv, VecError,
    VecOptions, Widths,
};
