//! Steps of systems that are taken together.

use smallvec::SmallVec;

use super::batch::Lane;
use super::slot::{Slot, SlotOptions, Turn};
use super::split::{Blocks, Split};
use super::{VecEnv, VecError};
use crate::{Observer, Problems, System};

/// The most environments of a block: what is known of them between the parts of a step takes no memory of its own.
pub(crate) const MOST_TOGETHER: usize = 128;

/// The first environment that refused, by its place, and why.
type First<E> = Option<(usize, E)>;

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
        prepare: impl Fn(usize, &mut Slot<P, O>, S::Item) -> (Result<Turn, P::Error>, Lane<'b, O::Element>) + Sync,
    ) -> Result<(), VecError<P::Error>>
    where
        O::Element: 'b,
    {
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
            let prepare = |at, slot: &mut Slot<P, O>, item| prepare(first + at, slot, item);
            match step_block(slots, items, options, prepare) {
                Some((at, error)) => Err((first + at, error)),
                None => Ok(()),
            }
        };
        match self
            .workers
            .for_each_run(1, count.div_ceil(size), (slots, rows), work)
        {
            Some((_, (index, error))) => Err(VecError::Env { index, error }),
            None => Ok(()),
        }
    }
}

/// Steps the environments of a block.
fn step_block<'b, P: Problems, O: Observer<P>, S: Split>(
    slots: &mut [Slot<P, O>],
    items: S,
    options: SlotOptions,
    prepare: impl Fn(usize, &mut Slot<P, O>, S::Item) -> (Result<Turn, P::Error>, Lane<'b, O::Element>),
) -> First<P::Error>
where
    O::Element: 'b,
{
    let mut first = None;
    let mut turns: SmallVec<[_; MOST_TOGETHER]> = SmallVec::new();
    for (at, (slot, item)) in slots.iter_mut().zip(items.items()).enumerate() {
        slot.turn_page();
        let (turn, lane) = prepare(at, slot, item);
        let turn = turn.map_err(|error| keep(&mut first, at, error)).ok();
        turns.push((turn, lane));
    }
    let mut results = step_systems(slots, turns.iter().map(|(turn, _)| *turn)).into_iter();
    for (at, (slot, (turn, lane))) in slots.iter_mut().zip(turns).enumerate() {
        let outcome = match turn {
            Some(Turn::Steps) => results.next().flatten().transpose(),
            _ => Ok(None),
        };
        let concluded = outcome.and_then(|outcome| match turn {
            Some(turn) => slot.conclude(turn, outcome, options, lane),
            None => Ok(()),
        });
        if let Err(error) = concluded {
            keep(&mut first, at, error);
        }
    }
    first
}

/// What came of a step.
type Outcome<P> = Option<Result<crate::Transition, <P as Problems>::Error>>;

/// Takes the steps of the systems whose turn it is.
fn step_systems<P: Problems, O: Observer<P>>(
    slots: &mut [Slot<P, O>],
    turns: impl Iterator<Item = Option<Turn>>,
) -> SmallVec<[Outcome<P>; MOST_TOGETHER]> {
    let stepping = slots
        .iter_mut()
        .zip(turns)
        .filter(|(_, turn)| *turn == Some(Turn::Steps));
    let mut jobs: SmallVec<[_; MOST_TOGETHER]> = stepping.filter_map(|(slot, _)| slot.job()).collect();
    P::System::step_together(&mut jobs);
    let results = jobs
        .into_iter()
        .map(|job| job.result.map(|result| result.map_err(P::Error::from)));
    results.collect()
}

fn keep<E>(first: &mut First<E>, at: usize, error: E) {
    if first.as_ref().is_none_or(|(place, _)| at < *place) {
        *first = Some((at, error));
    }
}
