//! The storage of the relation `entry`: facts by path and key.

use ascent::internal::{
    RelFullIndexRead, RelFullIndexWrite, RelIndexMerge, RelIndexRead, RelIndexWrite, ToRelIndex,
};
use std::cell::{OnceCell, Ref};
use std::rc::Rc;

use super::shared::Shared;
use crate::program::ids::{FactId, RelationId, Symbol};
use crate::store::growing::{Cell, GrowingIndex, GrowingIndexes, Walk};

/// The access path of a lookup: a relation and some or all of its columns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::eval) enum Path {
    /// An index of a relation by some of its columns.
    Index(u32),
    /// A lookup of one fact of a relation by all its columns.
    Whole(RelationId),
}

/// The key of a lookup.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::eval) struct Key {
    /// The symbols of the path's columns, packed.
    pub columns: u64,
    /// The last fact that the lookup may return. An entry of fact `f` matches every key with `until >= f`.
    pub until: FactId,
}

/// A fact with the symbol of its first free column. Further free columns are read from the fact's tuple; few indexes have
/// any.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::eval) struct Entry {
    pub fact: FactId,
    pub free: Symbol,
}

impl Default for Entry {
    fn default() -> Self {
        Self {
            fact: FactId::new(0),
            free: Symbol::new(0),
        }
    }
}

/// Rows in the form that ascent reads. A chunk begins with a row that is its header.
impl Cell for (Entry,) {
    const HEADER: u32 = 1;

    #[inline]
    fn width(_: usize) -> u32 {
        1
    }

    #[inline]
    fn header(chunk: &[Self]) -> (u32, u32) {
        (chunk[0].0.fact.number(), chunk[0].0.free.number())
    }

    #[inline]
    fn set_header(chunk: &mut [Self], next: u32, entries: u32) {
        chunk[0].0 = Entry {
            fact: FactId::new(next),
            free: Symbol::new(entries),
        };
    }

    #[inline]
    fn write(entry: &mut [Self], fact: u32, mut free: impl Iterator<Item = Symbol>) {
        entry[0].0 = Entry {
            fact: FactId::new(fact),
            free: free.next().unwrap_or(Symbol::new(0)),
        };
    }
}

/// One version of the relation `entry`. The total version performs lookups. Rows added to the new version are visible in the
/// total at once, so the delta is always empty.
#[derive(Default)]
pub(in crate::eval) struct Entries {
    shared: Option<Rc<Shared>>,
}

impl Entries {
    pub(super) fn new(shared: &Rc<Shared>) -> Self {
        Self {
            shared: Some(shared.clone()),
        }
    }
}

impl RelIndexMerge for Entries {
    fn move_index_contents(_: &mut Self, _: &mut Self) {}

    fn merge_delta_to_total_new_to_delta(_: &mut Self, _: &mut Self, _: &mut Self) {}

    fn init(new: &mut Self, delta: &mut Self, total: &mut Self) {
        new.shared = delta.shared.clone();
        total.shared = delta.shared.take();
    }
}

/// The index over all columns, into which rules insert.
#[derive(Default)]
pub(in crate::eval) struct Whole;

/// The index by path and key, which rules query.
#[derive(Default)]
pub(in crate::eval) struct ByKey;

/// The read side of [`ByKey`], used for one lookup.
pub(in crate::eval) struct Reader<'a> {
    shared: Option<(&'a Shared, Ref<'a, GrowingIndexes<(Entry,)>>)>,
    /// The result of a lookup by all columns.
    one: OnceCell<(Entry,)>,
}

/// The write side of [`Whole`].
pub(in crate::eval) struct Writer<'a>(&'a mut Entries);

/// The write side of [`ByKey`]. It ignores writes, because that index is a view of the store.
pub(in crate::eval) struct View;

impl ToRelIndex<Entries> for Whole {
    type RelIndex<'a> = &'a Entries;
    type RelIndexWrite<'a> = Writer<'a>;

    #[inline]
    fn to_rel_index<'a>(&'a self, entries: &'a Entries) -> &'a Entries {
        entries
    }

    #[inline]
    fn to_rel_index_write<'a>(&'a mut self, entries: &'a mut Entries) -> Writer<'a> {
        Writer(entries)
    }
}

impl ToRelIndex<Entries> for ByKey {
    type RelIndex<'a> = Reader<'a>;
    type RelIndexWrite<'a> = View;

    #[inline]
    fn to_rel_index<'a>(&'a self, entries: &'a Entries) -> Reader<'a> {
        let shared = entries.shared.as_deref();
        Reader {
            shared: shared.map(|shared| (shared, shared.entries.borrow())),
            one: OnceCell::new(),
        }
    }

    #[inline]
    fn to_rel_index_write<'a>(&'a mut self, _: &'a mut Entries) -> View {
        View
    }
}

/// Each fact arrives once, so each of its entries is new.
impl RelFullIndexRead<'_> for Entries {
    type Key = (Path, Key, Entry);

    #[inline]
    fn contains_key(&self, _: &(Path, Key, Entry)) -> bool {
        false
    }
}

impl RelFullIndexWrite for Writer<'_> {
    type Key = (Path, Key, Entry);
    type Value = ();

    #[inline]
    fn insert_if_not_present(&mut self, &(path, key, entry): &(Path, Key, Entry), (): ()) -> bool {
        if let (Path::Index(index), Some(shared)) = (path, &self.0.shared) {
            shared
                .entries
                .borrow_mut()
                .append_cell(index as usize, key.columns, (entry,));
        }
        true
    }
}

/// The relation has no initial rows.
impl RelIndexWrite for Writer<'_> {
    type Key = (Path, Key, Entry);
    type Value = ();

    fn index_insert(&mut self, row: (Path, Key, Entry), (): ()) {
        self.insert_if_not_present(&row, ());
    }
}

impl RelIndexWrite for View {
    type Key = (Path, Key);
    type Value = (Entry,);

    #[inline]
    fn index_insert(&mut self, _: (Path, Key), _: (Entry,)) {}
}

impl RelIndexMerge for Writer<'_> {
    fn move_index_contents(_: &mut Self, _: &mut Self) {}

    fn merge_delta_to_total_new_to_delta(_: &mut Self, _: &mut Self, _: &mut Self) {}
}

impl RelIndexMerge for View {
    fn move_index_contents(_: &mut Self, _: &mut Self) {}

    fn merge_delta_to_total_new_to_delta(_: &mut Self, _: &mut Self, _: &mut Self) {}
}

impl<'a> RelIndexRead<'a> for Reader<'_> {
    type Key = (Path, Key);
    type Value = &'a (Entry,);
    type IteratorType = EntryIter<'a>;

    #[inline]
    fn index_get(&'a self, &(path, key): &(Path, Key)) -> Option<EntryIter<'a>> {
        let (shared, entries) = self.shared.as_ref()?;
        match path {
            Path::Index(index) => {
                let index = entries.get(index as usize);
                Some(EntryIter {
                    index: Some(index),
                    walk: index.walk_packed(key.columns)?,
                    rest: [].iter(),
                    until: key.until,
                })
            }
            Path::Whole(relation) => {
                let tables = &shared.state.borrow().model.tables;
                let fact = tables.rows[relation.index()].find_packed(&tables.domains, key.columns)?;
                let entry = Entry {
                    fact: FactId::new(fact),
                    ..Entry::default()
                };
                (entry.fact <= key.until).then(|| EntryIter {
                    index: None,
                    walk: Walk::default(),
                    rest: std::slice::from_ref(self.one.get_or_init(|| (entry,))).iter(),
                    until: key.until,
                })
            }
        }
    }

    fn len_estimate(&'a self) -> usize {
        1
    }
}

/// An iterator over the entries under one key, in order of arrival.
#[derive(Clone)]
pub(in crate::eval) struct EntryIter<'a> {
    index: Option<&'a GrowingIndex<(Entry,)>>,
    walk: Walk,
    rest: std::slice::Iter<'a, (Entry,)>,
    until: FactId,
}

impl<'a> Iterator for EntryIter<'a> {
    type Item = &'a (Entry,);

    #[inline]
    fn next(&mut self) -> Option<&'a (Entry,)> {
        loop {
            if let Some(entry) = self.rest.next() {
                return (entry.0.fact <= self.until).then_some(entry);
            }
            self.rest = self.index?.step_far(&mut self.walk)?.iter();
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, &'a (Entry,)) -> B>(mut self, start: B, mut f: F) -> B {
        let mut folded = start;
        loop {
            for entry in self.rest {
                if entry.0.fact > self.until {
                    return folded;
                }
                folded = f(folded, entry);
            }
            let chunk = self.index.and_then(|index| index.step_far(&mut self.walk));
            let Some(chunk) = chunk else { return folded };
            self.rest = chunk.iter();
        }
    }
}

macro_rules! rel_ind_common {
    ($($any:tt)*) => {
        $crate::eval::ascent::entries::Entries
    };
}
macro_rules! rel_full_ind {
    ($($any:tt)*) => {
        $crate::eval::ascent::entries::Whole
    };
}
macro_rules! rel_ind {
    ($($any:tt)*) => {
        $crate::eval::ascent::entries::ByKey
    };
}
pub(in crate::eval) use crate::eval::ascent::queue::{rel, rel_codegen};
pub(in crate::eval) use {rel_full_ind, rel_ind, rel_ind_common};
