//! Action costs as negative rewards.

use herbrand_core::wrap::Environment;
use herbrand_core::{Joint, ProblemChoice, Reset, Step};
use herbrand_ground::NumericId;
use herbrand_pddl::MetricDirection;

use crate::aliases::Env;
use crate::error::EnvError;
use crate::plan::{accumulators, metric};
use crate::suite::Suite;

/// A wrapper that subtracts from each reward the cost of the step: the increase of the problem's metric, or the
/// decrease if the metric is to be maximised. The cost is 1 if the problem has no metric or the metric has no value. An
/// invalid action that the environment ignores costs nothing. Costs are not discounted, and may be negative if the
/// metric improves. [`new`](Self::new) wraps an environment over a [`Suite`](crate::Suite).
#[derive(Clone, Debug)]
pub struct Costs<W> {
    inner: W,
    /// The values of the current problem's accumulators since the reset.
    sums: Vec<f64>,
}

impl<W: Environment<Problems = Suite>> Costs<W> {
    /// Wraps `inner`, so that its rewards include action costs. Then call `reset_to` of [`Environment`]: what was
    /// accumulated before is not known.
    pub fn new(inner: W) -> Self {
        Self {
            inner,
            sums: Vec::new(),
        }
    }

    /// Returns the wrapped environment. Its episode continues, with rewards that do not include action costs.
    pub fn into_inner(self) -> W {
        self.inner
    }

    /// Returns the metric in the current state; `None` if it has no value.
    fn metric(&self) -> Result<Option<f64>, EnvError> {
        let episode = self.inner.env().episode()?;
        let walker = episode.system().walker();
        let task = walker.simulator().task();
        let numeric = |id: NumericId| match id.number().checked_sub(task.state_numerics) {
            None => walker.numeric(id),
            Some(index) => self.sums.get(index as usize).copied(),
        };
        let steps = episode.elapsed() as usize;
        Ok(metric(task, numeric, steps, walker.is_goal()))
    }

    /// Adds the changes of the last step to the accumulators.
    fn follow(&mut self) -> Result<(), EnvError> {
        let walker = self.inner.env().system()?.walker();
        let first = walker.simulator().task().state_numerics;
        for &(id, delta) in walker.changes().deltas {
            if let Some(sum) = self.sums.get_mut((id.number() - first) as usize) {
                *sum += delta;
            }
        }
        Ok(())
    }
}

impl<W: Environment<Problems = Suite>> Environment for Costs<W> {
    type Problems = Suite;
    type Observer = W::Observer;

    fn reset_to(&mut self, seed: Option<u64>, choice: ProblemChoice) -> Result<Reset, EnvError> {
        let reset = self.inner.reset_to(seed, choice)?;
        let task = self.inner.env().system()?.space().task();
        self.sums.clear();
        self.sums.extend(accumulators(task));
        Ok(reset)
    }

    fn step<'a>(&mut self, joint: impl Into<Joint<'a>>) -> Result<Step, EnvError> {
        let before = self.metric()?;
        let step = self.inner.step(joint)?;
        if !step.applied {
            return Ok(step);
        }
        self.follow()?;
        let task = self.inner.env().system()?.space().task();
        let sign = match task.metric {
            Some((MetricDirection::Maximize, _)) => -1.0,
            _ => 1.0,
        };
        let cost = before
            .zip(self.metric()?)
            .map_or(1.0, |(before, after)| sign * (after - before));
        Ok(Step {
            reward: step.reward - cost,
            ..step
        })
    }

    fn env(&self) -> &Env<W::Observer> {
        self.inner.env()
    }

    fn env_mut(&mut self) -> &mut Env<W::Observer> {
        self.inner.env_mut()
    }
}
