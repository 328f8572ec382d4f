//! Environments whose state is a planning domain under edit, after gym-pddlworld.
//!
//! A [`Target`] is a domain to be found, with problems to judge models on. A [`Sketch`] says which literals each operator has in its
//! precondition and its effect; the [`Vocabulary`] lists those that it may have. [`Worlds`] are the targets as the problems of
//! `herbrand-core`: in a [`World`] an agent changes one [`Sign`] at a time, and is paid by how near its model comes, in form
//! or in behaviour ([`Rewards`]).
//!
//! ```text
//!   Domain, Problems ──▶ Target ──▶ Worlds ──▶ Env, VecEnv, rollouts     (herbrand-core)
//!                          │           │
//!             Vocabulary ◀─┤           └─▶ World { sketch } ── step: one sign
//!                 │        │                      │
//!              Sketch ─────┴─▶ distance, agreement, witness, verdict, predictions
//!                 │
//!                 └─▶ edits ──▶ Model (herbrand-edit) ──▶ PDDL
//! ```
//!
//! Judging a model looks at no state: see the source of the crate's module `compare`. Operators are masks of 128 bits, so an edit is judged
//! in a few dozen instructions, and the real engine, which compiles the model's text, is the twin that tests hold it to.
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

mod action;
mod arena;
mod compare;
mod error;
mod evidence;
mod observe;
mod options;
mod pattern;
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
pub use error::{Fault, Faulty, WorldError};
pub use evidence::{Predictions, Walks};
pub use herbrand_edit::Part;
pub use observe::{SketchBits, SketchIntegers};
pub use options::{ActionForm, Ends, Rewards, Start, WorldOptions};
pub use sign::{PARTS, Sign, Signs};
pub use sketch::{Change, IntegerError, Sketch};
pub use solve::Verdict;
pub use target::{Target, Witness};
pub use vocabulary::{Operator, Vocabulary};
pub use world::{World, WorldState};
pub use worlds::Worlds;
