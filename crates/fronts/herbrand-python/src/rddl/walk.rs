//! Random walks on RDDL problems, for tests.

use std::path::PathBuf;
use std::sync::Arc;

use herbrand_core::{Random, System};
use herbrand_rddl::Instance;
use herbrand_rddl_sim::ground::compile;
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator};
use herbrand_rddl_sim::suite::RddlError;
use pyo3::prelude::*;

use crate::errors::{OrRaise, guarded};

/// The result of a walk: the number of ground state fluents, the number of steps, and the reason why the next step failed,
/// if it did.
type WalkResult = (usize, u32, Option<String>);

/// Parses, checks and compiles the domain and the instance in these files, and takes `steps` steps with random joint
/// actions. If an episode ends, the walk continues from the initial state.
#[pyfunction]
pub fn walk_rddl(py: Python<'_>, paths: Vec<PathBuf>, steps: u32, seed: u64) -> PyResult<WalkResult> {
    guarded(py, || walk(&paths, steps, seed))?.or_raise(py)
}

fn walk(paths: &[PathBuf], steps: u32, seed: u64) -> Result<WalkResult, RddlError> {
    let compiled = compile(&Arc::new(Instance::from_files(paths)?))?;
    let mut simulator = RddlSimulator::new(Arc::new(compiled), Preconditions::Reported);
    let fluents = simulator.compiled().state.len();
    let (mut random, mut joint) = (Random::new(seed), Vec::new());
    for taken in 0..steps {
        simulator.sample(&mut random, &mut joint);
        match simulator.step(&joint, &mut random) {
            Ok(transition) if transition.status.terminal || transition.status.broken => simulator.restart(),
            Ok(_) => {}
            Err(error) => return Ok((fluents, taken, Some(error.to_string()))),
        }
    }
    Ok((fluents, steps, None))
}
