//! Faults of actions that somebody wrote.

use herbrand_text::did_you_mean;

/// The reason why a text names no action. [`Wording::read`](crate::Wording::read) returns it. It displays as a sentence
/// without a final full stop, with the suggestion.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}{}", did_you_mean(suggestion.as_deref()))]
pub struct AnswerError {
    /// The kind of the fault.
    pub fault: AnswerFault,
    /// The fault in words, without the suggestion.
    pub message: String,
    /// The name or the sentence that was probably meant; `None` if no name is similar.
    pub suggestion: Option<String>,
}

/// The kind of fault in an action that somebody wrote. [`AnswerError::fault`] has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AnswerFault {
    /// The text is empty.
    Empty,
    /// The text is longer than 4096 bytes.
    TooLong,
    /// The list of actions has no entry with this number.
    NoSuchNumber,
    /// There is no such action.
    UnknownAction,
    /// There is no such object.
    UnknownObject,
    /// The action has another number of arguments.
    WrongArity,
    /// An argument has the wrong type.
    WrongType,
    /// The text may mean several actions.
    Ambiguous,
}

impl AnswerFault {
    /// Returns the name of the kind, such as `unknown-object`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLong => "too-long",
            Self::NoSuchNumber => "no-such-number",
            Self::UnknownAction => "unknown-action",
            Self::UnknownObject => "unknown-object",
            Self::WrongArity => "wrong-arity",
            Self::WrongType => "wrong-type",
            Self::Ambiguous => "ambiguous",
        }
    }
}

impl AnswerError {
    pub(crate) fn new(fault: AnswerFault, message: impl Into<String>) -> Self {
        Self {
            fault,
            message: message.into(),
            suggestion: None,
        }
    }

    pub(crate) fn suggesting(self, suggestion: Option<&str>) -> Self {
        Self {
            suggestion: suggestion.map(str::to_owned),
            ..self
        }
    }
}
