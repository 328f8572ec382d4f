//! Sets of small integers as bit vectors.

/// The number of 64-bit words that hold `bits` bits.
pub(crate) const fn words_for(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// The indices of the bits that are set in `words`, ascending.
pub(crate) fn ones(words: &[u64]) -> Ones<'_> {
    Ones {
        words,
        index: 0,
        rest: words.first().copied().unwrap_or(0),
    }
}

/// An iterator over the indices of the set bits of some words.
#[derive(Clone, Debug)]
pub(crate) struct Ones<'a> {
    words: &'a [u64],
    /// The index of the current word; `rest` has its bits that are still to be returned.
    index: usize,
    rest: u64,
}

impl Iterator for Ones<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.rest == 0 {
            self.index += 1;
            self.rest = *self.words.get(self.index)?;
        }
        let bit = self.rest.trailing_zeros() as usize;
        self.rest &= self.rest - 1;
        Some(self.index * 64 + bit)
    }
}

/// Calls `visit` with the index of every set bit of word number `word`.
#[inline]
pub(crate) fn each_bit(word: u32, mut bits: u64, mut visit: impl FnMut(u32)) {
    while bits != 0 {
        visit(word * 64 + bits.trailing_zeros());
        bits &= bits - 1;
    }
}

/// Writes the bits of `words` to `into`, one byte per bit, 0 or 1. If `into` is longer than the bits, the rest is set to 0;
/// if it is shorter, the remaining bits are ignored.
pub(crate) fn expand(words: &[u64], into: &mut [u8]) {
    let (chunks, rest) = into.as_chunks_mut::<64>();
    let mut words = words.iter().copied().chain(std::iter::repeat(0));
    for (chunk, word) in chunks.iter_mut().zip(&mut words) {
        *chunk = spread_word(word);
    }
    let last = spread_word(words.next().unwrap_or(0));
    rest.copy_from_slice(&last[..rest.len()]);
}

/// Expands a word into 64 bytes, each 0 or 1.
#[inline]
fn spread_word(word: u64) -> [u8; 64] {
    let mut spread_bytes = [0; 64];
    let (chunks, _) = spread_bytes.as_chunks_mut::<8>();
    for (chunk, byte) in chunks.iter_mut().zip(word.to_le_bytes()) {
        *chunk = spread(byte);
    }
    spread_bytes
}

/// Expands a byte into 8 bytes, each 0 or 1.
#[inline]
fn spread(byte: u8) -> [u8; 8] {
    // The product and mask leave bit i in byte i. Adding 127 to each byte carries a set bit to the top of its byte.
    let alone = u64::from(byte).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    ((alone + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101).to_le_bytes()
}

/// A set of integers below a bound.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Creates an empty set for integers below `bound`.
    pub(crate) fn new(bound: usize) -> Self {
        Self {
            words: vec![0; words_for(bound)],
        }
    }

    /// Creates the set of all integers below `bound`.
    pub(crate) fn full(bound: usize) -> Self {
        let mut all = Self::new(bound);
        (0..bound).for_each(|index| all.insert(index));
        all
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn insert(&mut self, index: usize) {
        self.words[index / 64] |= 1 << (index % 64);
    }

    /// The members, ascending.
    pub(crate) fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_written_as_bytes() {
        let words = [0x8000_0000_dead_beef, 0x0123_4567_89ab_cdef];
        for length in [0, 1, 7, 8, 63, 64, 65, 100, 128, 131, 200] {
            let mut bytes = vec![9; length];
            expand(&words, &mut bytes);
            for (index, &byte) in bytes.iter().enumerate() {
                let bit = words.get(index / 64).map_or(0, |word| word >> (index % 64) & 1);
                assert_eq!(u64::from(byte), bit, "{index} of {length}");
            }
        }
    }
}
