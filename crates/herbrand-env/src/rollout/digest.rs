//! Fingerprints of trajectories.

use herbrand_step::{LiftedState, State};

/// A state that a fingerprint can take in.
pub(super) trait Traced {
    /// Adds what is true in the state.
    fn add_to(&self, digest: &mut Digest);
}

impl Traced for State {
    fn add_to(&self, digest: &mut Digest) {
        self.fluents()
            .for_each(|atom| digest.add(u64::from(atom.number())));
    }
}

impl Traced for LiftedState {
    fn add_to(&self, digest: &mut Digest) {
        for fact in self.atoms() {
            digest.add(u64::from(fact.predicate.number()));
            fact.arguments
                .iter()
                .for_each(|object| digest.add(u64::from(object.number())));
        }
    }
}

/// A 64-bit fingerprint of a sequence of words: each is mixed in by a rotation, an exclusive or and a multiplication
/// (as in `FxHash`), and the end by the finaliser of `SplitMix64`. The same on every platform.
#[derive(Clone, Copy)]
pub(super) struct Digest(u64);

impl Digest {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    #[inline]
    pub(super) const fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    pub(super) const fn finish(self) -> u64 {
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
