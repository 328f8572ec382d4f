//! Environments whose state is a planning domain under edit, after gym-pddlworld.
//!
//! A [`Target`] is a hidden domain, with problems on which models are judged. A [`Sketch`] selects the literals of each
//! operator's precondition and effect from a [`SketchVocabulary`]. [`Worlds`] makes targets available as problems of
//! `herbrand-core`, with names and pictures. In a [`World`] an agent changes one [`Sign`] per step. It is rewarded for similarity to the target,
//! either in form or in behaviour ([`Rewards`]).
//!
//! ```text
//!   Domain, Problems ──▶ Target ──▶ Worlds ──▶ Env, VecEnv, rollouts     (herbrand-core)
//!                          │           │
//!       SketchVocabulary ◀─┤           └─▶ World { sketch } ── step: one sign
//!                 │        │                      │
//!              Sketch ─────┴─▶ distance, agreement, witness, verdict, predictions
//!                 │
//!                 └─▶ edits ──▶ Model (herbrand-edit) ──▶ PDDL
//! ```
//!
//! Models are compared without enumerating states; the source of the module `compare` explains how. The literals of an
//! operator are masks of 128 bits, so the comparison after an edit takes a few dozen instructions. Tests compare the results
//! with the actual engine on the model's text.
//!
//! ```
//! use herbrand_core::{Env, EnvOptions, System};
//! use herbrand_pddlworld::{SketchIntegers, WorldOptions, Worlds};
//!
//! let worlds = Worlds::light_switch(WorldOptions::default())?;
//! let mut env = Env::observed(worlds, SketchIntegers, EnvOptions::default())?;
//! env.reset(Some(1))?;
//! let mut seen = [0; 2];
//! env.write_observation(&mut seen)?;
//! assert_eq!(seen, [1170, 1170]);
//! # Ok::<(), herbrand_pddlworld::WorldError>(())
//! ```
//!
//! The crate `herbrand` re-exports this crate as `herbrand::pddlworld`: there, read `herbrand_pddlworld` in the examples as
//! `herbrand::pddlworld`.

mod action;
mod arena;
mod compare;
mod error;
mod evidence;
mod observe;
mod options;
mod pattern;
mod picture;
#[cfg(feature = "png")]
mod pixels;
mod read;
mod sign;
mod sketch;
mod solve;
mod table;
mod target;
mod vocabulary;
mod world;
mod worlds;

pub use action::{Question, WorldAction};
pub use error::{TargetFault, UnsuitableTarget, WorldError};
pub use evidence::{Predictions, Walks};
pub use herbrand_edit::SchemaPart;
pub use observe::{SketchBits, SketchIntegers};
pub use options::{ActionForm, Ends, Rewards, Start, WorldOptions};
pub use sign::{PARTS, Sign, Signs};
pub use sketch::{IntegerError, SignEdit, Sketch};
pub use solve::Verdict;
pub use target::{Counterexample, Target};
pub use vocabulary::{Operator, SketchVocabulary};
pub use world::{World, WorldState};
pub use worlds::Worlds;
