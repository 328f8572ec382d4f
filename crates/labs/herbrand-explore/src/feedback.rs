//! Feedback to a reader.

use herbrand_edit::{EditFault, EditFaults};
use serde::Serialize;

/// The reason why an answer of the reader was rejected, passed to the reader for its next attempt.
/// [`ReadRequest::feedback`](crate::ReadRequest::feedback) lists them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "feedback", rename_all = "kebab-case")]
pub enum Feedback {
    /// The answer does not have the form that the mode asks for, or the reader returned an error.
    Malformed {
        /// An explanation of the fault, or the message of the reader's error.
        message: String,
    },
    /// Statements that cannot be added to the belief.
    Faults {
        /// The faults, each with the index of the statement, from 0, a code and a message.
        faults: Vec<EditFault>,
    },
    /// A problem that is not valid PDDL or does not fit the domain.
    Problem {
        /// The diagnostics of the parser.
        message: String,
    },
    /// No goal has a plan of at least one step. The answer itself was accepted, but is undone for the next attempt.
    NoPlan {
        /// For each goal of the task's ladder, its name and the name of the planner's outcome, or `nothing to aim at`
        /// for a goal that does not apply.
        outcomes: Vec<(String, String)>,
    },
    /// The reader answered with a command that is not in [`ReadRequest::commands`](crate::ReadRequest::commands).
    Command {
        /// The text of the command.
        command: String,
    },
}

impl From<EditFaults> for Feedback {
    fn from(EditFaults(faults): EditFaults) -> Self {
        Self::Faults { faults }
    }
}
