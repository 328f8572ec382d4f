//! Fingerprints of trajectories, by which two systems for the same problem are compared.

use crate::random::scramble;

/// A 64-bit fingerprint of a sequence of words, the same on every platform. Each word is mixed in by a rotation, an
/// exclusive or and a multiplication (as in `FxHash`); [`finish`](Self::finish) scrambles the result.
///
/// ```
/// use herbrand_core::Digest;
///
/// let mut digest = Digest::new(7);
/// digest.add(Digest::of_text("move"));
/// assert_ne!(digest.finish(), Digest::new(7).finish());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Digest(u64);

impl Digest {
    /// Creates the digest of the empty sequence. Digests that begin with different values of `start` yield different
    /// fingerprints for the same words.
    #[must_use]
    pub const fn new(start: u64) -> Self {
        Self(start)
    }

    /// Appends a word to the sequence.
    #[inline]
    pub const fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    /// Returns the fingerprint of the words appended so far.
    #[must_use]
    pub const fn finish(self) -> u64 {
        scramble(self.0)
    }

    /// Hashes a text to a word by 64-bit FNV-1a. It reads the bytes in UTF-8. Pass the word to [`add`](Self::add).
    #[must_use]
    pub fn of_text(text: &str) -> u64 {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
    }
}
