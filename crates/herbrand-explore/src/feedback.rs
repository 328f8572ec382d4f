//! What a reader is told about its answer.

use herbrand_edit::{EditFault, EditFaults};
use serde::Serialize;

/// What was wrong with an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "feedback", rename_all = "kebab-case")]
pub enum Feedback {
    /// The answer has not the form that is asked for.
    Malformed {
        /// Why.
        message: String,
    },
    /// Statements that cannot be taken in: each with its number, a code and a message.
    Faults {
        /// The faults.
        faults: Vec<EditFault>,
    },
    /// A problem that is no valid PDDL, or not of the domain.
    Problem {
        /// Its diagnostics.
        message: String,
    },
    /// No goal can be planned for: what each came to.
    NoPlan {
        /// By goal: the outcome.
        outcomes: Vec<(String, String)>,
    },
    /// The command is none that the world takes now.
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
