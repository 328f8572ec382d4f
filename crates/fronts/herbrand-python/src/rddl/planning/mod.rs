//! Planners, policies and differentiable steps for RDDL tasks.

mod planner;
mod policy;
mod relaxation;
mod relaxed_step;

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
