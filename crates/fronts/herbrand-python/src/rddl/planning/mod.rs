//! Planners, policies and differentiable steps for RDDL tasks.

mod planner;
mod policy;
mod relaxation;
mod relaxed_step;

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub use planner::RddlPlanner;
pub use policy::RddlPolicy;
pub use relaxed_step::RelaxedStep;

/// Converts seconds to a duration; an error if negative.
fn seconds(time: Option<f64>) -> PyResult<Option<Duration>> {
    let duration = |time| Duration::try_from_secs_f64(time);
    time.map(duration)
        .transpose()
        .map_err(|_| PyValueError::new_err("time is a number of seconds from 0"))
}

/// Reads a name or another short text.
fn parsed<T: FromStr<Err: Display>>(text: &str) -> PyResult<T> {
    text.parse()
        .map_err(|error: T::Err| PyValueError::new_err(error.to_string()))
}
