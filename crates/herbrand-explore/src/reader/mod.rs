//! Readers: what makes statements of texts.

mod grammar;
mod model;
mod rules;
mod scripted;
mod template;

pub use model::{Endpoint, EndpointError, LanguageModel, ModelOptions, Recorder, Replay};
#[cfg(feature = "http")]
pub use model::{HttpEndpoint, HttpOptions};
pub use rules::RuleReader;
pub use scripted::ScriptedReader;

use herbrand_edit::{Belief, Statement};
use serde::{Deserialize, Serialize};

use crate::Mode;
use crate::feedback::Feedback;

/// Makes of what a world says what an agent knows.
pub trait Reader {
    /// Reads an observation.
    ///
    /// # Errors
    /// When the reader has no answer. Whether asking once more makes sense is up to [`ReadError::again`].
    fn read(&mut self, request: &ReadRequest<'_>) -> Result<Reading, ReadError>;

    /// A game begins; what was read before is of another one.
    fn begin(&mut self) {}

    /// What the world calls an object.
    fn phrase(&self, object: &str) -> String {
        object.replace('-', " ")
    }

    /// Whether feedback can change what the reader says of the same text.
    fn learns(&self) -> bool {
        true
    }
}

/// What a reader is asked.
#[derive(Clone, Copy, Debug)]
pub struct ReadRequest<'a> {
    /// What the agent is told to do.
    pub task: &'a str,
    /// The command that was given last; none at the start.
    pub command: Option<&'a str>,
    /// What the world answered.
    pub text: &'a str,
    /// What is known so far.
    pub belief: &'a Belief,
    /// The commands that do something now, if the mode shows them.
    pub commands: &'a [String],
    /// What was wrong with earlier answers to the same text, the latest last.
    pub feedback: &'a [Feedback],
    /// What kind of answer is expected.
    pub mode: Mode,
}

/// What a reader answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// What the text says, in [`Mode::Edits`]; and what of it the reader did not understand.
    Statements {
        /// The statements.
        statements: Vec<Statement>,
        /// The sentences that say nothing to the reader.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unread: Vec<String>,
    },
    /// A whole problem in PDDL, in [`Mode::WholeProblem`].
    Problem(String),
    /// The next command, in [`Mode::EndToEnd`].
    Command(String),
}

/// A reader has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ReadError {
    /// Why.
    pub message: String,
    /// Whether another attempt may succeed.
    pub again: bool,
}

impl ReadError {
    /// An error that another attempt does not mend.
    pub fn last(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            again: false,
        }
    }

    /// An error that another attempt may mend.
    pub fn passing(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            again: true,
        }
    }
}
