//! Why there is no answer.

use serde::{Deserialize, Serialize};

use crate::reply::Finding;

/// Why a request has no answer.
#[derive(Clone, PartialEq, Debug, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Refusal {
    /// What kind of reason it is.
    pub kind: Reason,
    /// The reason, in words.
    pub message: String,
    /// What is wrong with the texts, if that is the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Which step of the walk could not be taken, from 0, if that is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// What kind of reason a refusal has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The request is not one of those that there are.
    Request,
    /// There is no such domain or problem.
    Unknown,
    /// The texts are at fault.
    Texts,
    /// The walk has a step that cannot be taken.
    Step,
    /// More memory, time or text than a request may take.
    Limit,
}

impl Refusal {
    pub(crate) fn new(kind: Reason, message: impl ToString) -> Self {
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

    /// A step that cannot be taken, and why.
    pub(crate) fn step(step: usize, message: impl ToString) -> Self {
        Self {
            step: Some(step),
            ..Self::new(Reason::Step, message)
        }
    }
}
