//! The simulator: runs compiled problems step by step, in batches and as roll-outs.
//!
//! A [`Process`] is a compiled instance, which [`ground`](crate::ground) creates. An [`RddlSimulator`] is a process with a
//! current state; [`Rollouts`] runs many episodes of a process at once. For environments with episodes, seeds and
//! observations, see [`suite`](crate::suite).

mod batches;
mod count;
mod describe;
mod error;
mod fingerprint;
mod joint;
mod joint_text;
mod observe;
mod pack;
mod process;
mod rollouts;
mod rows;
mod sample;
mod simulator;
mod system;
mod together;
mod turn;
mod values;

pub use error::StepError;
pub use fingerprint::NameHashes;
pub use observe::{FluentBits, FluentVector, observation_fields};
pub use process::{Fluents, Process};
pub use rollouts::{Chance, RolloutActions, RolloutEnd, Rollouts};
pub use simulator::{Preconditions, RddlSimulator};
pub use values::{FluentValue, Section, Values};

pub(crate) use batches::{Batches, Lean};
#[cfg(feature = "png")]
pub(crate) use describe::show_fluents;
pub(crate) use process::{Outcome, Owner, Owners, action_layout, bounds_of_reals, field_families};
