//! Transcripts: all that comes into the loop from outside, written and told again.
//!
//! A transcript has a line in JSON for each answer of the world, the reader and the solver, in the order in which the loop asked.
//! What the loop makes of them depends on nothing else, so told again it comes to the same game, event by event, though nobody
//! reads, plans or acts.
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

use crate::game::Ending;
use crate::reader::Reading;
use crate::solver::{Aim, Solution};
use crate::world::{Seen, WorldError};
use crate::{Execution, ExploreOptions, Mode};

/// A line of a transcript.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Line {
    /// A game begins.
    Game(GameHead),
    /// What the player is told to do.
    Task(String),
    /// What is seen first.
    Begin(Seen),
    /// What a command leads to.
    Step { command: String, seen: Seen },
    /// The commands that do something.
    Commands(Vec<String>),
    /// The world broke.
    Broke(String),
    /// What the reader answers.
    Read(Reading),
    /// The reader has no answer.
    Unread { message: String, again: bool },
    /// What the world calls an object, as the reader knows.
    Phrase { object: String, text: String },
    /// What looking for a plan comes to.
    Solve { aim: Aim, solution: Solution },
    /// Somebody stops the game at the event of this number.
    Stopped(usize),
    /// The game is over.
    End {
        ending: Ending,
        steps: usize,
        score: f64,
    },
}

/// How the line of a game begins it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameHead {
    /// The name of the world.
    pub world: String,
    /// The number of the game.
    pub game: u64,
    execution: Execution,
    mode: Mode,
    retries: usize,
    /// Whether the reader learns from feedback.
    learns: bool,
}

impl GameHead {
    /// How the game is played.
    #[must_use]
    pub const fn options(&self) -> ExploreOptions {
        ExploreOptions {
            execution: self.execution,
            mode: self.mode,
            retries: self.retries,
        }
    }
}

/// Why a transcript cannot be written, read or told again.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// The world broke, now or when the transcript was written.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The transcript cannot be written.
    #[error("the transcript cannot be written: {0}")]
    Write(#[from] std::io::Error),
    /// A line is none of a transcript.
    #[error("line {line} of the transcript: {message}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The transcript is that of another loop.
    #[error("line {line} of the transcript: the game asks for {asked} here")]
    Other {
        /// The number of the line, from 1; that of the last one plus 1 where the transcript ends.
        line: usize,
        /// What the loop asked for.
        asked: String,
    },
    /// The transcript has no more games.
    #[error("the transcript has no more games")]
    Over,
}
