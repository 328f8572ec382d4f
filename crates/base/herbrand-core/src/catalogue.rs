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

    /// Returns the index of the problem that has this name: the first with this name, with or without its part up to the
    /// last `/`; or else the only problem whose text declares this name; or else, if `name` is a number, the first problem
    /// whose name ends in this number, as `instance1` does in 1. `None` if there is none. Indices are counted from 0.
    fn named(&self, name: &str) -> Option<usize> {
        let first = |is: &dyn Fn(&str) -> bool| {
            (0..self.len()).find(|&index| self.problem_name(index).is_some_and(|known| is(&known)))
        };
        let declared = || {
            let mut indices = (0..self.len()).filter(|&index| self.declared_name(index) == Some(name));
            indices.next().filter(|_| indices.next().is_none())
        };
        let numbered = || {
            let number: usize = name.parse().ok()?;
            first(&|known| number_of(known) == Some(number))
        };
        let found = first(&|known| known == name || short(known) == name);
        found.or_else(declared).or_else(numbered)
    }

    /// Returns the index of the problem that `name` selects: the problem of this name or number
    /// ([`named`](Self::named)), or else the problem at this position, counted from 1. The position of a problem does not
    /// count if its name has another number, unless problems are counted in parts, as in `train/01` and `test/01`. Returned
    /// indices are counted from 0.
    ///
    /// # Errors
    /// Fails if there is no such problem.
    fn index_of(&self, name: &str) -> Result<usize, UnknownProblem> {
        let at_position = || {
            let index = name.parse::<usize>().ok()?.checked_sub(1)?;
            let known = self.problem_name(index).filter(|_| index < self.len())?;
            (known.contains('/') || number_of(&known).is_none()).then_some(index)
        };
        let found = self.named(name).or_else(at_position);
        found.ok_or_else(|| UnknownProblem::new(self, name))
    }
}

/// Returns a problem's name without its part before `/`: `03` for `test/03`.
fn short(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, short)| short)
}

/// Returns the number at the end of a problem's name: 3 for `test/p03`. `None` if the name has no digits at its end, or others
/// before, as in `size4-goal2`.
fn number_of(name: &str) -> Option<usize> {
    let name = short(name);
    let word = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let has_other = word.bytes().any(|byte| byte.is_ascii_digit());
    name[word.len()..].parse().ok().filter(|_| !has_other)
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
