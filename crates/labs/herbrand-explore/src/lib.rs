//! Agents for partially observable text games that build a planning problem while they act.
//!
//! A [`TextWorld`] describes the visible part of its state in text and accepts commands. An [`Explorer`] plays a game:
//!
//! 1. Its [`Reader`] turns each text into statements.
//! 2. A [`Belief`](herbrand_edit::Belief) records the statements as a PDDL problem.
//! 3. A [`Solver`] plans for the first goal of a ladder that is reachable in the known problem.
//! 4. The plan is executed until an observation contradicts the prediction.
//!
//! ```text
//!            command                     text
//!   Explorer ────────▶ TextWorld ─────────────────▶ Reader
//!      ▲                                              │ statements
//!      │ plan, with predicted effects                 ▼
//!   Solver ◀── goal, problem ──────────────────── Belief
//! ```
//!
//! [`NativeWorld`] plays games of the bundled domains `coin-collector` and `cooking-world`; other games implement the trait.
//! [`RuleReader`] parses the sentences of these games and of TextWorldExpress; [`LanguageModel`] asks a language model. A
//! [`TaskFile`] has a domain, goals and sentences of the user's own. [`experiment`] compares players over many games.
//!
//! The idea is that of "PDDLEGO: Iterative Planning in Textual Environments" (Zhang et al. 2024, arXiv 2405.19793).
//!
//! The crate `herbrand` re-exports this crate as `herbrand::explore`: there, read `herbrand_explore` in the examples as
//! `herbrand::explore`.

pub mod experiment;
mod explore;
mod feedback;
mod game;
mod phrase;
mod reader;
mod solver;
mod task;
mod task_file;
mod transcript;
mod usage;
mod world;

pub use explore::{Execution, ExploreOptions, Explorer};
pub use feedback::Feedback;
pub use game::{Ending, Event, Game, PredictedEffects, ReplanReason};
pub use phrase::{Lexicon, command};
pub use reader::{
    Endpoint, EndpointError, LanguageModel, Mode, ModelOptions, PatientEndpoint, RandomReader, ReadError,
    ReadRequest, Reader, ReaderAnswer, RecordingEndpoint, ReplayEndpoint, RuleReader, ScriptedReader,
    SentenceReader, WorkedExample,
};
#[cfg(feature = "http")]
pub use reader::{HttpEndpoint, HttpOptions};
pub use solver::{PlanQuality, PlannerSolver, PredictedStep, Solver, SolverOutcome};
pub use task::{Rung, RungGoal, Task};
pub use task_file::{TaskFile, TaskFileError};
pub use transcript::{GameHead, Transcript, TranscriptError, TranscriptWriter};
pub use usage::Usage;
pub use world::{
    GameError, GameStatus, House, NativeWorld, Observation, ProcessWorld, Setting, TextWorld, UnknownSetting,
};
