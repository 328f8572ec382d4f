//! In which order the items of a run are worked on.

use smallvec::SmallVec;

/// How items are of several kinds: those of one kind share tables, which are best read while the processor's cache holds
/// them.
pub(super) struct Kinds<K, T> {
    /// The kind of an item among all, by its place.
    pub(super) of: K,
    /// Reads what the work on an item reads first. It is called for each item just before the work on the one before it:
    /// what follows each other does not lie next to each other, so that the processor cannot foresee where to read.
    pub(super) touch: T,
}

/// The most items that are put in order at once.
pub(super) const MOST: usize = 1024;

/// How many kinds are told apart; each further one counts as one of these.
const TOLD_APART: usize = 64;

/// Places below [`MOST`].
pub(super) type Places = SmallVec<[u16; MOST]>;

/// The places below `count`, ascending.
pub(super) fn in_turn(count: usize) -> Places {
    (0..count as u16).collect()
}

/// The places below `count`, those of one kind after each other, and ascending within a kind: a counting sort, without
/// memory of its own on the heap.
pub(super) fn by_kind(count: usize, kind: impl Fn(usize) -> usize) -> Places {
    let kind = |place: usize| kind(place) % TOLD_APART;
    // First how many there are of each kind, then where the next of each goes.
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
