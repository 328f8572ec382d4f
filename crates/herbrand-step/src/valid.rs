//! The set of valid actions of one state.

use herbrand_ground::ActionId;

use crate::bits::{ones, words_for};

/// A set of actions, in ascending order of their ids whatever the history: one bit an action, with counts that make
/// finding the `n`-th quick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValidActions {
    words: Vec<u64>,
    /// How many members each block of [`BLOCK`] words holds.
    counts: Vec<u32>,
    len: u32,
}

/// Words in a block.
const BLOCK: usize = 8;

impl ValidActions {
    /// The empty set of a task with `actions` actions.
    pub(crate) fn new(actions: usize) -> Self {
        let words = words_for(actions);
        Self {
            words: vec![0; words],
            counts: vec![0; words.div_ceil(BLOCK)],
            len: 0,
        }
    }

    /// The number of members.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether no action is valid: a dead end.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether `action` is a member.
    #[inline]
    #[must_use]
    pub fn contains(&self, action: ActionId) -> bool {
        self.words
            .get(action.index() / 64)
            .is_some_and(|word| word >> (action.index() % 64) & 1 == 1)
    }

    /// The member with `n` smaller ones.
    #[must_use]
    pub fn nth(&self, n: usize) -> Option<ActionId> {
        if n >= self.len() {
            return None;
        }
        let mut rest = u32::try_from(n).ok()?;
        let mut block = 0;
        while rest >= self.counts[block] {
            rest -= self.counts[block];
            block += 1;
        }
        let mut index = block * BLOCK;
        while rest >= self.words[index].count_ones() {
            rest -= self.words[index].count_ones();
            index += 1;
        }
        let mut word = self.words[index];
        for _ in 0..rest {
            word &= word - 1;
        }
        Some(ActionId::from_index(index * 64 + word.trailing_zeros() as usize))
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = ActionId> + '_ {
        ones(&self.words).map(ActionId::from_index)
    }

    /// Writes the set as bits: action `i` is bit `i % 64` of word `i / 64`. Words beyond the end of `mask` are left
    /// out, and words of `mask` beyond the last action are set to zero.
    pub fn write_mask(&self, mask: &mut [u64]) {
        let shared = self.words.len().min(mask.len());
        mask[..shared].copy_from_slice(&self.words[..shared]);
        mask[shared..].fill(0);
    }

    /// Empties the set.
    pub(crate) fn clear(&mut self) {
        self.words.fill(0);
        self.counts.fill(0);
        self.len = 0;
    }

    /// Adds an action that is not a member.
    #[inline]
    pub(crate) fn insert(&mut self, action: ActionId) {
        self.words[action.index() / 64] |= 1 << (action.index() % 64);
        self.counts[action.index() / (64 * BLOCK)] += 1;
        self.len += 1;
    }
}
