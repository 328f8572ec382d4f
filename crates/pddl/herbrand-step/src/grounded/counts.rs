//! Maintaining the fulfilled rows by counting the unsatisfied literals of each row.

use crate::grounded::network::{Members, Network};
use crate::grounded::truth::Truth;
use crate::grounded::validity::{Validity, zeros};

/// For each row, the number of its literals that do not hold, as an integer of `P` bits.
///
/// The counts of 64 rows are stored in `P` words, one word per binary digit. A few word operations then update 64 counts at
/// once (bit slicing: Biham, "A fast new DES implementation in software", 1997), without branches that depend on the data.
#[derive(Clone, Debug)]
pub(crate) struct Counts<const P: usize> {
    lacking: Vec<[u64; P]>,
}

impl<const P: usize> Counts<P> {
    /// Counts for the state described by `truth`.
    pub(crate) fn new(network: &Network, truth: &Truth, validity: &mut Validity) -> Self {
        let mut this = Self {
            lacking: vec![[0; P]; network.padding.len()],
        };
        for literal in (0..truth.len()).filter(|&literal| !truth.holds(literal as u32)) {
            for members in network.needs.get(literal) {
                add(&mut this.lacking[members.word as usize], members.bits);
            }
        }
        for (lacking, padding) in this.lacking.iter_mut().zip(&network.padding) {
            // The count of a padding bit never reaches zero, so it is never fulfilled.
            lacking[0] |= padding;
        }
        if network.is_small() {
            validity.settle(network, &this.lacking);
        } else {
            for (word, lacking) in (0..).zip(&this.lacking) {
                validity.gain(network, word, zeros(lacking));
            }
        }
        this
    }

    /// Reads the first counts, to bring them into the cache.
    #[inline]
    pub(crate) fn prefetch(&self) -> u64 {
        self.lacking.first().map_or(0, |digits| digits[0])
    }

    /// Updates the counts after a change of state.
    #[inline]
    pub(crate) fn update(&mut self, network: &Network, gained: &[u32], validity: &mut Validity) {
        if network.is_small() {
            return self.update_small(network, gained, validity);
        }
        // All losses are processed before the gains, so a row whose count reaches zero keeps it.
        for &literal in gained {
            for &Members { word, bits } in network.needs.get(literal as usize ^ 1) {
                let lacking = &mut self.lacking[word as usize];
                let lost = bits & zeros(lacking);
                add(lacking, bits);
                if lost != 0 {
                    validity.lose(network, word, lost);
                }
            }
        }
        for &literal in gained {
            for &Members { word, bits } in network.needs.get(literal as usize) {
                let lacking = &mut self.lacking[word as usize];
                subtract(lacking, bits);
                let won = bits & zeros(lacking);
                if won != 0 {
                    validity.gain(network, word, won);
                }
            }
        }
    }

    /// Like [`update`](Self::update), for small networks. Literals are processed one at a time: in between, the counts are
    /// those of a state in which only some atoms have changed, so they stay within bounds.
    #[inline]
    fn update_small(&mut self, network: &Network, gained: &[u32], validity: &mut Validity) {
        let lacking = self.lacking.as_mut_slice();
        for &literal in gained {
            for &Members { word, bits } in network.needs.get(literal as usize ^ 1) {
                add(&mut lacking[word as usize], bits);
            }
            for &Members { word, bits } in network.needs.get(literal as usize) {
                subtract(&mut lacking[word as usize], bits);
            }
        }
        validity.settle(network, lacking);
    }
}

/// Adds one to the counts at `bits`.
#[inline]
fn add<const P: usize>(digits: &mut [u64; P], bits: u64) {
    let mut carry = bits;
    for digit in digits {
        (*digit, carry) = (*digit ^ carry, *digit & carry);
    }
}

/// Subtracts one from the counts at `bits`.
#[inline]
fn subtract<const P: usize>(digits: &mut [u64; P], bits: u64) {
    let mut borrow = bits;
    for digit in digits {
        (*digit, borrow) = (*digit ^ borrow, !*digit & borrow);
    }
}
