//! Worlds that are told in text.

mod house;
mod native;
mod room;
mod setting;

pub use house::House;
pub use native::NativeWorld;
pub use setting::{Setting, UnknownSetting};

use serde::{Deserialize, Serialize};

/// A game in text: it says what is seen, and takes commands.
pub trait TextWorld {
    /// What the player is told to do.
    fn task(&self) -> String;

    /// Begins a game anew; the same number is the same game.
    ///
    /// # Errors
    /// When the game cannot be made.
    fn begin(&mut self, game: u64) -> Result<Seen, WorldError>;

    /// Carries out a command. One that makes no sense, or does not work now, changes nothing, and the text says so.
    ///
    /// # Errors
    /// When no game has begun, or the world broke.
    fn step(&mut self, command: &str) -> Result<Seen, WorldError>;

    /// The commands that do something now.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    fn commands(&mut self) -> Result<Vec<String>, WorldError>;
}

/// What a world answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Seen {
    /// What is seen.
    pub text: String,
    /// How much is done, from 0 to 1.
    pub score: f64,
    /// Whether the game goes on.
    pub status: Status,
    /// Whether the command was carried out.
    pub done: bool,
}

/// Whether a game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It does.
    Running,
    /// The player has done what was asked for.
    Won,
    /// That cannot be done any more.
    Lost,
}

/// Why a world cannot go on.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WorldError(pub String);

impl WorldError {
    /// An error that stands for another one.
    pub fn from_error(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}
