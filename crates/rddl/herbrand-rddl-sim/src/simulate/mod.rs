//! The simulator: runs compiled problems step by step, in batches and as roll-outs.
//!
//! [`ground`](crate::ground) turns an instance into a [`CompiledInstance`]. An [`RddlSimulator`] is a compiled instance
//! with a current state; [`Rollouts`] runs many episodes of one at once. For environments with episodes, seeds and
//! observations, see [`suite`](crate::suite).

mod batches;
mod chance;
mod compiled;
mod count;
mod describe;
mod error;
mod fingerprint;
mod joint;
mod joint_text;
mod observe;
mod pack;
mod preconditions;
mod rollouts;
mod rows;
mod sample;
mod simulator;
mod system;
mod together;
mod turn;
mod valid;
mod values;

pub use chance::RandomSource;
pub use compiled::{CompiledInstance, GroundFluents};
pub use error::StepError;
pub use fingerprint::NameHashes;
pub use observe::{ExactFluents, FluentBits, FluentVector, observation_fields};
pub use preconditions::{Preconditions, UnknownPreconditions};
pub use rollouts::{RolloutActions, RolloutEnd, Rollouts};
pub use simulator::RddlSimulator;
pub use values::{FluentRegisters, FluentValue, Values};

pub(crate) use batches::{Batches, Lean};
pub(crate) use compiled::{Outcome, Owner, Owners, action_layout, bounds_of_reals, field_families};
#[cfg(feature = "png")]
pub(crate) use describe::show_fluents;
pub(crate) use valid::PreconditionGraph;
