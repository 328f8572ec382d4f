//! An engine for interactive planning pages, with requests and replies as JSON.
//!
//! A [`Playground`] answers [`Request`]s with [`Reply`]s: it lists domains, shows states with their actions, explains why an
//! action is invalid, finds plans, and checks texts. It reads no files and starts no threads. Replies do not depend on
//! earlier requests: a request contains the problem and all steps so far, and earlier results are only cached for speed. The
//! server and the WebAssembly page use the same requests and get the same replies.
//!
//! ```text
//!  request ──▶ Playground ──▶ Game (compiled problems that are kept) ──▶ Walk: go there, from where the last request was
//!     JSON          │                                                      │
//!  reply   ◀────────┴── PositionView: picture, zones, actions, … ◀─────────┘
//! ```
//!
//! Every request is subject to a [`RequestLimits`]: texts that would take more time or memory are refused.
//!
//! ```
//! use herbrand_play::{RequestLimits, Playground};
//!
//! let mut playground = Playground::new(RequestLimits::default());
//! let look = r#"{"ask": "look", "problem": {"domain": "sokoban", "problem": "train/01"}, "walk": [["(move right)"]]}"#;
//! let reply: serde_json::Value = serde_json::from_str(&playground.answer(look))?;
//! assert_eq!((&reply["is"], &reply["step"]), (&"view".into(), &1.into()));
//!
//! let why = r#"{"ask": "explain", "problem": {"domain": "blocks", "problem": "train/01"}, "action": ["(put-down)"]}"#;
//! let reply: serde_json::Value = serde_json::from_str(&playground.answer(why))?;
//! assert_eq!(reply["is"], "why");
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! With the feature `sessions`, a [`Session`] is a problem with a state of its own, for agents that talk: it shows states as
//! sentences and reads actions as text. [`Sessions`] keeps many of them within limits.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::play`: there, read `herbrand_play` in the examples as
//! `herbrand::play`.

mod allowance;
mod assist;
mod catalogue;
mod check;
mod fault;
mod finding;
mod game;
mod library;
#[cfg(feature = "sessions")]
mod opened;
mod picture;
mod planning;
mod playground;
mod rddl;
mod refusal;
mod reply;
mod request;
#[cfg(feature = "sessions")]
mod session;
#[cfg(feature = "sessions")]
mod session_reply;
#[cfg(feature = "sessions")]
mod sessions;
#[cfg(feature = "sessions")]
mod sight;
#[cfg(feature = "tasks")]
mod task;
mod trace;
mod view;
#[cfg(feature = "sessions")]
mod worlds;

pub use allowance::RequestLimits;
pub use finding::Finding;
pub use herbrand_assist::Language;
pub use herbrand_tasks::any::{GoalDistance, Internals, Section, SuggestedPlan};
pub use herbrand_tasks::walk::EpisodeStatus;
pub use library::Library;
pub use playground::Playground;
pub use refusal::{Reason, Refusal};
pub use reply::{Action, DomainEntry, Drawn, GoalPart, NumberAction, PositionView, Reply, Zone};
pub use request::{JointTexts, ProblemName, Request, TextName, Texts, WalkPosition, Want};
#[cfg(feature = "sessions")]
pub use session::Session;
#[cfg(feature = "sessions")]
pub use session_reply::{ListedAction, PlanCheck, SessionPlan, SessionStep, SessionView};
#[cfg(feature = "sessions")]
pub use sessions::{SessionId, SessionLimits, Sessions};
