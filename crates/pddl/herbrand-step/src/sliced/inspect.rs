//! Looking at lanes: their states, goals and valid actions.

use std::ops::Range;

use herbrand_core::RowBit;
use herbrand_ground::ActionId;

use crate::grounded::bits::words_for;
use crate::grounded::state::State;
use crate::sliced::lane::Lane;
use crate::sliced::plane::{Plane, each_lane, widest, zip};
use crate::sliced::rows::write_rows;
use crate::sliced::walker::SlicedWalker;

impl<const N: usize> SlicedWalker<N> {
    /// Returns the lanes in which the goal holds; none if the problem has no goal.
    #[must_use]
    pub const fn goals(&self) -> &[u64; N] {
        &self.goals
    }

    /// Returns the lanes in which no action is valid.
    #[must_use]
    pub const fn dead_ends(&self) -> &[u64; N] {
        &self.dead_ends
    }

    /// Returns the lanes in which an action is valid; `None` for an unknown action.
    #[must_use]
    pub fn valid(&self, action: ActionId) -> Option<&[u64; N]> {
        let known = action.index() < self.program.operators();
        self.valid.get(action.index()).filter(|_| known)
    }

    /// Returns the number of valid actions in a lane.
    ///
    /// # Panics
    /// If there is no such lane.
    #[inline]
    #[must_use]
    pub fn valid_count(&self, lane: usize) -> u32 {
        u32::from(self.totals[lane / 64][lane % 64])
    }

    /// Writes the number of valid actions of each lane of `which` to `into`, and 0 for the others. If `into` is too short, the
    /// last lanes are left out.
    pub fn write_valid_counts(&self, which: &[u64; N], into: &mut [u32]) {
        let totals = &self.totals;
        widest(
            #[inline(always)]
            || {
                for ((into, totals), which) in into.chunks_mut(64).zip(totals).zip(which) {
                    for (lane, (into, &total)) in into.iter_mut().zip(totals).enumerate() {
                        *into = u32::from(total) * (which >> lane & 1) as u32;
                    }
                }
            },
        );
    }

    /// Returns whether the initial state is random, so that [`reset`](Self::reset) draws it.
    #[must_use]
    pub fn draws_initial(&self) -> bool {
        self.program.draws_initial
    }

    /// Returns the lanes in which two or more of the fluent atoms with ids in the range `atoms` are true. Ids that are
    /// not of fluent atoms are ignored.
    #[must_use]
    pub fn several_true(&self, atoms: Range<u32>) -> [u64; N] {
        let fluents = self.program.simulator.task().fluent_count();
        let (start, end) = (atoms.start as usize, (atoms.end as usize).min(fluents));
        let planes = self.atoms.get(start..end).unwrap_or_default();
        widest(
            #[inline(always)]
            || count_to_two(planes.iter()).1,
        )
    }

    /// Returns the lanes in which two or more of these actions are valid. Unknown actions are ignored.
    #[must_use]
    pub fn several_valid(&self, actions: &[ActionId]) -> [u64; N] {
        let planes = actions.iter().filter_map(|action| self.valid.get(action.index()));
        widest(
            #[inline(always)]
            || count_to_two(planes).1,
        )
    }

    /// Returns the state of a lane.
    ///
    /// # Panics
    /// If there is no such lane.
    #[must_use]
    pub fn state(&self, lane: usize) -> State {
        let mut state = State::empty(self.program.simulator.task());
        let atoms = self.fluents();
        Lane { atoms, lane }.read(&mut state);
        state
    }

    /// Calls `visit` with the number and the state of every lane of `which`, ascending.
    pub fn each_state(&mut self, which: &[u64; N], mut visit: impl FnMut(usize, &State)) {
        let mut state = self
            .scratch
            .state
            .take()
            .unwrap_or_else(|| State::empty(self.program.simulator.task()));
        let count: u32 = which.iter().map(|word| word.count_ones()).sum();
        if count < FEW_STATES {
            let atoms = self.fluents();
            each_lane(which, |lane| {
                Lane { atoms, lane }.read(&mut state);
                visit(lane, &state);
            });
        } else {
            let words = words_for(self.fluents().len());
            let mut rows = std::mem::take(&mut self.scratch.rows);
            rows.resize(words * Self::LANES, 0);
            let fluents = self.fluents();
            widest(
                #[inline(always)]
                || write_rows(fluents.len(), |atom| fluents[atom], &mut rows),
            );
            each_lane(which, |lane| {
                state.set_bits(rows[lane * words..(lane + 1) * words].iter().copied());
                visit(lane, &state);
            });
            self.scratch.rows = rows;
        }
        self.scratch.state = Some(state);
    }

    fn fluents(&self) -> &[Plane<N>] {
        &self.atoms[..self.program.simulator.task().fluent_count()]
    }

    /// Writes a row of bits for every lane to `rows`, in the order of the lanes, each in whole words: bit `i` of a row
    /// is bit `i % 64` of its word `i / 64`. `bits` are the bits of a row: [`RowBit::State`] is the truth of the atom
    /// with that id, and 0 for an unknown atom. Derived atoms are known only if they are needed, or
    /// [`Derived::All`](crate::Derived::All) is set. If `rows` is too short, the last lanes are left out.
    pub fn write_bits(&self, bits: &[RowBit], rows: &mut [u64]) {
        let atoms = &self.atoms[..self.program.simulator.task().atom_count()];
        let plane = |index: usize| match bits[index] {
            RowBit::Zero => [0; N],
            RowBit::One => [u64::MAX; N],
            RowBit::State(atom) => atoms.get(atom as usize).copied().unwrap_or([0; N]),
        };
        widest(
            #[inline(always)]
            || write_rows(bits.len(), plane, rows),
        );
    }

    /// Writes a row of bits for every lane to `rows`, as [`write_bits`](Self::write_bits) does. A row has `groups`
    /// bits. Bit `i` is 1 if one of the actions `group(i)` is valid in the lane; with `exclusive`, if exactly one of
    /// them is.
    pub fn write_valid<'a>(
        &self,
        groups: usize,
        group: impl Fn(usize) -> &'a [ActionId],
        exclusive: bool,
        rows: &mut [u64],
    ) {
        let plane = |index: usize| {
            let planes = group(index).iter().filter_map(|&action| self.valid(action));
            let (one, two) = count_to_two(planes);
            let left_out = u64::from(exclusive).wrapping_neg();
            zip(&one, &two, |one, two| one & !(two & left_out))
        };
        widest(
            #[inline(always)]
            || write_rows(groups, plane, rows),
        );
    }
}

/// With fewer lanes than this, states are read lane by lane.
const FEW_STATES: u32 = 5;

/// Returns the set of lanes in at least one plane, and the set of lanes in at least two.
#[inline(always)]
fn count_to_two<'a, const N: usize>(planes: impl Iterator<Item = &'a Plane<N>>) -> (Plane<N>, Plane<N>) {
    let (mut one, mut two) = ([0; N], [0; N]);
    for plane in planes {
        for word in 0..N {
            two[word] |= one[word] & plane[word];
            one[word] |= plane[word];
        }
    }
    (one, two)
}
