//! The set of valid actions of one state.

use herbrand_ground::ActionId;

use crate::grounded::bits::{ones, words_for};

/// The set of valid actions of a walker's state ([`Walker::valid`](crate::Walker::valid)). It is iterated in ascending order
/// of ids, however the state was reached. It has one bit per action, and counts that make [`nth`](Self::nth) fast.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValidActions {
    /// The bits, padded to whole blocks of eight words.
    words: Vec<u64>,
    /// The number of words without the padding.
    used: usize,
    /// The number of members per word: one byte per word, eight words per block.
    counts: Vec<u64>,
    /// The number of members per eight blocks; empty if there are at most eight blocks.
    totals: Vec<u32>,
    len: u32,
}

impl ValidActions {
    /// Creates an empty set for a task with `actions` actions.
    pub(crate) fn new(actions: usize) -> Self {
        let words = words_for(actions).next_multiple_of(8);
        Self {
            words: vec![0; words],
            used: words_for(actions),
            counts: vec![0; words / 8],
            totals: vec![0; if words > 64 { words.div_ceil(64) } else { 0 }],
            len: 0,
        }
    }

    /// Reads the beginning of each list, to bring it into the cache.
    #[inline]
    pub(crate) fn prefetch(&self) -> u64 {
        let first = |words: &[u64]| words.first().copied().unwrap_or_default();
        first(&self.words) ^ first(&self.counts)
    }

    /// Returns the number of valid actions.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns whether no action is valid: the state is a dead end.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns whether `action` is valid; `false` for an unknown action.
    #[inline]
    #[must_use]
    pub fn contains(&self, action: ActionId) -> bool {
        self.words
            .get(action.index() / 64)
            .is_some_and(|word| word >> (action.index() % 64) & 1 == 1)
    }

    /// Returns the `n`-th valid action in ascending order, counted from 0. `None` if there are at most `n` of them.
    #[inline]
    #[must_use]
    pub fn nth(&self, n: usize) -> Option<ActionId> {
        if n >= self.len() {
            return None;
        }
        let mut rest = n as u32;
        let mut block = 0;
        for &total in &self.totals {
            if rest < total {
                break;
            }
            rest -= total;
            block += 8;
        }
        let mut counts = self.counts[block];
        loop {
            let total = sum(counts);
            if rest < total {
                break;
            }
            rest -= total;
            block += 1;
            counts = self.counts[block];
        }
        let (place, before) = place_of(counts, rest);
        rest -= before;
        let index = block * 8 + place;
        let mut word = self.words[index];
        for _ in 0..rest {
            word &= word - 1;
        }
        Some(ActionId::from_index(index * 64 + word.trailing_zeros() as usize))
    }

    /// Returns the set as bits: action `i` is bit `i % 64` of word `i / 64`. There may be more words than the actions
    /// need; their bits are 0.
    #[inline]
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the words of the set ([`words`](Self::words)) in groups of eight, each with whether the group contains a
    /// valid action. Group `i` has the actions from `512 * i` on. A caller can skip the empty groups, which are most of
    /// them if few actions are valid.
    #[inline]
    pub fn groups(&self) -> impl Iterator<Item = (&[u64; 8], bool)> {
        let (groups, _) = self.words.as_chunks::<8>();
        groups.iter().zip(self.counts.iter().map(|&counts| counts != 0))
    }
    /// Returns the valid actions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = ActionId> + '_ {
        ones(&self.words).map(ActionId::from_index)
    }

    /// Writes the set as bits: action `i` is bit `i % 64` of word `i / 64`. If `mask` is too short, the set is truncated; if
    /// it is too long, the remaining words are set to zero.
    pub fn write_mask(&self, mask: &mut [u64]) {
        let shared = self.words.len().min(mask.len());
        mask[..shared].copy_from_slice(&self.words[..shared]);
        mask[shared..].fill(0);
    }

    /// Returns the bits of the set for modification. Call [`recount`](Self::recount) afterwards.
    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Recomputes all counts, for a set of at most 64 words.
    #[inline]
    pub(crate) fn recount(&mut self) {
        debug_assert!(self.totals.is_empty());
        self.len = 0;
        let count = |words: &[u64; 4]| u32::from_le_bytes(words.map(|word| word.count_ones() as u8));
        let (blocks, _) = self.words.as_chunks::<8>();
        for (block, (counts, words)) in self.counts.iter_mut().zip(blocks).enumerate() {
            let (halves, _) = words.as_chunks::<4>();
            // The last block is seldom full, and counting takes most of the time.
            let second = if block * 8 + 4 < self.used {
                count(&halves[1])
            } else {
                0
            };
            *counts = u64::from(count(&halves[0])) | u64::from(second) << 32;
            self.len += sum(*counts);
        }
    }

    /// Adds an action that is not a member.
    #[inline]
    pub(crate) fn insert(&mut self, action: u32) {
        let (index, word) = (action as usize, action as usize / 64);
        self.words[word] |= 1 << (index % 64);
        self.counts[word / 8] += 1 << (word % 8 * 8);
        if let Some(total) = self.totals.get_mut(word / 64) {
            *total += 1;
        }
        self.len += 1;
    }

    /// Removes a member.
    #[inline]
    pub(crate) fn remove(&mut self, action: u32) {
        let (index, word) = (action as usize, action as usize / 64);
        self.words[word] &= !(1 << (index % 64));
        self.counts[word / 8] -= 1 << (word % 8 * 8);
        if let Some(total) = self.totals.get_mut(word / 64) {
            *total -= 1;
        }
        self.len -= 1;
    }

    /// Adds actions that are not members, given as the bits of a word.
    #[inline]
    pub(crate) fn insert_all(&mut self, word: usize, actions: u64) {
        let count = actions.count_ones();
        self.words[word] |= actions;
        self.counts[word / 8] += u64::from(count) << (word % 8 * 8);
        if let Some(total) = self.totals.get_mut(word / 64) {
            *total += count;
        }
        self.len += count;
    }

    /// Removes members, given as the bits of a word.
    #[inline]
    pub(crate) fn remove_all(&mut self, word: usize, actions: u64) {
        let count = actions.count_ones();
        self.words[word] &= !actions;
        self.counts[word / 8] -= u64::from(count) << (word % 8 * 8);
        if let Some(total) = self.totals.get_mut(word / 64) {
            *total -= count;
        }
        self.len -= count;
    }
}

/// Returns the byte of `counts` that contains member number `rest`, and the number of members in earlier bytes. The byte is
/// hard to predict, so all bytes are compared at once if their prefix sums fit into seven bits.
#[inline]
fn place_of(mut counts: u64, mut rest: u32) -> (usize, u32) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    if sum(counts) < 128 {
        let sums = counts.wrapping_mul(ONES);
        let passed = (((u64::from(rest) * ONES) | HIGH) - sums) & HIGH;
        let place = (passed >> 7).wrapping_mul(ONES) >> 56;
        return (place as usize, ((sums << 8) >> (8 * place)) as u32 & 0xff);
    }
    let (all, mut place) = (rest, 0);
    while rest >= (counts & 0xff) as u32 {
        rest -= (counts & 0xff) as u32;
        counts >>= 8;
        place += 1;
    }
    (place, all - rest)
}

/// Returns the sum of the bytes of a word, each at most 64.
#[inline]
fn sum(counts: u64) -> u32 {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    let pairs = (counts & EVEN) + (counts >> 8 & EVEN);
    (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
}
