//! Problems of collections: installed packages, and fetched ones.

use std::path::PathBuf;

use herbrand_collections::{Collection, CollectionError, ProblemSet, Search};
use herbrand_datalog::Limits;
use herbrand_env::ActionMode;
use herbrand_tasks::AnyProblems;
use herbrand_tasks::open::{Files, Opener};
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

/// The places in which Python looks for packages, beside those of the environment.
pub struct Packages {
    /// The folders.
    pub folders: Vec<PathBuf>,
    /// The interpreter that is asked for other packages.
    pub python: Option<PathBuf>,
}

impl Files for Packages {
    fn search(&self) -> Search {
        let mut search = Search::from_environment();
        search.folders.extend(self.folders.iter().cloned());
        search.python = self.python.clone().or(search.python);
        search
    }
}

impl Packages {
    /// Opens the problems of a name.
    pub fn open(
        &self,
        py: Python<'_>,
        name: &str,
        mode: ActionMode,
        limits: Limits,
    ) -> PyResult<Vec<AnyProblems>> {
        let open = || {
            let opener = Opener {
                files: self,
                mode,
                limits,
                lenient: false,
            };
            opener.named(name)
        };
        errors::guarded(py, open)?.or_raise(py)
    }
}

impl IntoException for CollectionError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        errors::message(py, "UnknownNameError", &self.to_string())
    }
}
