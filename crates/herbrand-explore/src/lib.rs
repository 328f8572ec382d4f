//! Worlds seen in part and told in text, and agents that build a planning problem of them while they act.
//!
//! A [`TextWorld`] says what is seen and takes commands. An [`Explorer`] plays: its [`Reader`] makes statements of a text, a
//! [`Belief`](herbrand_edit::Belief) takes them in, a [`Solver`] plans for the best goal of a ladder that can be reached in
//! what is known, and the plan is carried out until something is not as predicted.
//!
//! ```text
//!            command                     text
//!   Explorer ────────▶ TextWorld ─────────────────▶ Reader
//!      ▲                                              │ statements
//!      │ plan, with predicted effects                 ▼
//!   Solver ◀── goal, problem ──────────────────── Belief
//! ```
//!
//! [`NativeWorld`] has the games of the bundled domains `coin-collector` and `cooking-world`; other games implement the
//! trait. [`RuleReader`] knows their sentences, and those of TextWorldExpress; [`LanguageModel`] asks a language model.
//!
//! The idea is that of "PDDLEGO: Iterative Planning in Textual Environments" (Zhang et al. 2024, arXiv 2405.19793).

mod explore;
mod feedback;
mod game;
mod phrase;
mod reader;
mod solver;
mod task;
mod transcript;
mod world;

pub use explore::{Execution, ExploreOptions, Explorer, Mode};
pub use feedback::Feedback;
pub use game::{Effects, Ending, Event, Game, Surprise};
pub use phrase::{Lexicon, command};
pub use reader::{
    Endpoint, EndpointError, LanguageModel, ModelOptions, ReadError, ReadRequest, Reader, Reading, Recorder,
    Replay, RuleReader, ScriptedReader,
};
#[cfg(feature = "http")]
pub use reader::{HttpEndpoint, HttpOptions};
pub use solver::{Aim, PlanStep, PlannerSolver, Solution, Solver};
pub use task::{Rung, Task};
pub use transcript::{GameHead, Transcript, TranscriptError, TranscriptWriter};
pub use world::{House, NativeWorld, Seen, Setting, Status, TextWorld, UnknownSetting, WorldError};
