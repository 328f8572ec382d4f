//! A hash set of packed states.

use herbrand_core::scramble;

use crate::grounded::moves::Mask;
use crate::grounded::propositions::id32;

/// A set of states of equal size, each a slice of words ([`State::words`](crate::State::words)), numbered in the order of
/// insertion. Searches use it to find duplicates.
///
/// States are stored in blocks that never move. A hash table with open addressing stores the number and 32 bits of the hash
/// of each state, 8 bytes in total; it is at most three quarters full. States are inserted in batches, so that the cache
/// misses of a batch overlap: first all table slots are read, then all states that may be equal, then all are compared.
///
/// The hash of a state is the exclusive or of the hashes of its words, as in Zobrist hashing ("A new hashing method with
/// application for game playing", 1970), with a multiplication in place of the random table. So the hash of a state that
/// differs from another in few words is updated quickly.
///
/// ```
/// use herbrand_step::StateStore;
///
/// let mut store = StateStore::new(2);
/// assert_eq!(store.find_or_insert(&[3, 5]), (0, true));
/// assert_eq!(store.find_or_insert(&[3, 6]), (1, true));
/// assert_eq!(store.find_or_insert(&[3, 5]), (0, false));
/// assert_eq!((store.len(), store.get(1)), (2, &[3, 6][..]));
/// assert_eq!((store.position(&[3, 6]), store.position(&[4, 6])), (Some(1), None));
/// ```
#[derive(Clone, Debug)]
pub struct StateStore {
    /// The number of words per state.
    width: usize,
    /// A block has two to this power states.
    block_bits: u32,
    len: usize,
    blocks: Vec<Vec<u64>>,
    /// For each slot, the hash in the upper half and the state's number plus one in the lower half; 0 if the slot is empty.
    table: Vec<u64>,
    /// The base-2 logarithm of the number of slots.
    table_bits: u32,
    /// For each word of a state, the parameters of its hash function.
    keys: Vec<Key>,
    /// The states of the current batch; `hashes` has their hashes.
    batch: Vec<u64>,
    hashes: Vec<u32>,
    /// The numbers of the states of flushed batches, in the order of insertion, until the caller takes them.
    pub(crate) numbers: Vec<u32>,
    parent: Parent,
}

/// The state whose modified copies are being inserted.
#[derive(Clone, Default, Debug)]
struct Parent {
    words: Vec<u64>,
    /// The hash of each word.
    hashes: Vec<u64>,
    /// The exclusive or of `hashes`.
    hash: u64,
}

/// The parameters of the hash function for one word of a state.
#[derive(Clone, Copy, Debug)]
struct Key {
    mask: u64,
    factor: u64,
}

/// A block has at most two to this power states, and at most this number of words unless one state has more.
const BLOCK_BITS: u32 = 14;
const BLOCK_WORDS: usize = 1 << 17;

/// The number of states per batch.
const BATCH: usize = 64;

/// Marks the absence of a state.
const NONE: u32 = u32::MAX;

/// The base-2 logarithm of the initial number of slots.
const LEAST_TABLE: u32 = 10;

impl StateStore {
    /// Creates an empty set for states of `width` words each. A `width` of 0 is permitted: such a set has at most one
    /// state.
    #[must_use]
    pub fn new(width: usize) -> Self {
        let key = |word: usize| Key {
            mask: scramble(2 * word as u64 + 1),
            factor: scramble(2 * word as u64 + 2) | 1,
        };
        Self {
            width,
            block_bits: (BLOCK_WORDS / width.max(1)).max(1).ilog2().min(BLOCK_BITS),
            len: 0,
            blocks: Vec::new(),
            table: vec![0; 1 << LEAST_TABLE],
            table_bits: LEAST_TABLE,
            keys: (0..width).map(key).collect(),
            batch: Vec::with_capacity(BATCH * width),
            hashes: Vec::with_capacity(BATCH),
            numbers: Vec::with_capacity(BATCH),
            parent: Parent::default(),
        }
    }

    /// Returns the number of states in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the words of the state with this number, counted from 0 in the order of insertion.
    ///
    /// # Panics
    /// Panics if there is no such state.
    #[inline]
    #[must_use]
    pub fn get(&self, number: usize) -> &[u64] {
        let place = number & ((1 << self.block_bits) - 1);
        &self.blocks[number >> self.block_bits][place * self.width..][..self.width]
    }

    /// Returns the memory used by the states and the hash table, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.len * self.width + self.table.len()) * 8
    }

    /// Returns the number of a state and whether it is new. A new state is inserted immediately and gets the next number.
    /// Use it in searches that need the answer before they continue; [`StateSpace`](crate::StateSpace) inserts in
    /// batches instead.
    ///
    /// # Panics
    /// Panics if the state has the wrong number of words, or if the set has 2^32 − 1 states already.
    pub fn find_or_insert(&mut self, state: &[u64]) -> (usize, bool) {
        assert_eq!(state.len(), self.width, "a state of this store");
        while (self.len + 1) * 4 > self.table.len() * 3 {
            self.grow();
        }
        let hash = self.hash(state);
        let found = self.find(hash, state);
        if let Err(place) = found {
            self.append(state, hash, place);
        }
        found.map_or((self.len - 1, true), |number| (number, false))
    }

    /// Returns the number of a state; `None` if it is not in the set or has the wrong number of words.
    #[must_use]
    pub fn position(&self, state: &[u64]) -> Option<usize> {
        let fits = state.len() == self.width;
        fits.then(|| self.find(self.hash(state), state).ok()).flatten()
    }

    /// Returns the hash of a state.
    #[inline]
    fn hash(&self, state: &[u64]) -> u32 {
        let words = self.keys.iter().zip(state);
        shorten(words.fold(0, |all, (key, &word)| all ^ key.hash(word)))
    }

    /// Sets the parent for [`insert_changed`](Self::insert_changed) to the state with this number.
    pub(crate) fn set_parent(&mut self, number: usize) {
        let mut parent = std::mem::take(&mut self.parent);
        parent.words.clear();
        parent.words.extend_from_slice(self.get(number));
        parent.hashes.clear();
        let words = self.keys.iter().zip(&parent.words);
        parent.hashes.extend(words.map(|(key, &word)| key.hash(word)));
        parent.hash = parent.hashes.iter().fold(0, |all, hash| all ^ hash);
        self.parent = parent;
    }

    /// Adds a copy of the parent, modified by masks, to the batch. A full batch is flushed.
    #[inline]
    pub(crate) fn insert_changed(&mut self, masks: &[Mask]) {
        let Self {
            batch, parent, keys, ..
        } = self;
        let start = batch.len();
        batch.extend_from_slice(&parent.words);
        let state = &mut batch[start..];
        let mut hash = parent.hash;
        for mask in masks {
            let index = mask.word as usize;
            let new = state[index] & mask.keep | mask.set;
            hash ^= parent.hashes[index] ^ keys[index].hash(new);
            state[index] = new;
        }
        self.push(shorten(hash));
    }

    /// Records the hash of the last state of the batch.
    #[inline]
    fn push(&mut self, hash: u32) {
        self.hashes.push(hash);
        if self.hashes.len() == BATCH {
            self.flush();
        }
    }

    /// Returns the number of states that wait in the batch.
    #[inline]
    pub(crate) fn waiting(&self) -> usize {
        self.hashes.len()
    }

    /// Inserts all states of the batch.
    pub(crate) fn flush(&mut self) {
        while (self.len + self.hashes.len()) * 4 > self.table.len() * 3 {
            self.grow();
        }
        let mut candidates = [NONE; BATCH];
        self.fetch(&mut candidates);
        for (index, candidate) in (0..self.hashes.len()).zip(candidates) {
            let is_known = candidate != NONE && same(self.get(candidate as usize), self.in_batch(index));
            let number = if is_known { candidate } else { self.place(index) };
            self.numbers.push(number);
        }
        self.batch.clear();
        self.hashes.clear();
    }

    /// Returns a state of the batch.
    #[inline]
    fn in_batch(&self, index: usize) -> &[u64] {
        &self.batch[index * self.width..(index + 1) * self.width]
    }

    /// Finds, for each state of the batch, the first stored state with the same hash, and loads the memory needed for the
    /// comparison into the cache.
    #[inline]
    fn fetch(&self, candidates: &mut [u32; BATCH]) {
        let slots = self.hashes.iter().map(|&hash| self.table[self.home(hash)]);
        std::hint::black_box(slots.fold(0, |all, slot| all ^ slot));
        let mut touched = 0;
        for (candidate, &hash) in candidates.iter_mut().zip(&self.hashes) {
            *candidate = self.candidate(hash);
            if *candidate != NONE {
                let state = self.get(*candidate as usize);
                touched ^= state.first().unwrap_or(&0) ^ state.last().unwrap_or(&0);
            }
        }
        std::hint::black_box(touched);
    }

    /// Returns the number of the first state with this hash, or `NONE`.
    #[inline]
    fn candidate(&self, hash: u32) -> u32 {
        let mut place = self.home(hash);
        loop {
            let slot = self.table[place];
            if slot == 0 || (slot >> 32) as u32 == hash {
                // An empty slot wraps around to `NONE`.
                return (slot as u32).wrapping_sub(1);
            }
            place = (place + 1) & (self.table.len() - 1);
        }
    }

    /// Inserts one state of the batch unless it is already in the set, and returns its number.
    #[inline]
    fn place(&mut self, index: usize) -> u32 {
        let hash = self.hashes[index];
        let state = index * self.width..(index + 1) * self.width;
        match self.find(hash, &self.batch[state.clone()]) {
            Ok(number) => number as u32,
            Err(place) => {
                let batch = std::mem::take(&mut self.batch);
                self.append(&batch[state], hash, place);
                self.batch = batch;
                self.len as u32 - 1
            }
        }
    }

    /// Returns the number of a state, or else the slot where it belongs.
    #[inline]
    fn find(&self, hash: u32, state: &[u64]) -> Result<usize, usize> {
        let mut place = self.home(hash);
        loop {
            let slot = self.table[place];
            if slot == 0 {
                return Err(place);
            }
            let number = (slot as u32).wrapping_sub(1) as usize;
            if (slot >> 32) as u32 == hash && same(self.get(number), state) {
                return Ok(number);
            }
            place = (place + 1) & (self.table.len() - 1);
        }
    }

    /// Appends a new state, whose slot is `place`.
    #[inline]
    fn append(&mut self, state: &[u64], hash: u32, place: usize) {
        let block = self.len >> self.block_bits;
        if block == self.blocks.len() {
            self.blocks
                .push(Vec::with_capacity(self.width << self.block_bits));
        }
        self.blocks[block].extend_from_slice(state);
        self.len += 1;
        self.table[place] = u64::from(hash) << 32 | u64::from(id32(self.len));
    }

    /// Doubles the table. Slots are in the order of their hashes, so memory is accessed sequentially.
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.table);
        self.table = vec![0; old.len() * 2];
        self.table_bits += 1;
        for slot in old.into_iter().filter(|&slot| slot != 0) {
            let mut place = self.home((slot >> 32) as u32);
            while self.table[place] != 0 {
                place = (place + 1) & (self.table.len() - 1);
            }
            self.table[place] = slot;
        }
    }

    /// Returns the first slot to probe for a hash, given by its upper bits. The full hash then tells states with the same
    /// slot apart.
    #[inline]
    fn home(&self, hash: u32) -> usize {
        (hash >> (u32::BITS - self.table_bits)) as usize
    }
}

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Reduces a hash to 32 bits: the upper half of the product depends on all bits of the factors.
#[inline]
fn shorten(hash: u64) -> u32 {
    (hash.wrapping_mul(FACTOR) >> 32) as u32
}

impl Key {
    /// Hashes a word by folded multiplication.
    #[inline]
    fn hash(self, word: u64) -> u64 {
        let product = u128::from(word ^ self.mask) * u128::from(self.factor);
        (product >> 64) as u64 ^ product as u64
    }
}

/// Returns whether two states of the same width are equal. For so few words, a loop is faster than a call to `memcmp`.
#[inline]
fn same(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets the bits of a word.
    fn to(word: u32, set: u64) -> Mask {
        Mask { word, keep: 0, set }
    }

    #[test]
    fn every_word_tells_states_apart() {
        for width in 1..6 {
            let state: Vec<u64> = (0..width as u64).collect();
            assert!(same(&state, &state));
            for word in 0..width {
                for bit in 0..64 {
                    let mut other = state.clone();
                    other[word] ^= 1 << bit;
                    assert!(!same(&state, &other), "bit {bit} of word {word} of {width}");
                    // A change of the parent has the hash of the changed state.
                    let mut store = StateStore::new(width);
                    store.find_or_insert(&state);
                    store.set_parent(0);
                    store.insert_changed(&[to(word as u32, other[word])]);
                    store.flush();
                    assert_eq!(
                        store.position(&other),
                        Some(1),
                        "bit {bit} of word {word} of {width}"
                    );
                }
            }
        }
    }

    /// Inserts enough states for some to have equal 32-bit hashes; only a comparison of their words tells them apart. The
    /// states of each set differ in one word.
    #[test]
    fn states_with_the_same_hash_are_kept_apart() {
        const STATES: u64 = 200_000;
        for word in 0..3_u32 {
            let state = |value: u64| {
                let mut state = [5; 3];
                state[word as usize] = value;
                state
            };
            let mut one_by_one = StateStore::new(3);
            let mut hashes = Vec::new();
            for value in 0..STATES {
                hashes.push(one_by_one.hash(&state(value)));
                assert_eq!(one_by_one.find_or_insert(&state(value)), (value as usize, true));
            }
            hashes.sort_unstable();
            hashes.dedup();
            assert!(hashes.len() < STATES as usize, "word {word}: all hashes differ");
            let mut changes = StateStore::new(3);
            changes.find_or_insert(&state(0));
            changes.set_parent(0);
            (0..STATES).for_each(|value| changes.insert_changed(&[to(word, value)]));
            changes.flush();
            assert!(
                changes.numbers.iter().copied().eq(0..STATES as u32),
                "word {word}"
            );
            for store in [&one_by_one, &changes] {
                assert_eq!(store.len(), STATES as usize, "word {word}");
                for value in 0..STATES {
                    assert_eq!(store.position(&state(value)), Some(value as usize));
                }
                assert_eq!(store.position(&state(STATES)), None);
            }
        }
    }
}
