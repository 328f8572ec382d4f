//! The store behind the one relation of the fixed ascent program: which facts hold.
//!
//! Fact ids are handed out in ascending order, so a set of them is a few ranges. Only the delta, which
//! rules walk over, spells its ids out; the total costs a few bytes however many facts there are. The four
//! macros below make this module a data structure provider for `#[ds(…)]` (Sahebolamri, Barrett, Moore,
//! Micinski: Bring Your Own Data Structures to Datalog, 2023).

use ascent::internal::{
    RelFullIndexRead, RelFullIndexWrite, RelIndexMerge, RelIndexRead, RelIndexReadAll, RelIndexWrite,
    ToRelIndex,
};
use std::ops::Range;

use crate::FactId;

/// A set of fact ids.
#[derive(Default, Clone, Debug)]
pub(crate) struct Arrivals {
    /// Disjoint, ascending, not adjacent.
    ranges: Vec<Range<u32>>,
    /// The same ids one by one, in a delta or a set that becomes one; not kept up in a total.
    ids: Vec<(FactId,)>,
}

impl Arrivals {
    #[inline]
    fn contains(&self, id: u32) -> bool {
        match self.ranges.last() {
            Some(last) if id < last.start => self.earlier(id),
            Some(last) => id < last.end,
            None => false,
        }
    }

    fn earlier(&self, id: u32) -> bool {
        let after = self.ranges.partition_point(|range| range.start <= id);
        after > 0 && id < self.ranges[after - 1].end
    }

    #[inline]
    fn add(&mut self, range: Range<u32>) {
        match self.ranges.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            Some(last) if last.start > range.start => self.insert_earlier(range),
            _ => self.ranges.push(range),
        }
    }

    fn insert_earlier(&mut self, range: Range<u32>) {
        let at = self.ranges.partition_point(|other| other.start < range.start);
        self.ranges.insert(at, range);
        let old = std::mem::take(&mut self.ranges);
        for range in old {
            match self.ranges.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => self.ranges.push(range),
            }
        }
    }
}

impl RelIndexMerge for Arrivals {
    /// Moves ids into a total: only their ranges are kept.
    fn move_index_contents(from: &mut Self, to: &mut Self) {
        from.ranges.drain(..).for_each(|range| to.add(range));
        from.ids.clear();
    }

    fn merge_delta_to_total_new_to_delta(new: &mut Self, delta: &mut Self, total: &mut Self) {
        Self::move_index_contents(delta, total);
        std::mem::swap(new, delta);
    }

    /// What an earlier part of the program has found is the first delta of the next: no fact is lost.
    fn init(_: &mut Self, delta: &mut Self, _: &mut Self) {
        delta.ids = delta
            .ranges
            .iter()
            .cloned()
            .flatten()
            .map(|id| (FactId::new(id),))
            .collect();
    }
}

/// Reads and writes the whole set.
#[derive(Default)]
pub(crate) struct Whole;
/// Walks over the set, without a key.
#[derive(Default)]
pub(crate) struct Walk;
/// Writes through to the set, which is merged once, by itself.
pub(crate) struct Write<'a>(&'a mut Arrivals);
/// An index that is but a view, so that there is nothing to write.
pub(crate) struct View;

impl ToRelIndex<Arrivals> for Whole {
    type RelIndex<'a> = &'a Arrivals;
    type RelIndexWrite<'a> = Write<'a>;

    #[inline]
    fn to_rel_index<'a>(&'a self, set: &'a Arrivals) -> &'a Arrivals {
        set
    }

    #[inline]
    fn to_rel_index_write<'a>(&'a mut self, set: &'a mut Arrivals) -> Write<'a> {
        Write(set)
    }
}

impl ToRelIndex<Arrivals> for Walk {
    type RelIndex<'a> = &'a Arrivals;
    type RelIndexWrite<'a> = View;

    #[inline]
    fn to_rel_index<'a>(&'a self, set: &'a Arrivals) -> &'a Arrivals {
        set
    }

    #[inline]
    fn to_rel_index_write<'a>(&'a mut self, _: &'a mut Arrivals) -> View {
        View
    }
}

impl RelFullIndexRead<'_> for Arrivals {
    type Key = (FactId,);

    #[inline]
    fn contains_key(&self, key: &(FactId,)) -> bool {
        self.contains(key.0.number())
    }
}

impl RelFullIndexWrite for Write<'_> {
    type Key = (FactId,);
    type Value = ();

    #[inline]
    fn insert_if_not_present(&mut self, key: &(FactId,), (): ()) -> bool {
        let id = key.0.number();
        let new = !self.0.contains(id);
        if new {
            self.0.add(id..id + 1);
            self.0.ids.push(*key);
        }
        new
    }
}

impl RelIndexWrite for Write<'_> {
    type Key = (FactId,);
    type Value = ();

    fn index_insert(&mut self, key: (FactId,), (): ()) {
        self.insert_if_not_present(&key, ());
    }
}

impl RelIndexMerge for Write<'_> {
    fn move_index_contents(_: &mut Self, _: &mut Self) {}

    fn merge_delta_to_total_new_to_delta(_: &mut Self, _: &mut Self, _: &mut Self) {}
}

impl RelIndexWrite for View {
    type Key = ();
    type Value = (FactId,);

    #[inline]
    fn index_insert(&mut self, (): (), _: (FactId,)) {}
}

impl RelIndexMerge for View {
    fn move_index_contents(_: &mut Self, _: &mut Self) {}

    fn merge_delta_to_total_new_to_delta(_: &mut Self, _: &mut Self, _: &mut Self) {}
}

impl<'a> RelIndexRead<'a> for Arrivals {
    type Key = ();
    type Value = &'a (FactId,);
    type IteratorType = std::slice::Iter<'a, (FactId,)>;

    #[inline]
    fn index_get(&'a self, (): &()) -> Option<Self::IteratorType> {
        Some(self.ids.iter())
    }

    fn len_estimate(&'a self) -> usize {
        self.ids.len()
    }

    fn is_empty(&'a self) -> bool {
        self.ranges.is_empty()
    }
}

impl<'a> RelIndexReadAll<'a> for Arrivals {
    type Key = ();
    type Value = &'a (FactId,);
    type ValueIteratorType = std::slice::Iter<'a, (FactId,)>;
    type AllIteratorType = std::iter::Once<((), Self::ValueIteratorType)>;

    fn iter_all(&'a self) -> Self::AllIteratorType {
        std::iter::once(((), self.ids.iter()))
    }
}

/// The rows as ascent itself would keep them: nowhere, since the set above is all there is.
#[derive(Default)]
pub(crate) struct NoRows;

impl NoRows {
    #[inline]
    pub(crate) fn push(&mut self, _: (FactId,)) {}

    #[inline]
    pub(crate) fn len(&self) -> usize {
        0
    }

    #[expect(
        dead_code,
        reason = "named by a function that ascent writes and `ascent_run!` does not call"
    )]
    pub(crate) fn iter(&self) -> std::iter::Empty<&(FactId,)> {
        std::iter::empty()
    }
}

macro_rules! rel_codegen {
    ($($any:tt)*) => {};
}
macro_rules! rel {
    ($($any:tt)*) => {
        $crate::eval::arrivals::NoRows
    };
}
macro_rules! rel_ind_common {
    ($($any:tt)*) => {
        $crate::eval::arrivals::Arrivals
    };
}
macro_rules! rel_full_ind {
    ($($any:tt)*) => {
        $crate::eval::arrivals::Whole
    };
}
macro_rules! rel_ind {
    ($($any:tt)*) => {
        $crate::eval::arrivals::Walk
    };
}
pub(crate) use {rel, rel_codegen, rel_full_ind, rel_ind, rel_ind_common};

#[cfg(test)]
mod tests {
    use ascent::ascent_run;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    use crate::FactId;

    /// Follows `next` from some facts; whatever arrives, in order.
    fn reached(start: &[u32], next: impl Fn(u32) -> Vec<u32>) -> Vec<u32> {
        let mut seen = Vec::new();
        ascent_run! {
            #[ds(crate::eval::arrivals)]
            relation fact(FactId);

            fact(FactId::new(id)) <-- for &id in start;
            fact(FactId::new(id)) <--
                fact(from), let _ = seen.push(from.number()), for id in next(from.number());
        };
        seen
    }

    proptest! {
        #[test]
        fn every_fact_arrives_once(
            start in prop::collection::vec(0u32..60, 0..10),
            edges in prop::collection::vec((0u32..60, 0u32..60), 0..80),
        ) {
            let next = |from: u32| -> Vec<u32> {
                edges.iter().filter(|edge| edge.0 == from).map(|edge| edge.1).collect()
            };
            let mut expected: BTreeSet<u32> = start.iter().copied().collect();
            loop {
                let found: BTreeSet<u32> = expected.iter().flat_map(|from| next(*from)).collect();
                if found.is_subset(&expected) {
                    break;
                }
                expected.extend(found);
            }
            let seen = reached(&start, next);
            prop_assert_eq!(seen.len(), expected.len(), "some fact arrived twice or never");
            prop_assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), expected);
        }
    }

    #[test]
    fn what_an_earlier_part_found_is_a_delta_of_the_next() {
        assert_eq!(
            reached(&[3, 5, 4], |from| if from == 4 { vec![9, 0] } else { Vec::new() }),
            [3, 4, 5, 9, 0]
        );
    }
}
