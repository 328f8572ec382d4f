//! Parts of a suite: problems chosen by name, place and split.

use std::sync::Arc;

use herbrand_text::nearest;

use super::{Entry, Split, Suite};
use crate::EnvError;

impl Suite {
    /// The problems of one part of the suite.
    #[must_use]
    pub fn split(&self, split: Split) -> Self {
        let own = self.problems.iter().filter(|entry| entry.split == Some(split));
        self.of_these(own.cloned().collect())
    }

    /// The single problem at `index`, from 0.
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`].
    pub fn only(&self, index: usize) -> Result<Self, EnvError> {
        self.select(&[index])
    }

    /// The problems at `indices`, in that order.
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`].
    pub fn select(&self, indices: &[usize]) -> Result<Self, EnvError> {
        let entries = indices.iter().map(|&index| Ok(Arc::clone(self.entry(index)?)));
        Ok(self.of_these(entries.collect::<Result<_, EnvError>>()?))
    }

    /// The single problem that `name` means: a problem's name, that with its part (`test/03`), or else its place in the
    /// suite, counted from 1.
    ///
    /// A name that both parts have means the training problem.
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`].
    pub fn problem(&self, name: &str) -> Result<Self, EnvError> {
        self.only(self.index_of(name)?)
    }

    /// The index of the problem that `name` means, as in [`problem`](Self::problem).
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`].
    pub fn index_of(&self, name: &str) -> Result<usize, EnvError> {
        let named = |entry: &Arc<Entry>| entry.name == name || entry.full_name() == name;
        let by_place = || {
            let index = name.parse::<usize>().ok()?.checked_sub(1)?;
            (index < self.len()).then_some(index)
        };
        let index = self.problems.iter().position(named).or_else(by_place);
        index.ok_or_else(|| self.unknown_problem(name))
    }

    /// No number is like another: only names have suggestions.
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

    /// A suite of these problems alone.
    fn of_these(&self, problems: Vec<Arc<Entry>>) -> Self {
        Self {
            problems,
            ..self.clone()
        }
    }
}
