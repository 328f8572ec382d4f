//! A set of packed states.

use crate::propositions::id32;

/// States of one size, each a run of words, numbered in the order of their insertion.
///
/// States lie in blocks that never move; a table with open addressing holds for each state its number and 32 bits of
/// its hash, 8 bytes together, at most three quarters full. States are inserted in batches, so that the cache misses
/// of a batch overlap: first all table slots are read, then all are compared.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    /// Words a state.
    width: usize,
    len: usize,
    blocks: Vec<Vec<u64>>,
    /// Hash in the upper half, number plus one in the lower, 0 for nothing. The length is a power of two.
    table: Vec<u64>,
    /// The states to be inserted next, and their hashes.
    batch: Vec<u64>,
    hashes: Vec<u64>,
}

/// States in a block.
const BLOCK: usize = 1 << 12;

/// States in a batch.
const BATCH: usize = 64;

impl Store {
    /// The empty set of states of `width` words.
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            len: 0,
            blocks: Vec::new(),
            table: vec![0; 1 << 10],
            batch: Vec::with_capacity(BATCH * width),
            hashes: Vec::with_capacity(BATCH),
        }
    }

    /// The number of states, without those of the batch.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The state with a number.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> &[u64] {
        &self.blocks[number / BLOCK][number % BLOCK * self.width..][..self.width]
    }

    /// The bytes that states and table take.
    pub(crate) fn bytes(&self) -> usize {
        self.blocks.len() * BLOCK * self.width * 8 + self.table.len() * 8
    }

    /// Puts a state into the batch, and inserts the batch when it is full.
    #[inline]
    pub(crate) fn insert(&mut self, state: &[u64]) {
        self.batch.extend_from_slice(state);
        self.hashes.push(hash(state));
        if self.hashes.len() == BATCH {
            self.flush();
        }
    }

    /// Inserts the batch.
    pub(crate) fn flush(&mut self) {
        let mut slots = [0; BATCH];
        for (slot, &hash) in slots.iter_mut().zip(&self.hashes) {
            *slot = self.table[self.home(hash)];
        }
        // Reading the first word of what may be the same state fetches it for the comparison.
        let touched: u64 = slots[..self.hashes.len()]
            .iter()
            .filter(|&&slot| slot != 0)
            .map(|&slot| self.get(number_of(slot)).first().copied().unwrap_or(0))
            .fold(0, |all, word| all ^ word);
        std::hint::black_box(touched);
        for index in 0..self.hashes.len() {
            self.place(index);
        }
        self.batch.clear();
        self.hashes.clear();
    }

    /// Inserts one state of the batch, unless it is there.
    #[inline]
    fn place(&mut self, index: usize) {
        let hash = self.hashes[index];
        let state = index * self.width..(index + 1) * self.width;
        let mut place = self.home(hash);
        loop {
            let slot = self.table[place];
            if slot == 0 {
                break;
            }
            if slot >> 32 == hash >> 32 && self.get(number_of(slot)) == &self.batch[state.clone()] {
                return;
            }
            place = (place + 1) & (self.table.len() - 1);
        }
        if self.len.is_multiple_of(BLOCK) {
            self.blocks.push(Vec::with_capacity(BLOCK * self.width));
        }
        self.blocks[self.len / BLOCK].extend_from_slice(&self.batch[state]);
        self.len += 1;
        self.table[place] = hash >> 32 << 32 | u64::from(id32(self.len));
        if self.len * 4 > self.table.len() * 3 {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.table);
        self.table = vec![0; old.len() * 2];
        for slot in old.into_iter().filter(|&slot| slot != 0) {
            let mut place = self.home(hash(self.get(number_of(slot))));
            while self.table[place] != 0 {
                place = (place + 1) & (self.table.len() - 1);
            }
            self.table[place] = slot;
        }
    }

    /// Where a hash is looked for first.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        // The lower bits choose the place, the upper ones tell states in one place apart.
        hash as usize & (self.table.len() - 1)
    }
}

/// The number in a slot that is not empty.
#[inline]
fn number_of(slot: u64) -> usize {
    (slot as u32 - 1) as usize
}

/// Folded multiplication, word by word, with a last round that spreads the bits of the last word.
#[inline]
fn hash(state: &[u64]) -> u64 {
    let fold = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15;
        (product >> 64) as u64 ^ product as u64
    };
    fold(
        state
            .iter()
            .fold(0x2545_f491_4f6c_dd1d, |hash, &word| fold(hash, word)),
        0,
    )
}
