//! Refusals of requests.

use serde::{Deserialize, Serialize};

use crate::finding::Finding;

/// The answer that a request cannot be fulfilled, with the reason. The reply [`Refused`](crate::Reply::Refused)
/// contains it. [`new`](Self::new) makes one, and so does
/// the conversion of an error of any language ([`AnyError`](herbrand_tasks::any::AnyError)).
#[derive(Clone, PartialEq, Debug, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of the reason.
    pub kind: Reason,
    /// The reason as text.
    pub message: String,
    /// The faults of the texts, if these are the reason; otherwise empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// The index in the walk, counted from 0, of the step that cannot be taken; also 0 if the problem cannot be
    /// started. `None` if the request is refused for another reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// The kind of a refusal's reason. [`Refusal::kind`] has it. In JSON, it is its name in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The request or the trace in it is malformed, or there is no such request.
    Request,
    /// There is no such domain or problem, or the language cannot answer the request.
    Unknown,
    /// The texts are faulty, or their problem cannot be compiled.
    Texts,
    /// A step of the walk cannot be taken.
    Step,
    /// The request exceeds the limits of memory, time, text size or steps, or was cancelled.
    Limit,
}

impl Refusal {
    /// Creates a refusal without faults and step. Set the fields `findings` and `step` afterwards if they are known.
    pub fn new(kind: Reason, message: impl ToString) -> Self {
        Self {
            kind,
            message: message.to_string(),
            findings: Vec::new(),
            step: None,
        }
    }

    pub(crate) fn limit(message: impl ToString) -> Self {
        Self::new(Reason::Limit, message)
    }

    pub(crate) fn unknown(message: impl ToString) -> Self {
        Self::new(Reason::Unknown, message)
    }

    /// Creates the refusal of a step.
    pub(crate) fn step(step: usize, message: impl ToString) -> Self {
        Self {
            step: Some(step),
            ..Self::new(Reason::Step, message)
        }
    }
}
