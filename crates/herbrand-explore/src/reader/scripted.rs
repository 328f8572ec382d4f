//! A reader whose answers are given beforehand.

use std::collections::VecDeque;

use super::{ReadError, ReadRequest, Reader, Reading};

/// Gives prepared answers, one after the other: those of a record, or of a test.
#[derive(Clone, Debug, Default)]
pub struct ScriptedReader {
    answers: VecDeque<Reading>,
}

impl ScriptedReader {
    /// A reader with these answers.
    #[must_use]
    pub fn new(answers: impl IntoIterator<Item = Reading>) -> Self {
        Self {
            answers: answers.into_iter().collect(),
        }
    }

    /// The answers of a text with one in JSON on each line.
    ///
    /// # Errors
    /// When a line is none; the message has its number.
    pub fn from_lines(text: &str) -> Result<Self, ReadError> {
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        let read = |(line, number): (&str, usize)| {
            serde_json::from_str(line).map_err(|error| ReadError::last(format!("line {number}: {error}")))
        };
        Ok(Self {
            answers: lines.map(read).collect::<Result<_, _>>()?,
        })
    }

    /// How many answers are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.answers.len()
    }
}

impl Reader for ScriptedReader {
    fn read(&mut self, _: &ReadRequest<'_>) -> Result<Reading, ReadError> {
        self.answers
            .pop_front()
            .ok_or_else(|| ReadError::last("the script has no more answers"))
    }
}
