//! Finding problems by name or position, and selecting them.

use std::fmt;

use herbrand_text::{did_you_mean, nearest};

use crate::problems::Problems;

/// The maximum number of problems that [`UnknownProblem`] lists one by one.
const LISTED: usize = 8;

/// Problems that are found by name or position and selected. All methods but [`select`](Self::select) have defaults.
pub trait Catalogue: Problems<Error: From<UnknownProblem>> {
    /// Returns the set of the problems at `indices`, in that order. The sets share compiled problems. An index may
    /// occur several times. The set may be empty, but environments need at least one problem.
    ///
    /// # Errors
    /// Fails with an [`UnknownProblem`] if an index is out of range.
    fn select(&self, indices: &[usize]) -> Result<Self, Self::Error>;

    /// Returns a further name of the problem at `index`, such as the name in its text; `None` by default.
    fn declared_name(&self, _index: usize) -> Option<&str> {
        None
    }

    /// Returns the set that contains only the problem at `index`, counted from 0.
    ///
    /// # Errors
    /// Fails with an [`UnknownProblem`] if the index is out of range.
    fn only(&self, index: usize) -> Result<Self, Self::Error> {
        self.select(&[index])
    }

    /// Returns the set that contains only the problem that `name` selects, as in [`index_of`](Self::index_of).
    ///
    /// # Errors
    /// Fails with an [`UnknownProblem`] if there is no such problem.
    fn problem(&self, name: &str) -> Result<Self, Self::Error> {
        self.only(self.index_of(name)?)
    }

    /// Returns the index of the problem that `name` selects: the first problem with this name, with or without its part
    /// up to the last `/`; or else the only problem whose text declares this name; or else the problem at this
    /// position, counted from 1. Returned indices are counted from 0.
    ///
    /// # Errors
    /// Fails if there is no such problem.
    fn index_of(&self, name: &str) -> Result<usize, UnknownProblem> {
        let is_named = |&index: &usize| {
            let known = self.problem_name(index).unwrap_or_default();
            known == name || short(&known) == name
        };
        let declared = || {
            let mut indices = (0..self.len()).filter(|&index| self.declared_name(index) == Some(name));
            indices.next().filter(|_| indices.next().is_none())
        };
        let at_position = || {
            let index = name.parse::<usize>().ok()?.checked_sub(1)?;
            (index < self.len()).then_some(index)
        };
        let found = (0..self.len()).find(is_named);
        let found = found.or_else(declared).or_else(at_position);
        found.ok_or_else(|| UnknownProblem::new(self, name))
    }
}

/// Returns a problem's name without its part before `/`: `03` for `test/03`.
fn short(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, short)| short)
}

/// The error that a set has no problem of a name or position. The methods of [`Catalogue`] return it.
/// [`Problems::system`] may return it too, for an index without a problem. Its text lists the known names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownProblem {
    /// The name of the set.
    pub set: String,
    /// The unknown name, or the index as a number.
    pub name: String,
    /// Whether the problem was asked for by its index, counted from 0, instead of by a name.
    pub by_index: bool,
    /// The names that the set has, as text: all of them if there are at most 8, or else their number and the first and
    /// last. Empty if the set is.
    pub known: String,
    /// The most similar name; `None` if no name is similar or `name` is a number.
    pub suggestion: Option<String>,
}

impl UnknownProblem {
    /// Creates the error that `problems` has no problem at `index`, counted from 0.
    pub fn at(problems: &impl Catalogue, index: usize) -> Self {
        Self {
            by_index: true,
            ..Self::new(problems, &index.to_string())
        }
    }

    /// Creates the error that `problems` has no problem called `name`. Finds the most similar name for
    /// [`suggestion`](Self::suggestion), unless `name` is a number. It does not check that there is no such problem.
    pub fn new(problems: &impl Catalogue, name: &str) -> Self {
        let names = (0..problems.len()).filter_map(|index| problems.problem_name(index));
        let names: Vec<String> = names.collect();
        let declared = |index| problems.declared_name(index).unwrap_or_default();
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        let candidates = names.iter().map(|name| short(name));
        let candidates = candidates.chain((0..problems.len()).map(declared));
        let suggestion = nearest(name, candidates.filter(|_| !is_number));
        let with_declared = |(index, name): (usize, &String)| match declared(index) {
            declared if Some(declared) == suggestion && declared != name => format!("{name} ({declared})"),
            _ => name.clone(),
        };
        let known = match names.as_slice() {
            [first, .., last] if names.len() > LISTED => format!("{}: {first} to {last}", names.len()),
            names => names
                .iter()
                .enumerate()
                .map(with_declared)
                .collect::<Vec<_>>()
                .join(", "),
        };
        Self {
            set: problems.name().to_owned(),
            name: name.to_owned(),
            by_index: false,
            known,
            suggestion: suggestion.map(str::to_owned),
        }
    }
}

impl fmt::Display for UnknownProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.by_index {
            write!(
                f,
                "{} has no problem at index {}, counted from 0",
                self.set, self.name
            )?;
        } else {
            write!(f, "{} has no problem `{}`", self.set, self.name)?;
        }
        if !self.known.is_empty() {
            write!(f, ", only {}", self.known)?;
        }
        f.write_str(&did_you_mean(self.suggestion.as_deref()))
    }
}

impl std::error::Error for UnknownProblem {}
