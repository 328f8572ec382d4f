//! Faults and warnings of texts.

use serde::{Deserialize, Serialize};

/// A fault or a warning in a text. [`Reply::Check`](crate::Reply::Check) and [`Refusal::findings`](crate::Refusal::findings) list them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The text with the fault: `domain`, `problem` or `settings`; empty if the fault has no position.
    pub text: String,
    /// The code, such as `E0103`; empty if the finding has no code.
    pub code: String,
    /// The severity: `error`, `warning`, or `hint` for a name that nothing reads.
    pub severity: String,
    /// The message of the finding.
    pub message: String,
    /// The position: start line, start column, end line and end column. Lines and columns count from 1, columns in
    /// characters; the end is exclusive. All are 1 if the fault has no position.
    pub place: [usize; 4],
    /// A remark about the position; may be empty.
    pub label: String,
    /// A suggestion to fix the fault; may be empty.
    pub help: String,
    /// Further remarks.
    pub notes: Vec<String>,
}
