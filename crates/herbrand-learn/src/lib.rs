//! Action models learned from interaction.
//!
//! [`explore`] plays a random policy on the problems of a suite and keeps what it saw as [`Experience`]: states, actions,
//! and what they changed. Two learners make a [`Learned`] model of it, which is a PDDL domain with the vocabulary of the
//! true one:
//!
//! - [`learn_foldt`] grows first-order logical decision trees. The agent's actions may hide what they read and change.
//! - [`learn_safe`] is for operators whose parameters name all they read and change. It permits no action that is not
//!   applicable.
//!
//! A [`Learned`] model is judged by the steps that it [predicts](Learned::predict). [`Judge`] compares it with the true one
//! by the plans that it leads to, and, where there is chance, by its probabilities.
//!
//! ```text
//!   Suite ──explore───▶ Experience ──learn_foldt, learn_safe──▶ Learned ──▶ PDDL
//!   transitions ──Recording──▶ ▲                                   │
//!   held-out states, test problems ───────────── predict, Judge ◀──┘
//! ```
//!
//! ```
//! use herbrand_env::{Registry, Split};
//! use herbrand_learn::{Exploration, FoldtOptions, explore, learn_foldt};
//! use herbrand_limits::Budget;
//!
//! let budget = Budget::unlimited();
//! let suite = Registry::get("tsp")?;
//! let experience = explore(&suite.split(Split::Train), &Exploration { episodes: 20, ..Exploration::default() }, &budget)?;
//! let learned = learn_foldt(&experience, &FoldtOptions::default(), &budget)?;
//!
//! let test = suite.split(Split::Test);
//! let unseen = explore(&test, &Exploration { episodes: 4, ..Exploration::default() }, &budget)?;
//! let prediction = learned.predict(&unseen, &budget)?;
//! assert_eq!(prediction.error(), 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answers;
mod atoms;
mod choices;
mod error;
mod experience;
mod explore;
mod foldt;
mod judge;
mod language;
mod lift;
mod model;
mod outcomes;
mod predict;
mod recording;
mod safe;

pub use answers::QueryEngine;
pub use error::LearnError;
pub use experience::{Change, Experience, Observed, Outcome, Scene, SceneId, Sign, StateId, Transition};
pub use explore::{ActionChoice, Exploration, explore};
pub use foldt::{Bias, FoldtOptions, learn_foldt};
pub use judge::{Answer, Judge, Verdict};
pub use language::{Language, Signature};
pub use model::{Learned, Omission, OmissionReason};
pub use predict::Prediction;
pub use recording::{Recording, Words};
pub use safe::learn_safe;
