//! The order in which the items of a run are processed.

use smallvec::SmallVec;

/// A classification of items. Items of one kind share tables, so processing them in succession reuses the processor's cache.
pub(super) struct Kinds<K, T> {
    /// Returns the kind of the item at a position.
    pub(super) of: K,
    /// Loads the memory that processing an item needs first. Called for each item just before the previous item is
    /// processed: consecutive items are not adjacent in memory, so the hardware cannot prefetch them.
    pub(super) prefetch: T,
}

/// The maximum number of items that are sorted at once.
pub(super) const MOST: usize = 1024;

/// The number of kinds distinguished; kinds are taken modulo this number.
const TOLD_APART: usize = 64;

/// Positions below [`MOST`].
pub(super) type Places = SmallVec<[u16; MOST]>;

/// Returns the positions below `count` in ascending order.
pub(super) fn in_turn(count: usize) -> Places {
    (0..count as u16).collect()
}

/// Returns the positions below `count` grouped by kind, in ascending order within each kind. Uses a counting sort without
/// heap memory.
pub(super) fn by_kind(count: usize, kind: impl Fn(usize) -> usize) -> Places {
    let kind = |place: usize| kind(place) % TOLD_APART;
    // Counts the items of each kind, then turns the counts into start positions.
    let mut next = [0_u16; TOLD_APART];
    for place in 0..count {
        next[kind(place)] += 1;
    }
    let mut start = 0;
    for slot in &mut next {
        start += std::mem::replace(slot, start);
    }
    let mut places = Places::from_elem(0, count);
    for place in 0..count {
        let next = &mut next[kind(place)];
        places[usize::from(*next)] = place as u16;
        *next += 1;
    }
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn kinds_follow_each_other(kinds in prop::collection::vec(0..200_usize, 0..=MOST)) {
            let mut expected: Vec<_> = (0..kinds.len() as u16).collect();
            expected.sort_by_key(|&place| kinds[usize::from(place)] % TOLD_APART);
            prop_assert_eq!(by_kind(kinds.len(), |place| kinds[place]).to_vec(), expected);
        }
    }
}
