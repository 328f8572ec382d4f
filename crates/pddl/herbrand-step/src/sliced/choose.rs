//! Choosing the actions of the next step: drawn, or given by a caller.

use herbrand_core::Random;
use herbrand_ground::ActionId;

use crate::semantics::error::StepError;
use crate::sliced::choice::choose;
use crate::sliced::lane::Lane;
use crate::sliced::plane::{
    DIGITS, Digits, Plane, bit, each_lane, is_empty, pack, transpose, unpack, widest, zip,
};
use crate::sliced::walker::SlicedWalker;

impl<const N: usize> SlicedWalker<N> {
    /// Draws an action uniformly from the valid ones for each lane of `which`, and chooses it for the next
    /// [`step`](Self::step). In a dead end, nothing is drawn or chosen. The choices of other lanes do not change.
    ///
    /// # Panics
    /// If `random` has fewer than [`LANES`](Self::LANES) generators.
    pub fn sample(&mut self, which: &[u64; N], random: &mut [Random]) {
        let Self {
            valid,
            counts,
            occupied,
            totals,
            dead_ends,
            chosen,
            program,
            ..
        } = self;
        let lanes = zip(which, dead_ends, |which, dead| which & !dead);
        let width = program.width();
        let random = &mut random[..Self::LANES];
        widest(
            #[inline(always)]
            || {
                let mut ranks: Digits<N> = [[0; N]; DIGITS];
                let (generators, _) = random.as_chunks_mut::<64>();
                for (word, generators) in generators.iter_mut().enumerate() {
                    let bounds = totals[word].map(u64::from);
                    let drawn = Random::below_each(generators, lanes[word], &bounds);
                    pack(&drawn, &mut ranks, word);
                }
                transpose(&mut ranks);
                let mut numbers = choose(valid, counts, occupied, width, ranks, lanes);
                transpose(&mut numbers);
                let numbers = unpack(&numbers);
                let words = chosen.as_chunks_mut::<64>().0.iter_mut().zip(&numbers);
                for (word, (chosen, operators)) in words.enumerate() {
                    for (lane, (chosen, &operator)) in chosen.iter_mut().zip(operators).enumerate() {
                        let holds = |set: &Plane<N>| set[word] >> lane & 1 == 1;
                        let drawn = if holds(&lanes) {
                            u32::from(operator)
                        } else {
                            Self::NONE
                        };
                        *chosen = if holds(which) { drawn } else { *chosen };
                    }
                }
            },
        );
    }

    /// Chooses a valid action for the next [`step`](Self::step) of a lane.
    ///
    /// # Errors
    /// [`StepError::UnknownAction`] for an unknown action, and [`StepError::Invalid`] for one that is not valid in the lane. The
    /// choice does not change.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn choose(&mut self, lane: usize, action: ActionId) -> Result<(), StepError> {
        if self.valid(action).is_some_and(|plane| bit(plane, lane)) {
            self.chosen[lane] = action.number();
            return Ok(());
        }
        let simulator = self.simulator();
        simulator.known(action)?;
        let atoms = &self.atoms;
        Err(StepError::Invalid(
            simulator.explain_in(&Lane { atoms, lane }, action),
        ))
    }

    /// Returns for each lane the number of the action ([`ActionId::number`]) that its next step carries out;
    /// [`NONE`](Self::NONE) for a lane that takes no step.
    #[must_use]
    pub fn chosen(&self) -> &[u32] {
        &self.chosen
    }
    /// Chooses for each lane of `which` the first of some actions that is valid in it, for the next
    /// [`step`](Self::step). Returns the lanes in which none of them is valid, whose choices do not change. Unknown
    /// actions are not valid. The actions are tried in the order given.
    pub fn choose_first(&mut self, which: &[u64; N], actions: &[ActionId]) -> [u64; N] {
        let mut left = *which;
        for &action in actions {
            let Some(valid) = self.valid(action) else {
                continue;
            };
            let found = zip(&left, valid, |left, valid| left & valid);
            if is_empty(&found) {
                continue;
            }
            each_lane(&found, |lane| self.chosen[lane] = action.number());
            left = zip(&left, &found, |left, found| left & !found);
            if is_empty(&left) {
                break;
            }
        }
        left
    }

    /// Chooses in a lane the first of some actions that is valid there, and returns whether there is one. Unknown actions are
    /// not valid.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline]
    pub fn choose_valid(&mut self, lane: usize, actions: &[ActionId]) -> bool {
        let is_valid = |&&action: &&ActionId| self.valid(action).is_some_and(|plane| bit(plane, lane));
        let Some(action) = actions.iter().find(is_valid) else {
            return false;
        };
        self.chosen[lane] = action.number();
        true
    }

    /// Forgets all choices, so that no lane takes the next step.
    pub fn forget_choices(&mut self) {
        self.chosen.fill(Self::NONE);
    }
}
