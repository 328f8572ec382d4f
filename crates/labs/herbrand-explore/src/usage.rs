//! The cost of a language model's answers.

use serde::{Deserialize, Serialize};

/// The cost of the answers of a reader, in requests and tokens. [`Reader::usage`](crate::Reader::usage) returns it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Usage {
    /// The number of requests to the model.
    pub requests: u64,
    /// The number of tokens of the requests, as the server counts them; 0 if it does not.
    pub asked: u64,
    /// The number of tokens of the answers, as the server counts them.
    pub answered: u64,
}

impl Usage {
    /// Returns the usage since an earlier moment: `self` minus `before`, the usage of the same reader at that moment. A
    /// number that would be negative is 0.
    #[must_use]
    pub const fn since(self, before: Self) -> Self {
        Self {
            requests: self.requests.saturating_sub(before.requests),
            asked: self.asked.saturating_sub(before.asked),
            answered: self.answered.saturating_sub(before.answered),
        }
    }

    /// Returns the sum of both.
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self {
            requests: self.requests.saturating_add(other.requests),
            asked: self.asked.saturating_add(other.asked),
            answered: self.answered.saturating_add(other.answered),
        }
    }
}
