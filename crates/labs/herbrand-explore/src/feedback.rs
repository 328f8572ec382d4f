//! Feedback to a reader.

use herbrand_edit::{EditFault, EditFaults};
use serde::Serialize;

/// Why an answer was rejected.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "feedback", rename_all = "kebab-case")]
pub enum Feedback {
    /// The answer does not have the requested form.
    Malformed {
        /// An explanation.
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
        /// The name and the planning outcome of each goal.
        outcomes: Vec<(String, String)>,
    },
    /// A command that does nothing in the current state.
    Command {
        /// The command.
        command: String,
    },
}

impl From<EditFaults> for Feedback {
    fn from(EditFaults(faults): EditFaults) -> Self {
        Self::Faults { faults }
    }
}
