//! A pool of systems that no environment is using.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::problems::Problems;

/// For each problem of a set, the systems that no environment is using. A reset to another problem returns one system and
/// takes another, so there are about as many systems as environments, not environments times problems.
///
/// All systems of a problem are interchangeable because their behaviour depends only on their state.
#[derive(Debug)]
pub(crate) struct IdleSystems<P: Problems> {
    idle: Vec<Mutex<Vec<P::System>>>,
}

impl<P: Problems> IdleSystems<P> {
    pub(crate) fn new(problems: usize) -> Self {
        let mut idle = Vec::with_capacity(problems);
        idle.resize_with(problems, Mutex::default);
        Self { idle }
    }

    /// Takes an idle system of a problem, or creates one. Creating it may compile the problem.
    pub(crate) fn take(&self, problems: &P, problem: usize) -> Result<P::System, P::Error> {
        match self.idle(problem).and_then(|mut idle| idle.pop()) {
            Some(system) => Ok(system),
            None => problems.system(problem),
        }
    }

    pub(crate) fn give_back(&self, problem: usize, system: P::System) {
        if let Some(mut idle) = self.idle(problem) {
            idle.push(system);
        }
    }

    fn idle(&self, problem: usize) -> Option<MutexGuard<'_, Vec<P::System>>> {
        let idle = self.idle.get(problem)?;
        Some(idle.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
