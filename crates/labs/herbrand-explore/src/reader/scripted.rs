//! A reader with predefined answers.

use std::collections::VecDeque;

use super::{ReadError, ReadRequest, Reader, ReaderAnswer};

/// A [`Reader`] that returns predefined answers in order, whatever the texts, for tests. Each attempt uses one, and a
/// new game goes on with the rest. When none are left, it fails.
#[derive(Clone, Debug, Default)]
pub struct ScriptedReader {
    answers: VecDeque<ReaderAnswer>,
}

impl ScriptedReader {
    /// Creates a reader that returns these answers in order, for an [`Explorer`](crate::Explorer).
    #[must_use]
    pub fn new(answers: impl IntoIterator<Item = ReaderAnswer>) -> Self {
        Self {
            answers: answers.into_iter().collect(),
        }
    }

    /// Creates a reader from answers as text, one [`ReaderAnswer`] in JSON per line. Empty lines are skipped.
    ///
    /// # Errors
    /// Fails if a line is not an answer. The message contains its number.
    pub fn from_lines(text: &str) -> Result<Self, ReadError> {
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        let read = |(line, number): (&str, usize)| {
            serde_json::from_str(line).map_err(|error| ReadError::last(format!("line {number}: {error}")))
        };
        Ok(Self {
            answers: lines.map(read).collect::<Result<_, _>>()?,
        })
    }

    /// Returns the number of answers that were not given yet.
    #[must_use]
    pub fn left(&self) -> usize {
        self.answers.len()
    }
}

impl Reader for ScriptedReader {
    fn read(&mut self, _: &ReadRequest<'_>) -> Result<ReaderAnswer, ReadError> {
        self.answers
            .pop_front()
            .ok_or_else(|| ReadError::last("the script has no more answers"))
    }
}
