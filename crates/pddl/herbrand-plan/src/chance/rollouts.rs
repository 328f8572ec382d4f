//! Random roll-outs from a state: walks of uniformly random actions up to the goal.

use std::num::NonZeroU32;

use herbrand_core::Random;
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::{Simulator, SlicedError, SlicedTask, SlicedWalker, State, StepError, Walker};

/// Makes roll-outs of a task and averages their values: many at once in the lanes of a block, or one at a time. Both ways
/// make the same draws, so the value does not depend on the way.
pub(crate) struct Rollouts {
    count: u32,
    engine: Box<dyn RolloutEngine>,
    /// The generators of the walks that are made together.
    generators: Vec<Random>,
    /// By number of steps, the walks that reach the goal after it.
    reached: Vec<u32>,
}

/// An engine for walks from one state.
trait RolloutEngine: Send {
    /// Returns the largest number of walks that can be made together.
    fn lanes(&self) -> usize;

    /// Makes `count` walks of at most `steps` steps from a state, with the draws of the first `count` of [`lanes`](Self::lanes)
    /// generators. Each walk that reaches the goal is added to `reached`, by its number of steps.
    fn run(
        &mut self,
        start: &State,
        count: usize,
        generators: &mut [Random],
        steps: usize,
        reached: &mut Vec<u32>,
    ) -> Result<(), StepError>;
}

/// The fewest roll-outs that are made in a block.
const FEWEST_LANES: u32 = 64;

impl Rollouts {
    /// Prepares `count` roll-outs per state.
    pub(crate) fn new(
        simulator: &Simulator,
        count: NonZeroU32,
        budget: &Budget,
    ) -> Result<Self, BudgetExhausted> {
        let count = count.get();
        let task = if count < FEWEST_LANES {
            None
        } else {
            match SlicedTask::new(simulator, budget) {
                Ok(task) => Some(task).filter(SlicedTask::is_likely_faster),
                Err(SlicedError::Limit(exhausted)) => return Err(exhausted),
                Err(_) => None,
            }
        };
        // Idle lanes cost time too. Each further width would contain the whole engine once more.
        let engine: Box<dyn RolloutEngine> = match (task, count) {
            (None, _) => Box::new(simulator.walker()),
            (Some(task), ..=256) => Box::new(task.walker::<2>()),
            (Some(task), _) => Box::new(task.walker::<8>()),
        };
        Ok(Self {
            count,
            engine,
            generators: Vec::new(),
            reached: Vec::new(),
        })
    }

    /// Returns the mean value of the roll-outs of at most `steps` steps from a state: `discount` to the power of the number of
    /// steps to the goal; 0 for a walk that does not reach it. The walks have generators of their own, derived from `chance`,
    /// which changes. Between blocks, `is_over` may end the roll-outs; then the mean is that of the walks made.
    pub(crate) fn mean(
        &mut self,
        start: &State,
        steps: usize,
        discount: f64,
        chance: &mut Random,
        mut is_over: impl FnMut() -> bool,
    ) -> Result<f64, StepError> {
        let streams = chance.clone();
        // The streams of the next call are others.
        chance.below(1);
        let Self {
            count,
            engine,
            generators,
            reached,
        } = self;
        reached.clear();
        let (lanes, mut made) = (engine.lanes() as u32, 0);
        while made < *count && (made == 0 || !is_over()) {
            let some = lanes.min(*count - made);
            generators.clear();
            generators.extend((0..lanes).map(|lane| streams.stream(u64::from(made) + u64::from(lane))));
            engine.run(start, some as usize, generators, steps, reached)?;
            made += some;
        }
        let (mut total, mut worth) = (0.0, 1.0);
        for &walks in &*reached {
            total += f64::from(walks) * worth;
            worth *= discount;
        }
        Ok(total / f64::from(made))
    }
}

/// Counts walks that reach the goal after `taken` steps. The list grows with the walks, not with the greatest number of steps.
fn add(reached: &mut Vec<u32>, taken: usize, walks: u32) {
    if walks > 0 {
        reached.resize(reached.len().max(taken + 1), 0);
        reached[taken] += walks;
    }
}

impl RolloutEngine for Walker {
    fn lanes(&self) -> usize {
        1
    }

    fn run(
        &mut self,
        start: &State,
        _count: usize,
        generators: &mut [Random],
        steps: usize,
        reached: &mut Vec<u32>,
    ) -> Result<(), StepError> {
        self.set_state(start)?;
        for taken in 0..=steps {
            if self.is_goal() {
                add(reached, taken, 1);
                break;
            }
            if taken == steps {
                break;
            }
            let Some(action) = self.sample(&mut generators[0]) else {
                break;
            };
            // The step may fail if an effect has no result.
            if self.apply(action, &mut generators[0]).is_err() {
                break;
            }
        }
        Ok(())
    }
}

impl<const N: usize> RolloutEngine for SlicedWalker<N> {
    fn lanes(&self) -> usize {
        Self::LANES
    }

    fn run(
        &mut self,
        start: &State,
        count: usize,
        generators: &mut [Random],
        steps: usize,
        reached: &mut Vec<u32>,
    ) -> Result<(), StepError> {
        self.set_states(&[u64::MAX; N], start)?;
        let mut walking: [u64; N] = std::array::from_fn(|word| match count.saturating_sub(64 * word) {
            rest @ 0..64 => (1 << rest) - 1,
            _ => u64::MAX,
        });
        for taken in 0..=steps {
            let ended = self.goals().iter().zip(self.dead_ends());
            for (walking, (goal, dead_end)) in walking.iter_mut().zip(ended) {
                add(reached, taken, (*walking & goal).count_ones());
                *walking &= !(goal | dead_end);
            }
            if taken == steps || walking == [0; N] {
                break;
            }
            self.sample(&walking, generators);
            self.step(generators);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use herbrand_ground::strategies::{TaskSketch, sketches};
    use proptest::prelude::*;

    use super::*;

    /// Returns the numbers of walks by steps, and the generators afterwards.
    fn run(
        engine: &mut dyn RolloutEngine,
        start: &State,
        count: usize,
        seed: u64,
    ) -> (Vec<u32>, Vec<Random>) {
        let (lanes, mut reached, mut after) = (engine.lanes(), Vec::new(), Vec::new());
        for first in (0..count).step_by(lanes) {
            let streams = first..first + lanes;
            let mut generators: Vec<_> = streams.map(|lane| Random::new(seed ^ lane as u64)).collect();
            let some = lanes.min(count - first);
            engine
                .run(start, some, &mut generators, 20, &mut reached)
                .unwrap();
            after.extend_from_slice(&generators[..some]);
        }
        (reached, after)
    }

    proptest! {
        /// From any state, the walks of a block reach the goal when those of a walker do, with the same draws.
        #[test]
        fn blocks_and_walkers_make_the_same_rollouts(
            sketch in sketches(),
            seed: u64,
            before in 0..8_u32,
            count in 1..1100_usize,
        ) {
            let sketch = TaskSketch { numbers: 0, actions: sketch.actions.min(200), ..sketch };
            let simulator = Simulator::new(sketch.build());
            let Ok(task) = SlicedTask::new(&simulator, &Budget::unlimited()) else { return Ok(()) };
            let (mut walker, mut chance) = (simulator.walker(), Random::new(seed));
            for _ in 0..before {
                let Some(action) = walker.sample(&mut chance) else { break };
                walker.apply(action, &mut chance).unwrap();
            }
            let start = walker.state().clone();
            let expected = run(&mut walker, &start, count, seed);
            prop_assert_eq!(&run(&mut task.walker::<2>(), &start, count, seed), &expected);
            prop_assert_eq!(&run(&mut task.walker::<8>(), &start, count, seed), &expected);
        }
    }
}
