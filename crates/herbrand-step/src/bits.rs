//! Sets of small numbers, one bit each.

/// The number of 64-bit words that hold `bits` bits.
pub(crate) const fn words_for(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// The indices of the bits that are set in `words`, ascending.
pub(crate) fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let next = |&rest: &u64| (rest & (rest - 1) != 0).then(|| rest & (rest - 1));
        std::iter::successors((word != 0).then_some(word), next)
            .map(move |rest| index * 64 + rest.trailing_zeros() as usize)
    })
}

/// A set of numbers below a bound.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// The empty set of numbers below `bound`.
    pub(crate) fn new(bound: usize) -> Self {
        Self {
            words: vec![0; words_for(bound)],
        }
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
