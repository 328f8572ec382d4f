//! The storage of a relation whose rows are read once, in the round after they were added, and then dropped.
//!
//! Rules find each row in the delta, and the total stays empty. Therefore all readers of such a relation must be in one
//! recursion with the rules that derive it; otherwise rows would be lost. The macros make a module a data structure provider
//! for `#[ds(…)]` (Sahebolamri, Barrett, Moore, Micinski: Bring Your Own Data Structures to Datalog, 2023).

use ascent::internal::{
    RelFullIndexRead, RelFullIndexWrite, RelIndexMerge, RelIndexRead, RelIndexWrite, ToRelIndex,
};

/// The rows of one version of a relation: total, delta or new.
pub(crate) trait Store {
    /// The type of the relation's only column.
    type Row: 'static;

    /// Returns the rows over which a rule iterates.
    fn rows(&self) -> &[(Self::Row,)];

    /// Adds a row if it is new; returns whether it was.
    fn admit(&mut self, row: &Self::Row) -> bool;
}

/// A store in which every row is new.
pub(crate) struct Queue<T> {
    rows: Vec<(T,)>,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { rows: Vec::new() }
    }
}

impl<T: Clone + 'static> Store for Queue<T> {
    type Row = T;

    #[inline]
    fn rows(&self) -> &[(T,)] {
        &self.rows
    }

    #[inline]
    fn admit(&mut self, row: &T) -> bool {
        self.rows.push((row.clone(),));
        true
    }
}

impl<T> RelIndexMerge for Queue<T> {
    fn move_index_contents(from: &mut Self, _: &mut Self) {
        from.rows.clear();
    }

    fn merge_delta_to_total_new_to_delta(new: &mut Self, delta: &mut Self, _: &mut Self) {
        turn(&mut new.rows, &mut delta.rows);
    }
}

/// A delta with capacity for more rows than this is freed after a round.
const ROOM: usize = 1 << 12;

/// Makes the new rows the delta and drops the old delta.
pub(super) fn turn<T>(new: &mut Vec<T>, delta: &mut Vec<T>) {
    delta.clear();
    if delta.capacity() > ROOM {
        *delta = Vec::new();
    }
    std::mem::swap(new, delta);
}

/// The index over all columns, which decides whether a row is new.
#[derive(Default)]
pub(crate) struct Whole;

/// The index over no columns, for iteration over all rows. It is a view of the store.
#[derive(Default)]
pub(crate) struct All;

/// The read side of an index.
pub(crate) struct Reader<'a, S>(&'a S);

/// The write side of [`Whole`].
pub(crate) struct Writer<'a, S>(&'a mut S);

/// The write side of [`All`]. It ignores writes, because that index is a view of the store.
pub(crate) struct View<S>(std::marker::PhantomData<S>);

impl<S: Store> ToRelIndex<S> for Whole {
    type RelIndex<'a>
        = Reader<'a, S>
    where
        S: 'a;
    type RelIndexWrite<'a>
        = Writer<'a, S>
    where
        S: 'a;

    #[inline]
    fn to_rel_index<'a>(&'a self, store: &'a S) -> Reader<'a, S> {
        Reader(store)
    }

    #[inline]
    fn to_rel_index_write<'a>(&'a mut self, store: &'a mut S) -> Writer<'a, S> {
        Writer(store)
    }
}

impl<S: Store> ToRelIndex<S> for All {
    type RelIndex<'a>
        = Reader<'a, S>
    where
        S: 'a;
    type RelIndexWrite<'a>
        = View<S>
    where
        S: 'a;

    #[inline]
    fn to_rel_index<'a>(&'a self, store: &'a S) -> Reader<'a, S> {
        Reader(store)
    }

    #[inline]
    fn to_rel_index_write<'a>(&'a mut self, _: &'a mut S) -> View<S> {
        View(std::marker::PhantomData)
    }
}

/// Always `false`: only the new version decides whether a row is new, on insertion.
impl<S: Store> RelFullIndexRead<'_> for Reader<'_, S> {
    type Key = (S::Row,);

    #[inline]
    fn contains_key(&self, _: &(S::Row,)) -> bool {
        false
    }
}

impl<'a, S: Store> RelIndexRead<'a> for Reader<'_, S> {
    type Key = ();
    type Value = &'a (S::Row,);
    type IteratorType = std::slice::Iter<'a, (S::Row,)>;

    #[inline]
    fn index_get(&'a self, (): &()) -> Option<Self::IteratorType> {
        Some(self.0.rows().iter())
    }

    fn len_estimate(&'a self) -> usize {
        self.0.rows().len()
    }

    fn is_empty(&'a self) -> bool {
        self.0.rows().is_empty()
    }
}

impl<S: Store> RelFullIndexWrite for Writer<'_, S>
where
    S::Row: Clone,
{
    type Key = (S::Row,);
    type Value = ();

    #[inline]
    fn insert_if_not_present(&mut self, (row,): &(S::Row,), (): ()) -> bool {
        self.0.admit(row)
    }
}

/// Inserts the initial rows of the relation.
impl<S: Store> RelIndexWrite for Writer<'_, S> {
    type Key = (S::Row,);
    type Value = ();

    fn index_insert(&mut self, (row,): (S::Row,), (): ()) {
        self.0.admit(&row);
    }
}

impl<S: Store> RelIndexWrite for View<S> {
    type Key = ();
    type Value = (S::Row,);

    #[inline]
    fn index_insert(&mut self, (): (), _: (S::Row,)) {}
}

/// Does nothing, because the store itself is merged once per round.
impl<S> RelIndexMerge for Writer<'_, S> {
    fn move_index_contents(_: &mut Self, _: &mut Self) {}

    fn merge_delta_to_total_new_to_delta(_: &mut Self, _: &mut Self, _: &mut Self) {}
}

impl<S> RelIndexMerge for View<S> {
    fn move_index_contents(_: &mut Self, _: &mut Self) {}

    fn merge_delta_to_total_new_to_delta(_: &mut Self, _: &mut Self, _: &mut Self) {}
}

/// The initial rows of a relation. Later rows are in its store only.
pub(crate) struct Rows<T>(Vec<T>);

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Rows<T> {
    #[cfg(test)]
    fn of(rows: Vec<T>) -> Self {
        Self(rows)
    }

    #[inline]
    pub(crate) fn push(&mut self, _: T) {}

    #[inline]
    pub(crate) fn len(&self) -> usize {
        0
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }
}

macro_rules! rel_codegen {
    ($($any:tt)*) => {};
}
macro_rules! rel {
    ($name:ident, $columns:ty, $($any:tt)*) => {
        $crate::eval::ascent::queue::Rows<$columns>
    };
}
macro_rules! rel_ind_common {
    ($name:ident, ($column:ty,), $($any:tt)*) => {
        $crate::eval::ascent::queue::Queue<$column>
    };
}
macro_rules! rel_full_ind {
    ($($any:tt)*) => {
        $crate::eval::ascent::queue::Whole
    };
}
macro_rules! rel_ind {
    ($($any:tt)*) => {
        $crate::eval::ascent::queue::All
    };
}
pub(crate) use {rel, rel_codegen, rel_full_ind, rel_ind, rel_ind_common};

#[cfg(test)]
mod tests {
    use ascent::ascent_run;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Returns the rows that rules read from a queue, in order: the numbers `start`, then the targets of edges from reached
    /// numbers.
    fn seen(start: &[u32], edges: &[(u32, u32)]) -> Vec<u32> {
        let mut seen = Vec::new();
        ascent_run! {
            relation reached(u32);
            #[ds(crate::eval::ascent::queue)]
            relation came(u32) = super::Rows::of(start.iter().map(|&number| (number,)).collect());

            reached(number) <-- came(number), let _ = seen.push(*number);
            came(to) <-- reached(from), for &(start, to) in edges, if start == *from;
        };
        seen
    }

    proptest! {
        #[test]
        fn every_row_is_read_once(
            start in prop::collection::btree_set(0u32..30, 0..6),
            edges in prop::collection::vec((0u32..30, 0u32..30), 0..60),
        ) {
            let start: Vec<u32> = start.into_iter().collect();
            let mut reached: BTreeSet<u32> = start.iter().copied().collect();
            loop {
                let known = reached.len();
                let next: Vec<u32> =
                    edges.iter().filter(|edge| reached.contains(&edge.0)).map(|edge| edge.1).collect();
                reached.extend(next);
                if reached.len() == known {
                    break;
                }
            }
            // Expected are each start number once, and the target of each edge from a reached number once.
            let mut expected = start.clone();
            expected.extend(edges.iter().filter(|edge| reached.contains(&edge.0)).map(|edge| edge.1));
            expected.sort_unstable();
            let mut seen = seen(&start, &edges);
            seen.sort_unstable();
            prop_assert_eq!(seen, expected);
        }
    }
}
