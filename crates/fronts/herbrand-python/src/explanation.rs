//! Conversion of explanations to `herbrand.errors.Explanation`.

use herbrand_core::ActionValidity;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::term::{Action, Term};

/// Converts the explanation of an action, given as an object.
pub fn explanation<'py>(
    py: Python<'py>,
    action: Py<Action>,
    why: &ActionValidity,
) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import("herbrand.errors")?.getattr("Explanation")?;
    class.call1((
        action,
        why.valid,
        PyTuple::new(py, &why.failures)?,
        why.text.as_str(),
    ))
}

/// Converts the explanation of an action, which is parsed.
pub fn explanation_by_name<'py>(py: Python<'py>, why: &ActionValidity) -> PyResult<Bound<'py, PyAny>> {
    let action = Py::new(py, Action(Term::parse(py, &why.action)?))?;
    explanation(py, action, why)
}

/// Returns the explanation of an action that no reachable state allows.
pub fn never_valid<'py>(py: Python<'py>, action: &str, text: String) -> PyResult<Bound<'py, PyAny>> {
    let why = ActionValidity {
        action: action.to_owned(),
        valid: false,
        failures: Vec::new(),
        text,
    };
    explanation_by_name(py, &why)
}
