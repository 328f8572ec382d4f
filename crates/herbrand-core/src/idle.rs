//! Systems that no environment is using.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Problems;

/// The systems of a set's problems that no environment is using. A reset to another problem gives one back and takes
/// one, so that there are about as many systems as environments, not times as many problems.
///
/// Which system an environment gets makes no difference: what a system does depends on its state alone.
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

    /// A system for a problem; makes one, and compiles the problem, if need be.
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
