//! Readers, which turn texts into statements.

mod example;
mod grammar;
mod model;
mod random;
mod rules;
mod scripted;
pub(crate) mod table;
pub(crate) mod template;
mod written;

pub use example::WorkedExample;
pub use model::{
    Endpoint, EndpointError, LanguageModel, ModelOptions, PatientEndpoint, RecordingEndpoint, ReplayEndpoint,
};
#[cfg(feature = "http")]
pub use model::{HttpEndpoint, HttpOptions};
pub use random::RandomReader;
pub use rules::RuleReader;
pub use scripted::ScriptedReader;
pub use table::SentenceReader;

use herbrand_edit::lines::LineEdits;
use herbrand_edit::{Belief, PlanningModel, Statement};
use serde::{Deserialize, Serialize};

use crate::feedback::Feedback;
use crate::usage::Usage;

/// A reader of a world's texts: it turns an observation into statements, a problem or a command. Implemented by
/// [`RuleReader`](crate::RuleReader), [`LanguageModel`](crate::LanguageModel) and
/// [`ScriptedReader`](crate::ScriptedReader).
pub trait Reader {
    /// Reads an observation and returns its meaning in the form that the request's mode asks for.
    ///
    /// # Errors
    /// Fails if the reader has no answer. [`ReadError::again`] tells whether another attempt may succeed.
    fn read(&mut self, request: &ReadRequest<'_>) -> Result<ReaderAnswer, ReadError>;

    /// Starts a new game. The reader forgets the previous one. [`Explorer::play`](crate::Explorer::play) calls it. Does
    /// nothing by default.
    fn begin(&mut self) {}

    /// Returns the phrase that the world's texts use for a PDDL object, for use in commands. By default, the object's
    /// name with spaces for hyphens.
    fn phrase(&self, object: &str) -> String {
        object.replace('-', " ")
    }

    /// Returns whether feedback can change the reader's answer to the same text. If not, a rejected answer is not asked
    /// for again. `true` by default.
    fn learns(&self) -> bool {
        true
    }

    /// Returns whether the last [`read`](Self::read) failed because the reader is out of reach, such as a server that is
    /// down. The game then ends with [`Ending::NotPlayed`](crate::Ending::NotPlayed). `false` by default.
    fn is_gone(&self) -> bool {
        false
    }

    /// Hears the problem that the agent believes in after an accepted answer to the text that followed `step` commands. Not
    /// called in [`Mode::EndToEnd`]. If no goal has a plan in this problem, the text is read again, and another problem
    /// follows for the same step. Does nothing by default.
    fn believed(&mut self, step: usize, problem: &PlanningModel) {
        let _ = (step, problem);
    }

    /// Returns what the answers so far have cost, over all games. Nothing by default.
    fn usage(&self) -> Usage {
        Usage::default()
    }
}

herbrand_text::named! {
    /// The kind of answer that the [`Reader`] has to give for each text: statements, a problem or a command. It divides the
    /// work between reader and planner. It is [`ExploreOptions::mode`](crate::ExploreOptions::mode); the default is
    /// [`Edits`](Self::Edits).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Mode {
        /// Statements about the text. They edit the known problem, for which the agent plans.
        #[default]
        Edits = "edits",
        /// Lines to add, to replace and to delete in the known problem, as in PDDLEGO. Its text has one object or fact per line
        /// ([`listed`](herbrand_edit::lines::listed)). The agent plans for the edited problem.
        Lines = "lines",
        /// The whole known problem in PDDL, after each text. It replaces the earlier one. The agent plans for it.
        WholeProblem = "whole-problem",
        /// The next command itself, one of [`ReadRequest::commands`]. The agent does not plan.
        EndToEnd = "end-to-end",
    }
    /// Returns the name of the mode, such as `end-to-end`. `str::parse` reads it, and fails for any other text with an
    /// error that lists the names.
    pub fn name; parses, or ReadError: |name| {
        let names = Mode::ALL.map(Mode::name).join(", ");
        ReadError::last(format!("mode is one of {names}, not `{name}`"))
    }
}

/// A request to a reader: the observation and the context in which to read it.
/// [`Explorer::play`](crate::Explorer::play) makes one for each text and attempt, and passes it to [`Reader::read`].
#[derive(Clone, Copy, Debug)]
pub struct ReadRequest<'a> {
    /// The task, as the world describes it to the player.
    pub task: &'a str,
    /// The command that led to the observation; `None` at the start.
    pub command: Option<&'a str>,
    /// The text of the observation.
    pub text: &'a str,
    /// The agent's belief before this observation.
    pub belief: &'a Belief,
    /// The commands that do something in the current state. Empty except in [`Mode::EndToEnd`].
    pub commands: &'a [String],
    /// The feedback to the reader's earlier answers for the same text, oldest first; empty for the first attempt.
    pub feedback: &'a [Feedback],
    /// The expected kind of answer.
    pub mode: Mode,
    /// An example of a text of this kind of game and of the answers to it; `None` if the task has none.
    pub example: Option<&'a WorkedExample>,
}

/// The answer of a reader to one text; its form depends on the [`Mode`]. [`Reader::read`] returns it. An answer of
/// another form than the mode asks for is rejected as [`Feedback::Malformed`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReaderAnswer {
    /// The statements of the text, in [`Mode::Edits`].
    Statements {
        /// The statements.
        statements: Vec<Statement>,
        /// The sentences that the reader did not understand. They are only reported, in
        /// [`Event::Read`](crate::Event::Read).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unread: Vec<String>,
    },
    /// Edits of the lines of the known problem, in [`Mode::Lines`]. A line to replace or to delete that the problem does not
    /// have is a fault.
    Lines(LineEdits),
    /// A whole problem in PDDL, in [`Mode::WholeProblem`].
    Problem(String),
    /// The next command, in [`Mode::EndToEnd`]. Exactly one of [`ReadRequest::commands`], otherwise it is rejected.
    Command(String),
}

/// The error of a [`Reader`] that could not answer or could not be created. [`last`](Self::last) and
/// [`passing`](Self::passing) create it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ReadError {
    /// The reason, for people.
    pub message: String,
    /// Whether another attempt may succeed.
    pub again: bool,
}

impl ReadError {
    /// Creates an error for which another attempt is pointless: [`again`](Self::again) is `false`. From
    /// [`Reader::read`], it ends the game with [`Ending::Unread`](crate::Ending::Unread).
    pub fn last(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            again: false,
        }
    }

    /// Creates an error for which another attempt may succeed: [`again`](Self::again) is `true`. After it, the text is
    /// read again if [`Reader::learns`] is `true` and retries are left; otherwise the game ends with
    /// [`Ending::Unread`](crate::Ending::Unread).
    pub fn passing(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            again: true,
        }
    }
}
