//! The command-line program `herbrand`, for the console script of the Python package.

use std::ffi::OsString;

use pyo3::prelude::*;

use crate::errors::guarded;

/// Runs the program and returns its exit status. `arguments[0]` is the program name. It uses the standard streams of the
/// process, not those of `sys`.
#[pyfunction]
pub fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    guarded(py, || herbrand_cli::run(arguments))
}
