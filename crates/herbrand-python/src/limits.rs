//! Limits of time and memory, as Python gives them.

use std::time::Duration;

use herbrand_datalog::Limits;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};

use crate::errors;

/// The limits that an argument says: None, a `herbrand.Limits`, or a mapping with its fields.
pub fn limits(given: Option<&Bound<'_, PyAny>>) -> PyResult<Limits> {
    let Some(given) = given else {
        return Ok(Limits::default());
    };
    let class = given.py().import("herbrand.limits")?.getattr("Limits")?;
    let made = if given.is_instance(&class)? {
        given.clone()
    } else if let Ok(mapping) = given.cast::<PyMapping>() {
        let fields = PyDict::new(given.py());
        fields.update(mapping)?;
        class.call((), Some(&fields))?
    } else {
        let text = format!("limits are a herbrand.Limits or a mapping, not {given}");
        return Err(PyTypeError::new_err(text));
    };
    read(&made)
}

fn read(limits: &Bound<'_, PyAny>) -> PyResult<Limits> {
    let time: Option<f64> = limits.getattr("time")?.extract()?;
    let fault = |_| PyValueError::new_err("a time limit is a number of seconds, 0 or more");
    Ok(Limits {
        time: time.map(Duration::try_from_secs_f64).transpose().map_err(fault)?,
        bytes: limits.getattr("memory")?.extract()?,
    })
}

/// The exception for an error of which this is known: that a limit was reached, or another class.
pub fn exception(py: Python<'_>, is_limit: bool, class: &str, text: &str) -> PyErr {
    let class = if is_limit { "LimitError" } else { class };
    errors::message(py, class, text)
}

/// Limits as they are pickled: seconds and bytes.
pub fn packed(limits: Limits) -> (Option<f64>, Option<u64>) {
    (limits.time.map(|time| time.as_secs_f64()), limits.bytes)
}

/// The limits that were [packed].
pub fn unpacked((time, bytes): (Option<f64>, Option<u64>)) -> Limits {
    Limits {
        time: time.and_then(|time| Duration::try_from_secs_f64(time).ok()),
        bytes,
    }
}
