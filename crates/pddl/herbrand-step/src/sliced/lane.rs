//! One lane among the planes.

use herbrand_ground::{AtomId, NumericId};

use crate::grounded::state::{State, Valuation};
use crate::sliced::plane::{Plane, bit};

/// The atoms of one lane.
pub(crate) struct Lane<'a, const N: usize> {
    pub(crate) atoms: &'a [Plane<N>],
    pub(crate) lane: usize,
}

impl<const N: usize> Valuation for Lane<'_, N> {
    fn holds(&self, atom: AtomId) -> bool {
        bit(&self.atoms[atom.index()], self.lane)
    }

    fn value(&self, _id: NumericId) -> Option<f64> {
        None
    }
}

impl<const N: usize> Lane<'_, N> {
    /// Copies the atoms, which must be the fluent ones, to a state.
    pub(crate) fn read(&self, state: &mut State) {
        let bits = self.atoms.chunks(64).map(|group| {
            let bits = group.iter().map(|plane| u64::from(bit(plane, self.lane)));
            bits.zip(0..).fold(0, |word, (bit, place)| word | bit << place)
        });
        state.set_bits(bits);
    }
}

/// Makes a literal true in one lane.
#[inline(always)]
pub(crate) fn assign<const N: usize>(atoms: &mut [Plane<N>], literal: u32, lane: usize) {
    let word = &mut atoms[literal as usize / 2][lane / 64];
    let holds = u64::from(literal.is_multiple_of(2));
    *word = *word & !(1 << (lane % 64)) | holds << (lane % 64);
}
