//! Problems of collections: installed packages, and fetched ones.

use std::path::PathBuf;

use herbrand_collections::{Collection, CollectionError, ProblemSet, Search};
use pyo3::prelude::*;

use crate::errors::{self, IntoException, OrRaise};

/// Returns whether a text begins like the name of problems in a collection: "pddlgym:sokoban".
#[pyfunction]
pub fn is_collected(name: &str) -> bool {
    Collection::of(name).is_some()
}

/// Returns whether the problems of a name in a collection are in RDDL. False if there are no such problems.
#[pyfunction]
pub fn collected_in_rddl(name: &str) -> bool {
    match Collection::of(name) {
        Some((Collection::RddlRepository, _)) => true,
        Some((Collection::Fetched, _)) => {
            let found = Search::from_environment().find(name);
            matches!(found, Ok(ProblemSet::Rddl { .. }))
        }
        _ => false,
    }
}

/// Reads the problems of a name, in the places of the environment and in the folders where Python looks for packages.
pub fn find(
    py: Python<'_>,
    name: &str,
    folders: Vec<PathBuf>,
    python: Option<PathBuf>,
) -> PyResult<ProblemSet> {
    let mut search = Search::from_environment();
    search.folders.extend(folders);
    search.python = python.or(search.python);
    errors::guarded(py, || search.find(name))?.or_raise(py)
}

impl IntoException for CollectionError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        errors::message(py, "UnknownNameError", &self.to_string())
    }
}
