//! Options whose values are names, such as the name of an engine.

use std::fmt::Display;
use std::str::FromStr;

use herbrand_text::{did_you_mean, nearest};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Reads a name or another short text.
pub fn parsed<T: FromStr<Err: Display>>(text: &str) -> PyResult<T> {
    text.parse().map_err(value_error)
}

/// Returns the value of an option that has this name among all its values.
pub fn one_of<T: Copy>(option: &str, name: &str, values: &[(&str, T)]) -> PyResult<T> {
    let found = values.iter().find(|(known, _)| *known == name);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let mut names: Vec<_> = values.iter().map(|(known, _)| format!("{known:?}")).collect();
        let last = names.pop().unwrap_or_default();
        let (names, known) = (names.join(", "), values.iter().map(|(known, _)| *known));
        let meant = did_you_mean(nearest(name, known));
        value_error(format!("{option} is {names} or {last}, not {name:?}{meant}"))
    })
}

/// Returns the exception for a value that is refused for this reason.
pub fn value_error(reason: impl Display) -> PyErr {
    PyValueError::new_err(reason.to_string())
}
