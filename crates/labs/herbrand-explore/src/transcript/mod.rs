//! Transcripts: recordings of all input to the game loop, which can be replayed.
//!
//! A transcript has one line of JSON for each answer of the world, the reader and the solver, in the order of the requests.
//! The loop depends on nothing else, so a replay gives the same game, event by event, without a world, a reader or a
//! planner.
//!
//! ```
//! use herbrand_explore::{
//!     ExploreOptions, Explorer, NativeWorld, PlannerSolver, RuleReader, Setting, Task, Transcript, TranscriptWriter,
//! };
//!
//! let task = Task::of(Setting::Coin)?;
//! let mut explorer = Explorer {
//!     task: &task,
//!     reader: &mut RuleReader::new(),
//!     solver: &mut PlannerSolver::default(),
//!     options: ExploreOptions::default(),
//! };
//! let mut lines = Vec::new();
//! let mut writer = TranscriptWriter::new(&mut lines);
//! let game = writer.play(&mut explorer, &mut NativeWorld::new(Setting::Coin)?, "coin", 10, &mut |_| true)?;
//!
//! let mut transcript = Transcript::parse(&String::from_utf8(lines)?)?;
//! assert_eq!(transcript.next_game().map(|head| (head.world.as_str(), head.game)), Some(("coin", 10)));
//! assert_eq!(transcript.play(&task, &mut |_| true)?, game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod retell;
mod write;

pub use retell::Transcript;
pub use write::TranscriptWriter;

use serde::{Deserialize, Serialize};

use crate::explore::{Execution, ExploreOptions};
use crate::game::Ending;
use crate::reader::{Mode, ReaderAnswer};
use crate::solver::{PlanQuality, SolverOutcome};
use crate::world::{GameError, Observation};

/// A line of a transcript.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Line {
    /// The start of a game.
    Game(GameHead),
    /// The world's description of the task.
    Task(String),
    /// The first observation.
    Begin(Observation),
    /// The observation after a command.
    Step { command: String, seen: Observation },
    /// The commands that do something in the current state.
    Commands(Vec<String>),
    /// The world failed.
    Broke(String),
    /// An answer of the reader.
    Read(ReaderAnswer),
    /// A failure of the reader.
    Unread {
        message: String,
        again: bool,
        /// Whether the reader is out of reach.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        gone: bool,
    },
    /// The phrase that the reader returns for an object.
    Phrase { object: String, text: String },
    /// An outcome of the solver.
    Solve {
        aim: PlanQuality,
        solution: SolverOutcome,
    },
    /// The `watch` callback stopped the game at the event with this number.
    Stopped(usize),
    /// The end of the game.
    End {
        ending: Ending,
        steps: usize,
        score: f64,
    },
}

/// The header line of a game in a transcript, with the game's world, number and options. [`Transcript::next_game`]
/// returns it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameHead {
    /// The name of the world, as passed to [`TranscriptWriter::play`].
    pub world: String,
    /// The number of the game in its world, as passed to [`TranscriptWriter::play`].
    pub game: u64,
    execution: Execution,
    mode: Mode,
    retries: usize,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    counts_invalid: bool,
    /// Whether feedback can change the reader's answers; see [`Reader::learns`](crate::Reader::learns).
    learns: bool,
}

impl GameHead {
    /// Returns the options with which the game was played. [`Transcript::play`] replays it with the same.
    #[must_use]
    pub const fn options(&self) -> ExploreOptions {
        ExploreOptions {
            execution: self.execution,
            mode: self.mode,
            retries: self.retries,
            counts_invalid: self.counts_invalid,
        }
    }
}

/// The reason why a transcript, or a file of trials, cannot be written, parsed or replayed: the error of [`TranscriptWriter::play`],
/// [`Transcript::parse`] and [`Transcript::play`].
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// The world failed, now or in the recorded game.
    #[error(transparent)]
    World(#[from] GameError),
    /// Writing the transcript failed.
    #[error("the transcript cannot be written: {0}")]
    Write(#[from] std::io::Error),
    /// A line cannot be parsed.
    #[error("line {line}: {message}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The message of the parser.
        message: String,
    },
    /// During a replay, the game loop requests something else than the transcript contains.
    #[error("line {line} of the transcript: the game needs {asked} here")]
    Other {
        /// The number of the line, from 1. If the game's lines are used up, that of the next game's header, or one more
        /// than the number of lines.
        line: usize,
        /// The request of the game loop.
        asked: String,
    },
    /// The transcript contains no more games.
    #[error("the transcript has no more games")]
    Over,
}
