//! Learning action models from interaction.
//!
//! [`explore`] plays a random policy on the problems of a suite and returns the observed transitions as [`Experience`]. Two
//! learners turn experience into a [`Learned`] model, a PDDL domain with the vocabulary of the true domain:
//!
//! - [`learn_foldt`] grows first-order logical decision trees. Agent actions may read and change objects that are not among
//!   their arguments.
//! - [`learn_safe`] requires operators whose parameters name every object they read or change. In return, the model never
//!   permits an inapplicable action.
//!
//! [`Learned::predict`] measures a model by its predictions of single steps. [`Judge`] compares it with the true model by
//! its plans and, in probabilistic domains, by its successor distributions.
//!
//! [`Colours`] are features of states as graphs, and [`LinearHeuristic`] is a heuristic by them for searches.
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
//!
//! The crate `herbrand` re-exports this crate as `herbrand::learn`: there, read `herbrand_learn` in the examples as
//! `herbrand::learn`.

mod answers;
mod atoms;
mod choices;
mod colours;
mod error;
mod experience;
mod explore;
mod foldt;
mod judge;
mod language;
mod lift;
mod linear;
mod model;
mod outcomes;
mod predict;
mod query;
mod recording;
mod safe;
mod trial;

pub use answers::QueryEngine;
pub use colours::{Colours, GraphError, GraphList};
pub use error::LearnError;
pub use experience::{
    EffectSign, Experience, Observed, ObservedOutcome, ObservedProblem, ObservedTransition, SceneId,
    StateChange, StateId,
};
pub use explore::{ActionChoice, Exploration, explore};
pub use foldt::{Bias, FoldtOptions, learn_foldt};
pub use judge::{Judge, Judgement, PlannerAnswer};
pub use language::{ActionSignature, DomainSignature};
pub use linear::{LinearHeuristic, Weights};
pub use model::{Learned, Omission, OmissionReason};
pub use predict::Prediction;
pub use recording::{NamedTerm, Recording};
pub use safe::learn_safe;
pub use trial::{KnownJudgements, Learner, ModelRow, ModelTrial, TrialSetting, csv, mean_by_episodes};
