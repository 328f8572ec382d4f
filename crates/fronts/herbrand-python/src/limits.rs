//! Limits of time and memory given by Python.

use std::time::Duration;

use bytesize::ByteSize;
use herbrand_datalog::Limits;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors;

/// Reads the limits of an argument: None, a `herbrand.Limits`, or a mapping with the same fields.
pub fn limits(given: Option<&Bound<'_, PyAny>>) -> PyResult<Limits> {
    limits_with(given, None, None)
}

/// Like [`limits`]; `time` and `memory` override the fields.
pub fn limits_with(
    given: Option<&Bound<'_, PyAny>>,
    time: Option<&Bound<'_, PyAny>>,
    memory: Option<&Bound<'_, PyAny>>,
) -> PyResult<Limits> {
    let Some(py) = [given, time, memory].into_iter().flatten().next().map(Bound::py) else {
        return Ok(Limits::default());
    };
    let read = py.import("herbrand.limits")?.getattr("as_limits")?;
    let limits = read.call1((given, time, memory))?;
    let time: Option<f64> = limits.getattr("time")?.extract()?;
    let fault = |_| PyValueError::new_err("a time limit is a number of seconds from 0");
    Ok(Limits {
        time: time.map(Duration::try_from_secs_f64).transpose().map_err(fault)?,
        bytes: limits.getattr("memory")?.extract()?,
    })
}

/// Like [`limits_with`]; without `limits`, the fields of `otherwise` that nothing overrides hold.
pub fn limits_or(
    otherwise: Limits,
    given: Option<&Bound<'_, PyAny>>,
    time: Option<&Bound<'_, PyAny>>,
    memory: Option<&Bound<'_, PyAny>>,
) -> PyResult<Limits> {
    let read = limits_with(given, time, memory)?;
    Ok(match given {
        Some(_) => read,
        None => Limits {
            bytes: read.bytes.or(otherwise.bytes),
            time: read.time.or(otherwise.time),
        },
    })
}

/// Parses a duration such as "10s" or "1m 30s", or a number of seconds; returns seconds.
#[pyfunction]
pub fn seconds_of(text: &str) -> PyResult<f64> {
    let seconds = text.trim().parse().ok().map(Duration::try_from_secs_f64);
    let time = match seconds {
        Some(time) => time.map_err(|error| error.to_string()),
        None => humantime::parse_duration(text).map_err(|error| error.to_string()),
    };
    let fault = |error| {
        let text = format!(
            "a time limit is a number of seconds, or a duration such as '10s', not {text:?}: {error}"
        );
        PyValueError::new_err(text)
    };
    time.map(|time| time.as_secs_f64()).map_err(fault)
}

/// Parses a size such as "500MB" or "2GiB", or a number of bytes; returns bytes.
#[pyfunction]
pub fn bytes_of(text: &str) -> PyResult<u64> {
    let fault = |error| {
        let text =
            format!("a memory limit is a number of bytes, or a size such as '2GiB', not {text:?}: {error}");
        PyValueError::new_err(text)
    };
    text.parse::<ByteSize>().map(|size| size.as_u64()).map_err(fault)
}

/// Returns a `LimitError` if the error is a reached limit, otherwise an exception of the given class.
pub fn exception(py: Python<'_>, is_limit: bool, class: &str, text: &str) -> PyErr {
    let class = if is_limit { "LimitError" } else { class };
    errors::message(py, class, text)
}

/// Returns limits in pickled form: seconds and bytes.
pub fn packed(limits: Limits) -> (Option<f64>, Option<u64>) {
    (limits.time.map(|time| time.as_secs_f64()), limits.bytes)
}

/// Inverse of [`packed`].
pub fn unpacked((time, bytes): (Option<f64>, Option<u64>)) -> Limits {
    Limits {
        time: time.and_then(|time| Duration::try_from_secs_f64(time).ok()),
        bytes,
    }
}
