//! Selection of problems from a suite by name, position or split.

use std::sync::Arc;

use herbrand_core::Catalogue;

use super::{Entry, LiftedSuite, Split, Suite};
use crate::error::EnvError;

impl Suite {
    /// Returns the suite of the problems of one split, in the same order; empty if no problem belongs to that split,
    /// for example because the suite has no splits. An environment cannot be created over an empty suite.
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

    /// Returns the suite of the problems at `indices`, in that order. An index may occur more than once, and no index
    /// gives an empty suite.
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`] if an index is out of range.
    pub fn select(&self, indices: &[usize]) -> Result<Self, EnvError> {
        let entries = indices.iter().map(|&index| Ok(Arc::clone(self.entry(index)?)));
        Ok(self.of_these(entries.collect::<Result<_, EnvError>>()?))
    }

    /// Returns the problem selected by `name` as a suite: by its name, its name with the split (`test/03`), or else its
    /// position counted from 1. If several problems have the name, the first in the order of the suite is selected; a
    /// suite of a folder has the training problems first.
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`] if there is no such problem.
    pub fn problem(&self, name: &str) -> Result<Self, EnvError> {
        Catalogue::problem(self, name)
    }

    /// Returns the index, counted from 0, of the problem that `name` selects; names have the same meaning as for
    /// [`problem`](Self::problem).
    ///
    /// # Errors
    /// [`EnvError::UnknownProblem`] if there is no such problem.
    pub fn index_of(&self, name: &str) -> Result<usize, EnvError> {
        Ok(Catalogue::index_of(self, name)?)
    }

    /// Returns a suite with these problems.
    fn of_these(&self, problems: Vec<Arc<Entry>>) -> Self {
        Self {
            problems,
            ..self.clone()
        }
    }
}

impl Catalogue for Suite {
    fn select(&self, indices: &[usize]) -> Result<Self, EnvError> {
        Self::select(self, indices)
    }
}

impl Catalogue for LiftedSuite {
    fn select(&self, indices: &[usize]) -> Result<Self, EnvError> {
        Ok(Self::new(self.suite().select(indices)?))
    }
}
