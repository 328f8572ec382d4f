//! Selection of the problems of a suite: by name, by index, by slice, or several of them.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyString};

use crate::errors;

/// The problems of a suite, for selection.
pub struct Selection<'a, F> {
    /// The name of the suite.
    pub suite: &'a str,
    /// The word for one problem: "problem" or "instance".
    pub noun: &'static str,
    /// The number of problems.
    pub count: usize,
    /// Returns the index of the problem with a name, or the error for an unknown name.
    pub by_name: F,
}

impl<F: Fn(&str) -> PyResult<usize>> Selection<'_, F> {
    /// Returns the index of a problem that is given by name, or by index from 0. Negative indices count from the end.
    pub fn index_of(&self, problem: &Bound<'_, PyAny>) -> PyResult<usize> {
        if let Ok(name) = problem.cast::<PyString>() {
            return (self.by_name)(name.to_str()?);
        }
        let index = problem.extract::<i64>().map_err(|_| self.mistaken(problem))?;
        let from_start = if index < 0 {
            index + self.count as i64
        } else {
            index
        };
        let found = usize::try_from(from_start)
            .ok()
            .filter(|&index| index < self.count);
        found.ok_or_else(|| {
            let Self {
                suite, noun, count, ..
            } = self;
            let text = format!("{suite} has no {noun} `{index}` among its {count}");
            errors::message(problem.py(), "UnknownNameError", &text)
        })
    }

    /// Returns the indices of problems that are given by a name, an index, a slice, or an iterable of names and indices.
    pub fn indices_of(&self, problems: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        if let Ok(slice) = problems.cast::<PySlice>() {
            let bounds = slice.indices(isize::try_from(self.count)?)?;
            let places = std::iter::successors(Some(bounds.start), |&place| Some(place + bounds.step));
            return Ok(places.take(bounds.slicelength).map(isize::unsigned_abs).collect());
        }
        if problems.is_instance_of::<PyString>() || problems.hasattr("__index__")? {
            return Ok(vec![self.index_of(problems)?]);
        }
        let each = problems.try_iter().map_err(|_| self.mistaken(problems))?;
        each.map(|problem| self.index_of(&problem?)).collect()
    }

    /// Returns the error for an object that is neither a name nor an index.
    fn mistaken(&self, given: &Bound<'_, PyAny>) -> PyErr {
        let noun = self.noun;
        let article = if noun == "instance" { "an" } else { "a" };
        PyTypeError::new_err(format!(
            "{article} {noun} is given by its name or its index from 0, not {given:?}"
        ))
    }
}

/// Returns the error for a text that names no problem, but could be a number.
pub fn not_a_name(py: Python<'_>, suite: &str, noun: &str, name: &str) -> PyErr {
    let text = format!("{suite} has no {noun} named `{name}`: an index is an int and counts from 0");
    errors::message(py, "UnknownNameError", &text)
}
