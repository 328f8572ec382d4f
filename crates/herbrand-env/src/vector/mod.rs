//! Many environments at once.

mod batch;
mod crew;
mod split;

use std::sync::Arc;

use rayon::ThreadPoolBuildError;

use batch::Lane;
pub use batch::{Batch, BufferError, Flags};
use crew::Crew;
use split::{Split, Strips};

use crate::pool::Pool;
use crate::{AgentActionId, Env, EnvError, EnvOptions, Part, Sizes, Suite};

/// What can be set about a batch of environments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VecOptions {
    /// What can be set about each of them.
    pub env: EnvOptions,
    /// What happens after the end of an episode.
    pub autoreset: Autoreset,
    /// Which atoms observations have.
    pub part: Part,
    /// How many threads step them, the caller's among them; 0 is as good as 1. Results do not depend on it.
    pub threads: usize,
}

/// What happens after the end of an episode, as in Gymnasium.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Autoreset {
    /// The next step begins a new episode, whatever its action; it pays nothing.
    #[default]
    NextStep,
    /// The same step begins a new episode: the observation and mask are its first ones, the last ones of the old
    /// episode go into [`Batch::final_observations`].
    SameStep,
    /// A step is an error until [`VecEnv::reset_some`].
    Disabled,
}

/// Why a batch of environments did not step.
#[derive(Debug, thiserror::Error)]
pub enum VecError {
    /// A buffer is too short or too long.
    #[error(transparent)]
    Buffer(#[from] BufferError),
    /// One of the environments refused; the others have stepped.
    #[error("environment {index}: {error}")]
    Env {
        /// The first that refused.
        index: usize,
        /// Why.
        error: EnvError,
    },
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadPoolBuildError),
}

/// Environments over one suite that are stepped together, by several threads, into buffers that the caller owns.
///
/// Environment `i` goes through what a single [`Env`] of seed `seed + i` would, on any number of threads. All
/// observations and masks are as wide as the widest problem of the suite asks for, and have one
/// element at least; what a problem does not use is 0.
/// The buffers are the caller's, and are written in place.
///
/// On one thread steps, samples and resets to known problems allocate nothing once engines have been made; on several, each
/// call allocates what tells the others of their work.
#[derive(Debug)]
pub struct VecEnv {
    slots: Vec<Slot>,
    crew: Crew,
    autoreset: Autoreset,
    part: Part,
    sizes: Sizes,
}

/// One environment, and what it has to say for itself.
#[derive(Debug)]
struct Slot {
    env: Env,
    /// Whether the next step begins a new episode.
    over: bool,
}

impl VecEnv {
    /// `count` environments over `suite`. Compiles all problems, to learn how wide observations are.
    ///
    /// # Errors
    /// When the suite has no problem, or one is at fault.
    pub fn new(suite: &Suite, count: usize, options: VecOptions) -> Result<Self, VecError> {
        let fail = |error| VecError::Env { index: 0, error };
        let sizes = suite.sizes(options.part).map_err(fail)?;
        // A row of no elements would not be a row.
        let sizes = Sizes {
            atoms: sizes.atoms.max(1),
            actions: sizes.actions.max(1),
        };
        let pool = Arc::new(Pool::new(suite.len()));
        let slots = (0..count).map(|_| {
            Ok(Slot {
                env: Env::with_pool(suite.clone(), options.env, Arc::clone(&pool))?,
                over: false,
            })
        });
        Ok(Self {
            slots: slots.collect::<Result<_, _>>().map_err(fail)?,
            crew: Crew::new(options.threads)?,
            autoreset: options.autoreset,
            part: options.part,
            sizes,
        })
    }

    /// The number of environments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// How wide the observation and the mask of one environment are.
    #[must_use]
    pub const fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// The environment at `index`.
    #[must_use]
    pub fn env(&self, index: usize) -> Option<&Env> {
        self.slots.get(index).map(|slot| &slot.env)
    }

    /// Begins an episode in every environment. With a seed, environment `i` gets `seed + i`. Rewards and flags are
    /// set to nothing.
    ///
    /// # Errors
    /// When a buffer is of the wrong length, or a problem has no initial state.
    pub fn reset(&mut self, seed: Option<u64>, batch: &mut Batch<'_>) -> Result<(), VecError> {
        let part = self.part;
        batch.check(self.len(), self.sizes)?;
        let rows = batch.rows(self.sizes);
        self.for_each(rows, |index, slot, lane| {
            let seed = seed.map(|seed| seed.wrapping_add(index as u64));
            slot.begin(seed, part, lane)
        })
    }

    /// Begins an episode in the environments for which `which` is true; the buffers of the others stay as they are.
    ///
    /// # Errors
    /// As [`reset`](Self::reset), and when `which` is of the wrong length.
    pub fn reset_some(&mut self, which: &[bool], batch: &mut Batch<'_>) -> Result<(), VecError> {
        BufferError::check("which", which.len(), self.len())?;
        let part = self.part;
        batch.check(self.len(), self.sizes)?;
        let rows = batch.rows(self.sizes);
        self.for_each(rows, |index, slot, lane| {
            if which[index] {
                slot.begin(None, part, lane)
            } else {
                Ok(())
            }
        })
    }

    /// Takes an action in every environment.
    ///
    /// # Errors
    /// When a buffer is of the wrong length, or an action is refused.
    pub fn step(&mut self, actions: &[u32], batch: &mut Batch<'_>) -> Result<(), VecError> {
        BufferError::check("actions", actions.len(), self.len())?;
        let (autoreset, part) = (self.autoreset, self.part);
        batch.check(self.len(), self.sizes)?;
        let rows = batch.rows(self.sizes);
        self.for_each(rows, |index, slot, lane| {
            slot.step(AgentActionId::new(actions[index]), autoreset, part, lane)
        })
    }

    /// Takes a sampled action in every environment: does what [`sample`](Self::sample) and then [`step`](Self::step)
    /// with its actions do, but visits each environment once, and threads meet once.
    ///
    /// # Errors
    /// As [`sample`](Self::sample) and [`step`](Self::step).
    pub fn step_sampled(&mut self, actions: &mut [u32], batch: &mut Batch<'_>) -> Result<(), VecError> {
        BufferError::check("actions", actions.len(), self.len())?;
        let (autoreset, part) = (self.autoreset, self.part);
        batch.check(self.len(), self.sizes)?;
        let rows = batch.rows(self.sizes);
        self.for_each((actions, rows), |_, slot, (action, lane)| {
            slot.step_sampled(action, autoreset, part, lane)
        })
    }

    /// Takes so many sampled steps in every environment, and writes all of them: experience of a random policy. Does what
    /// as many calls of [`step_sampled`](Self::step_sampled) do, but threads meet once for all of them, and each
    /// environment stays in its processor's cache.
    ///
    /// The buffers have `steps` rows an environment, first all those of the first one: environments × steps × atoms,
    /// and so on; `actions` has environments × steps elements.
    ///
    /// # Errors
    /// As [`step_sampled`](Self::step_sampled). An environment that refuses stops there; what it has not written stays
    /// as it is.
    pub fn collect(
        &mut self,
        steps: usize,
        actions: &mut [u32],
        batch: &mut Batch<'_>,
    ) -> Result<(), VecError> {
        let count = self.len();
        BufferError::check("actions", actions.len(), count * steps)?;
        let (autoreset, part) = (self.autoreset, self.part);
        batch.check(count * steps, self.sizes)?;
        let strips = Strips {
            items: (actions, batch.rows(self.sizes)),
            count,
            length: steps,
        };
        self.for_each(strips, |_, slot, strip| {
            strip
                .items()
                .try_for_each(|(action, lane)| slot.step_sampled(action, autoreset, part, lane))
        })
    }

    /// Puts a valid action of every environment, drawn uniformly from its own stream, into `actions`. It is 0
    /// in a dead end ([`Flags::dead_end`]) and after the end of an episode that the next step begins anew; a step there
    /// does the same whatever its action.
    ///
    /// # Errors
    /// When `actions` is of the wrong length, and before the first reset.
    pub fn sample(&mut self, actions: &mut [u32]) -> Result<(), VecError> {
        BufferError::check("actions", actions.len(), self.len())?;
        self.for_each(actions, |_, slot, action| {
            *action = slot.sample()?.number();
            Ok(())
        })
    }

    /// Does `work` for every environment and what belongs to it.
    fn for_each<S: Split>(
        &mut self,
        of_slots: S,
        work: impl Fn(usize, &mut Slot, S::Item) -> Result<(), EnvError> + Sync,
    ) -> Result<(), VecError> {
        let (count, slots) = (self.slots.len(), self.slots.as_mut_slice());
        let work = |index, (slot, item): (&mut Slot, S::Item)| work(index, slot, item);
        match self.crew.for_each(count, (slots, of_slots), work) {
            Some((index, error)) => Err(VecError::Env { index, error }),
            None => Ok(()),
        }
    }
}

impl Slot {
    fn begin(&mut self, seed: Option<u64>, part: Part, lane: Lane<'_>) -> Result<(), EnvError> {
        let reset = self.env.reset(seed)?;
        self.over = false;
        if let Some(flags) = lane.flags {
            *flags = reset.into();
        }
        (*lane.reward, *lane.terminated, *lane.truncated) = (0.0, false, false);
        self.observe(part, lane.observation, lane.mask)
    }

    fn sample(&mut self) -> Result<AgentActionId, EnvError> {
        let sampled = if self.over { None } else { self.env.sample()? };
        Ok(sampled.unwrap_or(AgentActionId::new(0)))
    }

    fn step(
        &mut self,
        action: AgentActionId,
        autoreset: Autoreset,
        part: Part,
        lane: Lane<'_>,
    ) -> Result<(), EnvError> {
        if self.over && autoreset == Autoreset::NextStep {
            return self.begin(None, part, lane);
        }
        let step = self.env.step(action)?;
        *lane.reward = step.reward;
        *lane.terminated = step.terminated;
        *lane.truncated = step.truncated;
        let mut flags = Flags::from(step);
        self.over = step.ended();
        if self.over && autoreset == Autoreset::SameStep {
            if let Some(last) = lane.final_observation {
                self.env.write_bits(part, last)?;
            }
            if let Some(last) = lane.final_flags {
                *last = flags;
            }
            flags = self.env.reset(None)?.into();
            self.over = false;
        }
        if let Some(into) = lane.flags {
            *into = flags;
        }
        self.observe(part, lane.observation, lane.mask)
    }

    fn step_sampled(
        &mut self,
        action: &mut u32,
        autoreset: Autoreset,
        part: Part,
        lane: Lane<'_>,
    ) -> Result<(), EnvError> {
        let sampled = self.sample()?;
        *action = sampled.number();
        self.step(sampled, autoreset, part, lane)
    }

    fn observe(&self, part: Part, observation: &mut [u8], mask: &mut [u8]) -> Result<(), EnvError> {
        self.env.write_bits(part, observation)?;
        self.env.write_mask(mask)
    }
}
