//! The program `herbrand`, for the command that the package installs.

use std::ffi::OsString;

use pyo3::prelude::*;

use crate::errors::guarded;

/// Runs the program with these arguments, of which the first is its name, and returns its exit status. It reads and
/// writes the standard streams of the process, not those of `sys`.
#[pyfunction]
pub fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    guarded(py, || herbrand_cli::run(arguments))
}
