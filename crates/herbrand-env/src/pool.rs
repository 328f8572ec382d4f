//! Engines at rest, shared by environments.

use std::sync::{Mutex, PoisonError};

use crate::{EnvError, Planning, Suite};

/// The engines of a suite's problems that no environment is using. A reset to another problem gives one back and
/// takes one, so that there are about as many engines as environments, not times as many problems.
///
/// Which engine an environment gets makes no difference: what an engine does depends on its state alone.
#[derive(Debug)]
pub(crate) struct Pool {
    idle: Vec<Mutex<Vec<Planning>>>,
}

impl Pool {
    pub(crate) fn new(problems: usize) -> Self {
        let mut idle = Vec::with_capacity(problems);
        idle.resize_with(problems, Mutex::default);
        Self { idle }
    }

    /// An engine for a problem; makes one, and compiles the problem, if need be.
    pub(crate) fn take(&self, suite: &Suite, problem: usize) -> Result<Planning, EnvError> {
        match self.idle(problem).and_then(|mut idle| idle.pop()) {
            Some(engine) => Ok(engine),
            None => Ok(suite.instance(problem)?.observed_engine()),
        }
    }

    pub(crate) fn give_back(&self, problem: usize, engine: Planning) {
        if let Some(mut idle) = self.idle(problem) {
            idle.push(engine);
        }
    }

    fn idle(&self, problem: usize) -> Option<std::sync::MutexGuard<'_, Vec<Planning>>> {
        let idle = self.idle.get(problem)?;
        Some(idle.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
