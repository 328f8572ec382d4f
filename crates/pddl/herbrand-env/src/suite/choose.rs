//! Selection of problems from a suite by name, position or split.

use std::sync::Arc;

use herbrand_text::nearest;

use super::{Entry, Split, Suite};
use crate::error::EnvError;

impl Suite {
    /// Returns the suite of the problems of one split; empty if the suite has no splits.
    #[must_use]
    pub fn split(&self, split: Split) -> Self {
        let own = self.problems.iter().filter(|entry| entry.split == Some(split));
        self.of_these(own.cloned().collect())
    }

    /// Returns the suite that contains only the problem at `index`, counted from 0.
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`] if there is no such problem.
    pub fn only(&self, index: usize) -> Result<Self, EnvError> {
        self.select(&[index])
    }

    /// Returns the suite of the problems at `indices`, in that order.
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`] if an index is out of range.
    pub fn select(&self, indices: &[usize]) -> Result<Self, EnvError> {
        let entries = indices.iter().map(|&index| Ok(Arc::clone(self.entry(index)?)));
        Ok(self.of_these(entries.collect::<Result<_, EnvError>>()?))
    }

    /// Returns the problem selected by `name` as a suite: by its name, its name with the split (`test/03`), or else its
    /// position counted from 1.
    ///
    /// If both splits have the name, the training problem is selected.
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`] if there is no such problem.
    pub fn problem(&self, name: &str) -> Result<Self, EnvError> {
        self.only(self.index_of(name)?)
    }

    /// Returns the index of the problem that `name` selects; names have the same meaning as for
    /// [`problem`](Self::problem).
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`] if there is no such problem.
    pub fn index_of(&self, name: &str) -> Result<usize, EnvError> {
        let named = |entry: &Arc<Entry>| entry.name == name || entry.full_name() == name;
        let by_place = || {
            let index = name.parse::<usize>().ok()?.checked_sub(1)?;
            (index < self.len()).then_some(index)
        };
        let index = self.problems.iter().position(named).or_else(by_place);
        index.ok_or_else(|| self.unknown_problem(name))
    }

    /// Creates the error for an unknown problem. Numbers have no similar names, so only other texts get a suggestion.
    pub(super) fn unknown_problem(&self, name: &str) -> EnvError {
        let names = self.problems.iter().map(|entry| entry.name.as_str());
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        let suggestion = if is_number { None } else { nearest(name, names) };
        let ends = [self.problems.first(), self.problems.last()];
        let mut ends: Vec<_> = ends
            .into_iter()
            .flatten()
            .map(|entry| entry.full_name())
            .collect();
        ends.dedup();
        EnvError::UnknownProblem {
            suite: self.name().to_owned(),
            name: name.to_owned(),
            problems: self.len(),
            range: ends.join(" to "),
            suggestion: suggestion.map(str::to_owned),
        }
    }

    /// Returns a suite with these problems.
    fn of_these(&self, problems: Vec<Arc<Entry>>) -> Self {
        Self {
            problems,
            ..self.clone()
        }
    }
}
