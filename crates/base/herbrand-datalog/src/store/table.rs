//! A map from packed keys to numbers, on which sets of tuples and all indexes are built.

/// A map from keys in `0..cells` to values below `u32::MAX`.
///
/// Small key spaces are direct-addressed from the start. Other tables begin with open addressing (linear probing,
/// multiplicative hashing) and 12 bytes per slot. When a table would double, it becomes direct-addressed if that takes at
/// most [`WASTE`] times the bytes; this happens to relations that relaxed reachability fills. So the memory is proportional
/// to the greatest number of entries so far, plus a constant.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    cells: u64,
    len: u32,
    slots: Slots,
}

#[derive(Clone, Debug)]
enum Slots {
    /// One more than the value, indexed by key; zero if there is no entry.
    Dense(Vec<u32>),
    /// The low and high half of the key, and one more than the value. The length is a power of two.
    Hashed(Vec<[u32; 3]>),
}

/// The largest key space that is direct-addressed from the start.
const SMALL: u64 = 4096;
/// The greatest acceptable ratio of a direct-addressed table's bytes to those of a hashed one.
const WASTE: u64 = 2;
const FIRST_SLOTS: usize = 64;

impl Table {
    /// Creates an empty map for keys less than `cells`.
    pub(crate) fn new(cells: u64) -> Self {
        let slots = if cells <= SMALL {
            Slots::Dense(vec![0; cells as usize])
        } else {
            Slots::Hashed(Vec::new())
        };
        Self { cells, len: 0, slots }
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    /// Returns the bytes used.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.slots {
            Slots::Dense(cells) => 4 * cells.capacity() as u64,
            Slots::Hashed(slots) => 12 * slots.capacity() as u64,
        }
    }

    /// Returns the value of a key.
    #[inline(always)]
    pub(crate) fn find(&self, key: u64) -> Option<u32> {
        match &self.slots {
            Slots::Dense(cells) => cells.get(key as usize)?.checked_sub(1),
            Slots::Hashed(slots) => find_hashed(slots, key),
        }
    }

    /// Inserts a key with this value unless it has a value; returns its value.
    #[inline]
    pub(crate) fn find_or_insert(&mut self, key: u64, value: u32) -> u32 {
        if let Slots::Dense(cells) = &mut self.slots {
            let cell = &mut cells[key as usize];
            if *cell == 0 {
                *cell = value + 1;
                self.len += 1;
            }
            return *cell - 1;
        }
        self.find_or_insert_hashed(key, value)
    }

    fn find_or_insert_hashed(&mut self, key: u64, value: u32) -> u32 {
        if let Slots::Hashed(slots) = &mut self.slots {
            if 4 * self.len as usize >= 3 * slots.len() {
                self.grow();
                return self.find_or_insert(key, value);
            }
            let at = probe(slots, key);
            let slot = &mut slots[at];
            if slot[2] == 0 {
                *slot = [key as u32, (key >> 32) as u32, value + 1];
                self.len += 1;
            }
            return slot[2] - 1;
        }
        value
    }

    /// Doubles a hashed table, or makes it direct-addressed.
    fn grow(&mut self) {
        let Slots::Hashed(old) = &self.slots else { return };
        let doubled = (2 * old.len()).max(FIRST_SLOTS);
        let entries = old.iter().filter(|slot| slot[2] != 0);
        if self.cells.saturating_mul(4) <= WASTE * 12 * doubled as u64 {
            let mut cells = vec![0; self.cells as usize];
            entries.for_each(|slot| cells[key_of(slot) as usize] = slot[2]);
            self.slots = Slots::Dense(cells);
        } else {
            let mut slots = vec![[0; 3]; doubled];
            for slot in entries {
                let at = probe(&slots, key_of(slot));
                slots[at] = *slot;
            }
            self.slots = Slots::Hashed(slots);
        }
    }

    /// Removes a key; returns its value.
    pub(crate) fn remove(&mut self, key: u64) -> Option<u32> {
        let value = match &mut self.slots {
            Slots::Dense(cells) => std::mem::take(cells.get_mut(key as usize)?).checked_sub(1)?,
            Slots::Hashed(slots) if slots.is_empty() => return None,
            Slots::Hashed(slots) => {
                let at = probe(slots, key);
                let value = slots[at][2].checked_sub(1)?;
                close_gap(slots, at);
                value
            }
        };
        self.len -= 1;
        Some(value)
    }
}

fn find_hashed(slots: &[[u32; 3]], key: u64) -> Option<u32> {
    if slots.is_empty() {
        None
    } else {
        slots[probe(slots, key)][2].checked_sub(1)
    }
}

#[inline]
fn key_of(slot: &[u32; 3]) -> u64 {
    u64::from(slot[0]) | u64::from(slot[1]) << 32
}

/// Returns the first slot of a key's search: the top bits of its product with 2⁶⁴ divided by the golden ratio.
#[inline]
fn home(slots: &[[u32; 3]], key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - slots.len().trailing_zeros())) as usize
}

/// Returns the slot of a key, or the free slot for it. At least one slot is free.
#[inline]
fn probe(slots: &[[u32; 3]], key: u64) -> usize {
    let mask = slots.len() - 1;
    let mut at = home(slots, key);
    while slots[at][2] != 0 && key_of(&slots[at]) != key {
        at = (at + 1) & mask;
    }
    at
}

/// Frees a slot and moves later entries up, so that no search crosses a gap (Knuth, volume 3, 6.4, algorithm R).
fn close_gap(slots: &mut [[u32; 3]], mut gap: usize) {
    let mask = slots.len() - 1;
    let mut at = gap;
    loop {
        at = (at + 1) & mask;
        if slots[at][2] == 0 {
            break;
        }
        let home = home(slots, key_of(&slots[at]));
        if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(gap) & mask) {
            slots[gap] = slots[at];
            gap = at;
        }
    }
    slots[gap] = [0; 3];
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn a_table_is_a_map(
            cells in prop::sample::select(vec![1u64, 50, 5000, 20_000, u64::MAX]),
            steps in prop::collection::vec((any::<u64>(), any::<bool>()), 0..2000),
            narrow in 1u64..600,
        ) {
            let (mut table, mut map) = (Table::new(cells), BTreeMap::new());
            for (number, (key, remove)) in steps.into_iter().enumerate() {
                let key = (key % narrow).wrapping_mul(0x1234_5678_9ABC_DEF1) % cells;
                prop_assert_eq!(table.find(key), map.get(&key).copied());
                if remove {
                    prop_assert_eq!(table.remove(key), map.remove(&key));
                } else {
                    let value = *map.entry(key).or_insert(number as u32);
                    prop_assert_eq!(table.find_or_insert(key, number as u32), value);
                }
                prop_assert_eq!(table.len() as usize, map.len());
            }
            for (key, value) in map {
                prop_assert_eq!(table.find(key), Some(value));
            }
        }
    }
}
