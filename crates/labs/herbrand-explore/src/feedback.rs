//! Feedback to a reader.

use herbrand_edit::{EditFault, EditFaults};
use serde::Serialize;

/// The reason why an answer of the reader was rejected, passed to the reader for its next attempt.
/// [`ReadRequest::feedback`](crate::ReadRequest::feedback) lists them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "feedback", rename_all = "kebab-case")]
pub enum Feedback {
    /// The answer does not have the requested form.
    Malformed {
        /// An explanation of the fault.
        message: String,
    },
    /// Statements that cannot be added to the belief.
    Faults {
        /// The faults, each with the number of the statement, a code and a message.
        faults: Vec<EditFault>,
    },
    /// A problem that is not valid PDDL or does not fit the domain.
    Problem {
        /// The diagnostics of the parser.
        message: String,
    },
    /// No goal has a plan.
    NoPlan {
        /// For each goal of the task's ladder that was tried, its name and the name of the planner's outcome.
        outcomes: Vec<(String, String)>,
    },
    /// The reader answered with a command that does nothing in the current state.
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
