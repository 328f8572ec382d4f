//! Worlds that are described in text.

mod house;
mod native;
mod process;
mod room;
mod setting;

pub use house::House;
pub use native::NativeWorld;
pub use process::ProcessWorld;
pub use setting::{Setting, UnknownSetting};

use serde::{Deserialize, Serialize};

/// A text game: it describes what the player sees, and accepts commands. [`NativeWorld`] implements it;
/// [`Explorer::play`](crate::Explorer::play) plays it.
pub trait TextWorld {
    /// Returns the description of the player's task, for the player to read.
    fn task(&self) -> String;

    /// Starts the game with the number `game` and returns the first observation. Equal numbers give equal games.
    ///
    /// # Errors
    /// Fails if the game cannot be generated.
    fn begin(&mut self, game: u64) -> Result<Observation, GameError>;

    /// Executes a command and returns the next observation. A command that is unknown or not valid now changes
    /// nothing, and the text says so. [`Observation::done`] is `false` then.
    ///
    /// # Errors
    /// Fails if no game has begun, or the world fails.
    fn step(&mut self, command: &str) -> Result<Observation, GameError>;

    /// Returns the commands that do something in the current state, for [`Mode::EndToEnd`](crate::Mode::EndToEnd).
    ///
    /// # Errors
    /// Fails like [`step`](Self::step).
    fn commands(&mut self) -> Result<Vec<String>, GameError>;
}

/// An observation: the text for the player, the score, and whether the game continues. [`TextWorld::begin`] and
/// [`TextWorld::step`] return one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Observation {
    /// The text for the player.
    pub text: String,
    /// The score of the game so far, from 0 to 1.
    pub score: f64,
    /// Whether the game continues, is won or is lost.
    pub status: GameStatus,
    /// Whether the command was executed; `false` if it was unknown or not valid.
    pub done: bool,
}

/// Whether a game continues, is won or is lost. [`Observation::status`] contains it after each step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameStatus {
    /// The game continues.
    Running,
    /// The player has accomplished the task.
    Won,
    /// The task can no longer be accomplished.
    Lost,
}

/// The error of a world that cannot continue. Contains the reason. Functions of worlds and of
/// [`Explorer`](crate::Explorer) return it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct GameError(pub String);

impl GameError {
    /// Converts another error to an error of the world with the same message, for implementations of [`TextWorld`].
    pub fn from_error(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}
