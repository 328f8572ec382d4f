//! Batches of environments that are stepped together, on one or several threads.

mod batch;
mod blocks;
mod order;
mod slot;
mod split;
mod together;
mod workers;

use std::hint;
use std::sync::Arc;

use herbrand_limits::check_enclosing;
use rayon::ThreadPoolBuildError;

pub use batch::{Actions, ActionsMut, Batch, BufferContents, BufferError, Flags, Widths};
use blocks::BlockBatch;
use order::Kinds;
use slot::{Slot, SlotOptions};
use split::{Lend, One, Split, Strips};
pub(crate) use together::MAX_BLOCK;
use workers::Workers;

use crate::batch_system::BatchSystem;
use crate::env::{Env, EnvOptions, EpisodeStart, ProblemChoice};
use crate::error::EpisodeFault;
use crate::idle::IdleSystems;
use crate::observe::{ObservationLayout, Observer, Unobserved};
use crate::problems::Problems;
use crate::system::System;

/// The options of a [`VecEnv`], a batch of environments. The default has one thread, the default options of an
/// environment, [`Autoreset::NextStep`] and [`MaskForm::Bytes`]. [`VecEnv::new`] takes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VecOptions {
    /// The options of each environment.
    pub env: EnvOptions,
    /// The behaviour of a batch at the end of an episode.
    pub autoreset: Autoreset,
    /// The number of threads, including the caller's; 0 means 1. It does not affect results.
    pub threads: usize,
    /// The form of action masks.
    pub masks: MaskForm,
}

/// The form of the action masks of a batch. The default is [`Bytes`](Self::Bytes). [`VecOptions::masks`] sets it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MaskForm {
    /// A byte per alternative, 0 or 1.
    #[default]
    Bytes,
    /// A bit per alternative: alternative `i` is bit `i % 8` of byte `i / 8`, lowest bit first, as in
    /// `numpy.unpackbits(row, bitorder="little")`.
    Packed,
}

/// The behaviour at the end of an episode, as in Gymnasium. The default is [`NextStep`](Self::NextStep).
/// [`VecOptions::autoreset`] sets it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Autoreset {
    /// The next step starts a new episode, whatever its action, with reward 0.
    #[default]
    NextStep,
    /// The step that ends an episode also starts the next one. Observation and mask are those of the new episode;
    /// [`Batch::final_observations`] receives the last observation of the old one.
    SameStep,
    /// Steps of the environment fail until [`VecEnv::reset_some`] or [`VecEnv::reset`] resets it.
    Disabled,
}

/// The reason why a call on a [`VecEnv`] failed; `E` is the error of its environments. If [`VecEnv::new`] finds a
/// faulty problem, it is [`Env`](Self::Env) with index 0.
#[derive(Debug, thiserror::Error)]
pub enum VecError<E> {
    /// A buffer has the wrong length.
    #[error(transparent)]
    Buffer(#[from] BufferError),
    /// An environment failed. The other environments have stepped.
    #[error("environment {index}: {error}")]
    Env {
        /// The smallest index of an environment that failed, counted from 0.
        index: usize,
        /// Its error.
        error: E,
    },
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadPoolBuildError),
}

/// A batch of environments over one set of problems. Several threads step them together and write into buffers of the
/// caller.
///
/// Environment `i` behaves like a single [`Env`] with seed `seed + i`, whatever the number of threads. All observations and
/// masks have the width of the widest problem, at least one element. Elements that a problem does not use are 0.
///
/// ```text
///   environment   observations           masks        rewards
///        0        [ used ......| 0 0 ]   [ 1 0 | 0 ]  [ 0.0 ]   one row each,
///        1        [ used ............]   [ 0 1 1   ]  [ 1.0 ]   written in place
/// ```
///
/// ```
/// use herbrand_core::balloon::{Altimeter, BalloonProblems};
/// use herbrand_core::{Batch, BufferContents, VecEnv, VecOptions};
///
/// let mut envs = VecEnv::new(&BalloonProblems::new(2), &Altimeter, 3, VecOptions::default())?;
/// let widths = envs.widths();
/// let (mut observations, mut masks) = (vec![0.0; 3 * widths.observation], vec![0; 3 * widths.mask]);
/// let (mut rewards, mut terminated, mut truncated) = ([0.0; 3], [false; 3], [false; 3]);
/// let mut batch = Batch {
///     observations: &mut observations,
///     masks: &mut masks,
///     rewards: &mut rewards,
///     terminated: &mut terminated,
///     truncated: &mut truncated,
///     flags: &mut [],
///     final_observations: &mut [],
///     final_flags: &mut [],
///     rows: BufferContents::Fresh,
/// };
/// envs.reset(Some(1), &mut batch)?;
/// // One burner is lit in each balloon, and the vent is closed.
/// envs.step(&[1.0, 0.0, 1.0, 0.0, 1.0, 0.0], &mut batch)?;
/// assert!(rewards.iter().all(|reward| *reward <= 0.0));
/// # Ok::<(), herbrand_core::VecError<herbrand_core::balloon::BalloonError>>(())
/// ```
///
/// If observations are bits of the state ([`Observer::bit_row`]) and the systems make blocks
/// ([`BatchSystem::block`](crate::BatchSystem::block)), many environments of one problem are stepped by the same instructions.
/// The results are the same.
///
/// On one thread, steps, samples and resets to compiled problems allocate nothing once the systems exist. On several
/// threads, each call allocates the jobs for the other threads. These spin for up to 100 microseconds after a call to pick
/// up the next one.
#[derive(Debug)]
pub struct VecEnv<P: Problems, O: Observer<P> = Unobserved> {
    slots: Vec<Slot<P, O>>,
    /// The environments, if they are lanes of blocks; then there are no slots.
    blocks: Option<BlockBatch<P, O>>,
    /// The problem of each environment after the last [`for_each`](Self::for_each). Stored contiguously, because asking the
    /// environments themselves would take one cache miss each.
    left: Vec<u32>,
    workers: Workers,
    autoreset: Autoreset,
    layout: ObservationLayout,
    widths: Widths,
    /// Whether there is more than one problem.
    several: bool,
}

impl<P: Problems, O: Observer<P>> VecEnv<P, O> {
    /// Creates `count` environments over `problems`. Compiles all problems to determine the row widths. `count` may be
    /// 0. No episode is running yet: call [`reset`](Self::reset) next, with buffers of the [`widths`](Self::widths).
    ///
    /// # Errors
    /// Fails if there is no problem, a problem is faulty, or the threads cannot be started.
    pub fn new(
        problems: &P,
        observer: &O,
        count: usize,
        options: VecOptions,
    ) -> Result<Self, VecError<P::Error>> {
        let fail = |error| VecError::Env { index: 0, error };
        let layout = observer.layout(problems).map_err(fail)?;
        let widths = widths(problems, &layout, options.masks).map_err(fail)?;
        let idle = Arc::new(IdleSystems::new(problems.len()));
        let blocks = BlockBatch::new(problems, observer, count, options, widths, &idle).map_err(fail)?;
        let alone = if blocks.is_some() { 0 } else { count };
        let slots = (0..alone).map(|_| {
            let (problems, observer) = (problems.clone(), observer.clone());
            let env = Env::sharing(problems, observer, options.env, Arc::clone(&idle))?;
            Ok(Slot::new(env, options.masks))
        });
        Ok(Self {
            left: vec![0; alone],
            slots: slots.collect::<Result<_, _>>().map_err(fail)?,
            blocks,
            workers: Workers::new(options.threads)?,
            autoreset: options.autoreset,
            widths,
            layout,
            several: problems.len() > 1,
        })
    }

    /// Returns the number of environments. It is the `count` given to [`new`](Self::new).
    #[must_use]
    pub fn len(&self) -> usize {
        self.blocks.as_ref().map_or(self.slots.len(), BlockBatch::len)
    }

    /// Returns whether there are no environments.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether environments are stepped in blocks, many by the same instructions
    /// ([`SystemBlock`](crate::SystemBlock)). Results do not depend on it.
    #[must_use]
    pub const fn is_in_blocks(&self) -> bool {
        self.blocks.is_some()
    }

    /// Returns the row widths, common to all environments, by which the caller allocates its buffers. They do not
    /// change. [`collect`](VecEnv::collect) needs `steps` times as many elements.
    #[must_use]
    pub const fn widths(&self) -> Widths {
        self.widths
    }

    /// Returns the layout of an observation row. Only if it is empty, a row is longer than it, by one element.
    #[must_use]
    pub const fn layout(&self) -> &ObservationLayout {
        &self.layout
    }

    /// Returns the environment at `index`; `None` if there is no such environment. Environments of a batch do not
    /// record their last step ([`Env::last`]). Environments are counted from 0.
    #[must_use]
    pub fn env(&self, index: usize) -> Option<&Env<P, O>> {
        match &self.blocks {
            Some(blocks) => blocks.env(index),
            None => self.slots.get(index).map(Slot::env),
        }
    }

    /// Returns the index of the problem of an environment; `None` before its first reset, and if there is no such
    /// environment.
    #[must_use]
    pub fn problem(&self, index: usize) -> Option<usize> {
        match &self.blocks {
            Some(blocks) => blocks.problem(index),
            None => self.slots.get(index)?.env().problem(),
        }
    }

    /// Returns the indices of the rules ([`System::rule_count`]) that the last step of an environment violated, in ascending
    /// order; empty if there is no such environment, and after the start of an episode. With [`Autoreset::SameStep`], they
    /// are those of the step that ended the last episode. Of a call with several steps, they are those of the last one.
    #[must_use]
    pub fn violated(&self, index: usize) -> &[u32] {
        self.slots.get(index).map_or(&[], Slot::violated)
    }

    /// Starts an episode in every environment and clears rewards and flags. With a seed, environment number i gets the
    /// seed plus i. Without a seed, the random streams continue; if there never was a seed, all environments have seed
    /// 0 and behave alike.
    ///
    /// # Errors
    /// Fails if a buffer has the wrong length or an environment cannot be reset ([`Env::reset`]). In the second case,
    /// the other environments are reset all the same.
    pub fn reset(
        &mut self,
        seed: Option<u64>,
        batch: &mut Batch<'_, O::Element>,
    ) -> Result<(), VecError<P::Error>> {
        let start = |index| EpisodeStart {
            seed: seed.map(|seed| seed.wrapping_add(index as u64)),
            problem: ProblemChoice::Uniform,
        };
        self.begin(|index| Some(start(index)), batch)
    }

    /// Starts an episode in each environment whose entry in `which` is true. The rows of the other environments in
    /// `batch` are unchanged. The random streams of all environments continue. It may also be the first reset. `which`
    /// has one entry per environment.
    ///
    /// # Errors
    /// Like [`reset`](Self::reset), and fails if `which` has the wrong length.
    pub fn reset_some(
        &mut self,
        which: &[bool],
        batch: &mut Batch<'_, O::Element>,
    ) -> Result<(), VecError<P::Error>> {
        BufferError::check("which", which.len(), self.len())?;
        self.begin(|index| which[index].then(EpisodeStart::default), batch)
    }

    /// Starts an episode in each environment that has an entry other than `None` in `starts`, with the seed and the problem
    /// that the entry gives. From then on the environment behaves like a single [`Env`] after [`Env::reset_to`] with both.
    /// The rest is as for [`reset_some`](Self::reset_some). `starts` has one entry per environment.
    ///
    /// # Errors
    /// Like [`reset_some`](Self::reset_some), and fails if there is no problem at a chosen index.
    pub fn reset_each(
        &mut self,
        starts: &[Option<EpisodeStart>],
        batch: &mut Batch<'_, O::Element>,
    ) -> Result<(), VecError<P::Error>> {
        BufferError::check("starts", starts.len(), self.len())?;
        self.begin(|index| starts[index], batch)
    }

    /// Starts an episode in each environment for which `start` returns how.
    fn begin(
        &mut self,
        start: impl Fn(usize) -> Option<EpisodeStart> + Sync,
        batch: &mut Batch<'_, O::Element>,
    ) -> Result<(), VecError<P::Error>> {
        batch.check(self.len(), self.widths)?;
        let options = self.options(batch.rows);
        let lanes = batch.lanes(self.widths);
        if let Some(blocks) = &mut self.blocks {
            return done(blocks.reset(&self.workers, start, lanes));
        }
        self.for_each(lanes, |index, slot, lane| {
            let Some(start) = start(index) else {
                return Ok(());
            };
            slot.turn_page(options);
            slot.begin(start, options, lane)
        })
    }

    /// Takes an action in every environment and writes its results to `batch`. Environments whose episode is over behave by
    /// [`Autoreset`].
    ///
    /// # Errors
    /// Fails before the first reset, if a buffer has the wrong length, or if an environment refuses its action. With
    /// [`Autoreset::Disabled`], it also fails for an environment whose episode is over. [`VecError`] tells which
    /// environment failed; the others have stepped. Do not use the rows of the failed one.
    pub fn step<'a>(
        &mut self,
        actions: impl Into<Actions<'a>>,
        batch: &mut Batch<'_, O::Element>,
    ) -> Result<(), VecError<P::Error>> {
        let (actions, widths) = (actions.into(), self.widths);
        actions.check(self.len(), widths)?;
        batch.check(self.len(), widths)?;
        let options = self.options(batch.rows);
        let lanes = batch.lanes(widths);
        if let Some(blocks) = &mut self.blocks {
            return done(blocks.step(&self.workers, actions, lanes));
        }
        if P::System::PREFERRED_BATCH > 1 {
            return self.step_blocks(1, (), lanes, options, |index, slot, ()| {
                let row = actions.row(index, widths);
                slot.prepare_given(
                    row,
                    |layout, room| actions.read(index, widths, layout, room),
                    options,
                )
            });
        }
        self.for_each(lanes, |index, slot, lane| {
            slot.turn_page(options);
            slot.step_given(
                |layout, room| actions.read(index, widths, layout, room),
                options,
                lane,
            )
        })
    }

    /// Takes a sampled action in every environment. Equivalent to [`sample`](Self::sample) followed by [`step`](Self::step),
    /// but visits each environment once and synchronises the threads once.
    ///
    /// # Errors
    /// Fails before the first reset, if a buffer has the wrong length, or if a step fails, for example by a division by
    /// zero. A step also fails where the system finds no valid action but reports no dead end, and the default action
    /// is invalid. The other environments have stepped then. With [`Autoreset::Disabled`], it also fails for an
    /// environment whose episode is over.
    pub fn step_sampled<'a>(
        &mut self,
        actions: impl Into<ActionsMut<'a>>,
        batch: &mut Batch<'_, O::Element>,
    ) -> Result<(), VecError<P::Error>> {
        let (actions, widths) = (actions.into(), self.widths);
        actions.check(self.len(), widths)?;
        batch.check(self.len(), widths)?;
        let options = self.options(batch.rows);
        let (actions, lanes) = (actions.rows(widths), batch.lanes(widths));
        if let Some(blocks) = &mut self.blocks {
            return done(blocks.collect(&self.workers, 1, actions, lanes, None));
        }
        if P::System::PREFERRED_BATCH > 1 {
            return self.step_blocks(1, actions, lanes, options, |_, slot, action| {
                slot.prepare_sampled(action, options)
            });
        }
        self.for_each((actions, lanes), |_, slot, (action, lane)| {
            slot.turn_page(options);
            slot.step_sampled(action, options, lane)
        })
    }

    /// Takes `steps` sampled steps in every environment and records all of them, to collect experience of a random
    /// policy. Equivalent to repeated calls of [`step_sampled`](Self::step_sampled), but synchronises the threads once,
    /// and each environment stays in its processor's cache. If `steps` is 0, nothing happens, and the buffers must be
    /// empty.
    ///
    /// The buffers have `steps` consecutive rows per environment: environments × steps × width. The actions have
    /// environments × steps rows.
    ///
    /// # Errors
    /// Like [`step_sampled`](Self::step_sampled), and with [`EpisodeFault::BudgetExhausted`] if a budget that
    /// [encloses](herbrand_limits::Budget::enclose) the call is exhausted. An environment that fails takes no further
    /// steps; its remaining rows are unchanged.
    pub fn collect<'a>(
        &mut self,
        steps: usize,
        actions: impl Into<ActionsMut<'a>>,
        batch: &mut Batch<'_, O::Element>,
    ) -> Result<(), VecError<P::Error>> {
        const PASS: &str = "collecting steps";
        let (actions, count, widths) = (actions.into(), self.len(), self.widths);
        actions.check(count * steps, widths)?;
        batch.check(count * steps, widths)?;
        let options = self.options(batch.rows);
        let (actions, lanes) = (actions.rows(widths), batch.lanes(widths));
        if let Some(blocks) = &mut self.blocks {
            return done(blocks.collect(&self.workers, steps, actions, lanes, Some(PASS)));
        }
        if P::System::PREFERRED_BATCH > 1 {
            return self.step_blocks(steps, actions, lanes, options, |_, slot, action| {
                check_enclosing(PASS).map_err(EpisodeFault::from)?;
                slot.prepare_sampled(action, options)
            });
        }
        let strips = Strips {
            items: (actions, lanes),
            count,
            length: steps,
        };
        self.for_each(strips, |_, slot, strip| {
            check_enclosing(PASS).map_err(EpisodeFault::from)?;
            slot.turn_page(options);
            strip
                .items()
                .try_for_each(|(action, lane)| slot.step_sampled(action, options, lane))
        })
    }

    /// Draws a valid joint action of every environment, each from its own stream, into `actions`, overwriting it. If an
    /// environment is in a dead end ([`Flags::dead_end`]) or its episode is over, its action is 0 (in rows: all
    /// defaults), which its next step ignores; with [`Autoreset::Disabled`], a step after the end fails. It is 0 as
    /// well where the system finds no valid action ([`Env::sample`]) but reports no dead end; the next step may then
    /// fail.
    ///
    /// # Errors
    /// Fails if `actions` has the wrong length, and before the first reset.
    pub fn sample<'a>(&mut self, actions: impl Into<ActionsMut<'a>>) -> Result<(), VecError<P::Error>> {
        let actions = actions.into();
        actions.check(self.len(), self.widths)?;
        let rows = actions.rows(self.widths);
        if let Some(blocks) = &mut self.blocks {
            return done(blocks.sample(&self.workers, rows));
        }
        self.for_each(rows, |_, slot, mut action| slot.sample(&mut action))
    }

    fn options(&self, rows: BufferContents) -> SlotOptions {
        SlotOptions {
            autoreset: self.autoreset,
            rows,
        }
    }

    /// Calls `work` for every environment with its item of `of_slots`.
    fn for_each<S: Split + Lend>(
        &mut self,
        of_slots: S,
        work: impl for<'s> Fn(usize, &mut Slot<P, O>, One<'s, S>) -> Result<(), P::Error> + Sync,
    ) -> Result<(), VecError<P::Error>> {
        let count = self.slots.len();
        let slots = (self.slots.as_mut_slice(), self.left.as_mut_slice());
        // Environments of the same problem are visited in succession, to reuse the compiled tables in the cache.
        let kinds = self.several.then_some(Kinds {
            of: |((_, left), _): &Items<'_, P, O, S>, index: usize| left[index] as usize,
            prefetch: |((slots, _), _): &Items<'_, P, O, S>, index: usize| {
                hint::black_box(slots[index].prefetch());
            },
        });
        let work = |index, ((slot, left), item): ((&mut Slot<P, O>, &mut u32), One<'_, S>)| {
            let done = work(index, slot, item);
            *left = slot.env().problem().unwrap_or_default() as u32;
            if done.is_err() {
                slot.lose_track();
            }
            done
        };
        done(self.workers.for_each(count, (slots, of_slots), kinds, work))
    }
}

/// The environments, their problems, and one item per environment.
type Items<'a, P, O, S> = ((&'a mut [Slot<P, O>], &'a mut [u32]), S);

/// Converts the failure of the first environment to a result.
fn done<E>(failure: Option<(usize, E)>) -> Result<(), VecError<E>> {
    match failure {
        Some((index, error)) => Err(VecError::Env { index, error }),
        None => Ok(()),
    }
}

/// Returns the row widths that fit all problems, at least 1 each.
fn widths<P: Problems>(
    problems: &P,
    layout: &ObservationLayout,
    masks: MaskForm,
) -> Result<Widths, P::Error> {
    let alternatives = problems.mask_len()?;
    let mask = match masks {
        MaskForm::Bytes => alternatives,
        MaskForm::Packed => alternatives.div_ceil(8),
    };
    let mut widths = Widths {
        observation: layout.len().max(1),
        mask: mask.max(1),
        action: 1,
    };
    for index in 0..problems.len() {
        let fields = problems.system(index)?.actions().fields().len();
        widths.action = widths.action.max(fields);
    }
    Ok(widths)
}
