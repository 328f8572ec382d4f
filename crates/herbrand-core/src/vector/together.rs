//! Steps of systems that are taken together.

use smallvec::SmallVec;

use super::batch::Lane;
use super::slot::{Slot, SlotOptions, Turn};
use super::split::{Blocks, Split, Strips};
use super::{VecEnv, VecError};
use crate::{Job, Observer, Problems, System, Transition};

/// The most environments of a block: what is known of them between the parts of a step takes no memory of its own.
pub(crate) const MOST_TOGETHER: usize = 256;

/// The environments of a block that refused, one bit each, and why the first of them did.
struct Refusals<E> {
    which: [u128; WORDS],
    first: Option<(usize, E)>,
}

/// A block has a bit for every environment.
const BITS: usize = u128::BITS as usize;
const WORDS: usize = MOST_TOGETHER.div_ceil(BITS);

impl<E> Refusals<E> {
    const fn none() -> Self {
        Self {
            which: [0; WORDS],
            first: None,
        }
    }

    const fn contains(&self, at: usize) -> bool {
        self.which[at / BITS] >> (at % BITS) & 1 == 1
    }

    fn keep(&mut self, at: usize, error: E) {
        self.which[at / BITS] |= 1 << (at % BITS);
        if self.first.as_ref().is_none_or(|(place, _)| at < *place) {
            self.first = Some((at, error));
        }
    }
}

impl<P: Problems, O: Observer<P>> VecEnv<P, O> {
    /// Steps every environment, those of a block together. `prepare` finds out what an environment is to do, up to the step
    /// of its system, and gives back its part of the buffers.
    ///
    /// ```text
    ///   block of environments    prepare  prepare  prepare …     actions read or drawn, episodes asked
    ///                            [   System::step_together   ]   one pass
    ///                            conclude conclude conclude …    rewards, ends, observations, masks
    /// ```
    pub(super) fn step_together<'b, S: Split>(
        &mut self,
        of_slots: S,
        options: SlotOptions,
        prepare: impl Fn(usize, &mut Slot<P, O>, S::Item) -> Prepared<'b, P, O> + Sync,
    ) -> Result<(), VecError<P::Error>>
    where
        O::Element: 'b,
    {
        self.for_each_block(options, of_slots, |first, slots, items: S, refusals| {
            let prepare = |at, slot: &mut Slot<P, O>, item| prepare(first + at, slot, item);
            step_block(slots, items.items().map(Some), options, prepare, refusals);
        })
    }

    /// Takes several steps in every environment, those of a block together: all steps of a block before those of the next one,
    /// which so stays in its processor's cache. An environment that refuses takes no more steps.
    pub(super) fn collect_together<'b, S: Split>(
        &mut self,
        strips: Strips<S>,
        options: SlotOptions,
        prepare: impl Fn(&mut Slot<P, O>, S::Item) -> Prepared<'b, P, O> + Sync,
    ) -> Result<(), VecError<P::Error>>
    where
        O::Element: 'b,
    {
        let steps = strips.length;
        self.for_each_block(options, strips, |_, slots, strips: Strips<S>, refusals| {
            let mut rows: SmallVec<[_; MOST_TOGETHER]> = strips.items().map(Split::items).collect();
            for _ in 0..steps {
                let items = rows.iter_mut().map(Iterator::next);
                let prepare = |_, slot: &mut Slot<P, O>, item| prepare(slot, item);
                step_block(slots, items, options, prepare, refusals);
            }
        })
    }

    /// Turns the page of every environment, and does `work` for each block of them: given the place of the first one, with
    /// what belongs to them.
    fn for_each_block<S: Split>(
        &mut self,
        options: SlotOptions,
        of_slots: S,
        work: impl Fn(usize, &mut [Slot<P, O>], S, &mut Refusals<P::Error>) + Sync,
    ) -> Result<(), VecError<P::Error>> {
        let count = self.slots.len();
        // Every thread gets a block.
        let size = count
            .div_ceil(self.workers.threads())
            .clamp(1, P::System::TOGETHER.min(MOST_TOGETHER));
        let slots = Blocks {
            of_all: self.slots.as_mut_slice(),
            count,
            size,
        };
        let rows = Blocks {
            of_all: of_slots,
            count,
            size,
        };
        let work = |block: usize, (slots, items): (&mut [Slot<P, O>], S)| {
            let first = block * size;
            slots.iter_mut().for_each(|slot| slot.turn_page(options));
            let mut refusals = Refusals::none();
            work(first, slots, items, &mut refusals);
            match refusals.first {
                Some((at, error)) => Err((first + at, error)),
                None => Ok(()),
            }
        };
        match self
            .workers
            .for_each_in_order(1, count.div_ceil(size), (slots, rows), work)
        {
            Some((_, (index, error))) => Err(VecError::Env { index, error }),
            None => Ok(()),
        }
    }
}

/// What an environment is to do, and its part of the buffers.
pub(super) type Prepared<'b, P, O> = (
    Result<Turn, <P as Problems>::Error>,
    Lane<'b, <O as Observer<P>>::Element>,
);

/// What an environment is to do, unless it has refused, and its part of the buffers.
type Open<'b, P, O> = Option<(Turn, Lane<'b, <O as Observer<P>>::Element>)>;

/// Steps the environments of a block, but for those that have refused.
fn step_block<'b, P: Problems, O: Observer<P>, I>(
    slots: &mut [Slot<P, O>],
    items: impl Iterator<Item = Option<I>>,
    options: SlotOptions,
    prepare: impl Fn(usize, &mut Slot<P, O>, I) -> Prepared<'b, P, O>,
    refusals: &mut Refusals<P::Error>,
) where
    O::Element: 'b,
{
    let mut turns: SmallVec<[_; MOST_TOGETHER]> = SmallVec::new();
    for (at, (slot, item)) in slots.iter_mut().zip(items).enumerate() {
        let item = item.filter(|_| !refusals.contains(at));
        let prepared = item.map(|item| prepare(at, slot, item));
        turns.push(prepared.and_then(|(turn, lane)| match turn {
            Ok(turn) => Some((turn, lane)),
            Err(error) => {
                slot.lose_track();
                refusals.keep(at, error);
                None
            }
        }));
    }
    let mut results: SmallVec<[_; MOST_TOGETHER]> = SmallVec::new();
    step_systems(slots, &turns, |result| results.push(result));
    let mut results = results.iter_mut();
    for (at, (slot, turn)) in slots.iter_mut().zip(turns.drain(..)).enumerate() {
        let Some((turn, lane)) = turn else {
            continue;
        };
        let outcome = match turn {
            Turn::Steps => results.next().and_then(Option::take).transpose(),
            _ => Ok(None),
        };
        let outcome = outcome.map_err(P::Error::from);
        let concluded = outcome.and_then(|outcome| slot.conclude(turn, outcome, options, lane));
        if let Err(error) = concluded {
            slot.lose_track();
            refusals.keep(at, error);
        }
    }
}

/// Takes the steps of the systems whose turn it is, and keeps what came of each.
fn step_systems<P: Problems, O: Observer<P>>(
    slots: &mut [Slot<P, O>],
    turns: &[Open<'_, P, O>],
    keep: impl FnMut(Option<Result<Transition, <P::System as System>::Error>>),
) {
    // Lists are filled and emptied where they are: a list that is handed on is copied.
    let mut jobs: SmallVec<[Job<'_, P::System>; MOST_TOGETHER]> = SmallVec::new();
    let stepping = slots.iter_mut().zip(turns);
    let stepping = stepping.filter(|(_, turn)| matches!(turn, Some((Turn::Steps, _))));
    jobs.extend(stepping.filter_map(|(slot, _)| slot.job()));
    P::System::step_together(&mut jobs);
    jobs.iter_mut().map(|job| job.result.take()).for_each(keep);
}
