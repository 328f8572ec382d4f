//! Steps of batches whose systems are stepped together.

use smallvec::SmallVec;

use super::batch::Lanes;
use super::slot::{Slot, SlotAction, SlotOptions};
use super::split::{Blocks, Lend, One, Split};
use super::{VecEnv, VecError, done};
use crate::batch_system::{BatchSystem, Job};
use crate::observe::Observer;
use crate::problems::Problems;
use crate::system::{System, Transition};

/// The maximum number of environments per block. Data of a block between the phases of a step lives on the stack.
pub(crate) const MAX_BLOCK: usize = 256;

/// The environments of a block that failed, as a bit set, and the error of the first one.
struct Refusals<E> {
    which: [u128; WORDS],
    first: Option<(usize, E)>,
}

/// One bit per environment of a block.
const BITS: usize = u128::BITS as usize;
const WORDS: usize = MAX_BLOCK.div_ceil(BITS);

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

/// The environments of a block with their actions and output buffers.
type Block<'s, 'b, P, O, A> = (&'s mut [Slot<P, O>], (A, Lanes<'b, <O as Observer<P>>::Element>));

impl<P: Problems, O: Observer<P>> VecEnv<P, O> {
    /// Takes `steps` steps in every environment, block by block: a block takes all its steps before the next one starts, so
    /// it stays in the processor's cache. `actions` and `lanes` have `steps` rows per environment. `prepare` gets the index
    /// of an environment and the action of a step, and determines what the environment does in it. An environment that fails
    /// takes no more steps.
    ///
    /// ```text
    ///   block of environments    prepare  prepare  prepare …     actions read or drawn, episodes asked
    ///                            [  BatchSystem::step_batch   ]   one pass
    ///                            conclude conclude conclude …    rewards, ends, observations, masks
    /// ```
    pub(super) fn step_blocks<A: Split + Lend>(
        &mut self,
        steps: usize,
        actions: A,
        lanes: Lanes<'_, O::Element>,
        options: SlotOptions,
        prepare: impl for<'s> Fn(usize, &mut Slot<P, O>, One<'s, A>) -> Result<SlotAction, P::Error> + Sync,
    ) -> Result<(), VecError<P::Error>> {
        let count = self.slots.len();
        // Blocks are small enough to give every thread at least one.
        let size = count
            .div_ceil(self.workers.threads())
            .clamp(1, P::System::PREFERRED_BATCH.min(MAX_BLOCK));
        let slots = Blocks {
            of_all: self.slots.as_mut_slice(),
            count,
            size,
        };
        let rows = Blocks {
            of_all: (actions, lanes),
            count: count * steps,
            size: size * steps,
        };
        let work = |block: usize, of_block: Block<'_, '_, P, O, A>| {
            let first = block * size;
            let (slots, (mut actions, mut lanes)) = of_block;
            slots.iter_mut().for_each(|slot| slot.turn_page(options));
            let mut refusals = Refusals::none();
            for step in 0..steps {
                let place = |at| at * steps + step;
                let prepare = |at, slot: &mut Slot<P, O>| prepare(first + at, slot, actions.lend(place(at)));
                step_block(slots, &mut lanes, place, options, prepare, &mut refusals);
            }
            match refusals.first {
                Some((at, error)) => Err((first + at, error)),
                None => Ok(()),
            }
        };
        let failed = self
            .workers
            .for_each_in_order(1, count.div_ceil(size), (slots, rows), work);
        done(failed.map(|(_, failure)| failure))
    }
}

/// Steps the environments of a block, except the failed ones. `place` maps a position in the block to its row in
/// `lanes`.
fn step_block<P: Problems, O: Observer<P>>(
    slots: &mut [Slot<P, O>],
    lanes: &mut Lanes<'_, O::Element>,
    place: impl Fn(usize) -> usize,
    options: SlotOptions,
    mut prepare: impl FnMut(usize, &mut Slot<P, O>) -> Result<SlotAction, P::Error>,
    refusals: &mut Refusals<P::Error>,
) {
    let mut turns = [None; MAX_BLOCK];
    for (at, (slot, turn)) in slots.iter_mut().zip(&mut turns).enumerate() {
        if refusals.contains(at) {
            continue;
        }
        match prepare(at, slot) {
            Ok(prepared) => *turn = Some(prepared),
            Err(error) => {
                slot.lose_track();
                refusals.keep(at, error);
            }
        }
    }
    let mut outcomes: SmallVec<[_; MAX_BLOCK]> = SmallVec::new();
    let mut errors = Vec::new();
    step_systems(slots, &turns, |result| match result {
        Some(Err(error)) => {
            outcomes.push(None);
            errors.push(error);
        }
        Some(Ok(outcome)) => outcomes.push(Some(outcome)),
        None => outcomes.push(None),
    });
    let (mut outcomes, mut errors) = (outcomes.iter(), errors.into_iter());
    for (at, (slot, turn)) in slots.iter_mut().zip(turns).enumerate() {
        let Some(turn) = turn else {
            continue;
        };
        let outcome = match turn {
            SlotAction::Steps => outcomes.next().and_then(Option::as_ref),
            SlotAction::Begins | SlotAction::Stays => None,
        };
        let refused = if turn == SlotAction::Steps && outcome.is_none() {
            errors.next()
        } else {
            None
        };
        let concluded = match refused {
            Some(error) => Err(P::Error::from(*error)),
            None => slot.conclude(turn, outcome, options, lanes.lend(place(at))),
        };
        if let Err(error) = concluded {
            slot.lose_track();
            refusals.keep(at, error);
        }
    }
}

/// Steps the systems whose turn is [`SlotAction::Steps`] and passes each result to `keep`.
fn step_systems<P: Problems, O: Observer<P>>(
    slots: &mut [Slot<P, O>],
    turns: &[Option<SlotAction>],
    keep: impl FnMut(Option<Result<Transition, Box<<P::System as System>::Error>>>),
) {
    // The list is filled and drained in place: passing it by value would copy it.
    let mut jobs: SmallVec<[Job<'_, P::System>; MAX_BLOCK]> = SmallVec::new();
    let stepping = slots.iter_mut().zip(turns);
    let stepping = stepping.filter(|(_, turn)| matches!(turn, Some(SlotAction::Steps)));
    jobs.extend(stepping.filter_map(|(slot, _)| slot.job()));
    P::System::step_batch(&mut jobs);
    jobs.iter_mut().map(|job| job.result.take()).for_each(keep);
}
