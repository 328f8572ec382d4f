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

herbrand_text::named! {
    /// The kind of fault in an action that somebody wrote. [`AnswerError::fault`] has it.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum AnswerFault {
        /// The text is empty.
        Empty = "empty",
        /// The text is longer than 4096 bytes.
        TooLong = "too-long",
        /// The list of actions has no entry with this number.
        NoSuchNumber = "no-such-number",
        /// There is no such action.
        UnknownAction = "unknown-action",
        /// There is no such object.
        UnknownObject = "unknown-object",
        /// The action has another number of arguments.
        WrongArity = "wrong-arity",
        /// An argument has the wrong type.
        WrongType = "wrong-type",
        /// The text may mean several actions.
        Ambiguous = "ambiguous",
    }
    /// Returns the name of the kind, such as `unknown-object`.
    pub fn as_str
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
