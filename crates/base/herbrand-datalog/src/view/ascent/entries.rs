//! The relation `entry`: the facts that a view keeps, by index and key.

use ascent::internal::{RelIndexMerge, RelIndexRead, RelIndexWrite, ToRelIndex};
use std::cell::Ref;
use std::marker::PhantomData;

use super::Update;
use crate::view::ViewState;

/// The facts under one key of an index of the database.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Bucket {
    pub index: u32,
    pub bucket: u32,
}

/// The relation. Its facts are kept in the database of the view; no rule adds any.
#[derive(Default)]
pub(crate) struct Entries<'a> {
    update: Option<&'a Update<'a>>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(update: &'a Update<'a>) -> Self {
        Self { update: Some(update) }
    }
}

impl RelIndexMerge for Entries<'_> {
    fn move_index_contents(_: &mut Self, _: &mut Self) {}

    fn merge_delta_to_total_new_to_delta(_: &mut Self, _: &mut Self, _: &mut Self) {}
}

/// The index over all columns, which no rule uses.
#[derive(Default)]
pub(crate) struct Whole;

/// The index by bucket.
#[derive(Default)]
pub(crate) struct ByBucket;

/// The read side of [`ByBucket`], used for one lookup.
pub(crate) struct Reader<'a, 's>(Option<Ref<'a, &'s mut ViewState>>);

/// The write side of an index. It ignores writes.
pub(crate) struct Writer<K, V>(PhantomData<(K, V)>);

impl<'s> ToRelIndex<Entries<'s>> for ByBucket {
    type RelIndex<'a>
        = Reader<'a, 's>
    where
        Entries<'s>: 'a;
    type RelIndexWrite<'a>
        = Writer<(Bucket,), (u32,)>
    where
        Entries<'s>: 'a;

    #[inline]
    fn to_rel_index<'a>(&'a self, entries: &'a Entries<'s>) -> Reader<'a, 's> {
        Reader(entries.update.map(|update| update.kept.borrow()))
    }

    #[inline]
    fn to_rel_index_write<'a>(&'a mut self, _: &'a mut Entries<'s>) -> Writer<(Bucket,), (u32,)> {
        Writer(PhantomData)
    }
}

impl<'s> ToRelIndex<Entries<'s>> for Whole {
    type RelIndex<'a>
        = ()
    where
        Entries<'s>: 'a;
    type RelIndexWrite<'a>
        = Writer<(Bucket, u32), ()>
    where
        Entries<'s>: 'a;

    fn to_rel_index<'a>(&'a self, _: &'a Entries<'s>) {}

    fn to_rel_index_write<'a>(&'a mut self, _: &'a mut Entries<'s>) -> Writer<(Bucket, u32), ()> {
        Writer(PhantomData)
    }
}

impl<K, V> RelIndexWrite for Writer<K, V> {
    type Key = K;
    type Value = V;

    fn index_insert(&mut self, _: K, _: V) {}
}

impl<'a> RelIndexRead<'a> for Reader<'_, '_> {
    type Key = (Bucket,);
    type Value = (&'a u32,);
    type IteratorType = Slots<'a>;

    #[inline]
    fn index_get(&'a self, &(Bucket { index, bucket },): &(Bucket,)) -> Option<Slots<'a>> {
        let kept = self.0.as_ref()?;
        let (entries, width) = kept.database.entries(index as usize, bucket);
        Some(Slots { entries, width })
    }

    fn len_estimate(&'a self) -> usize {
        1
    }
}

/// An iterator over the slots of the facts in a bucket.
#[derive(Clone)]
pub(crate) struct Slots<'a> {
    entries: &'a [u32],
    width: usize,
}

impl<'a> Iterator for Slots<'a> {
    type Item = (&'a u32,);

    #[inline]
    fn next(&mut self) -> Option<(&'a u32,)> {
        let slot = self.entries.first()?;
        self.entries = self.entries.get(self.width..).unwrap_or(&[]);
        Some((slot,))
    }
}

macro_rules! rel_ind_common {
    ($($any:tt)*) => {
        $crate::view::ascent::entries::Entries<'a>
    };
}
macro_rules! rel_full_ind {
    ($($any:tt)*) => {
        $crate::view::ascent::entries::Whole
    };
}
macro_rules! rel_ind {
    ($($any:tt)*) => {
        $crate::view::ascent::entries::ByBucket
    };
}
pub(crate) use crate::eval::ascent::queue::{rel, rel_codegen};
pub(crate) use {rel_full_ind, rel_ind, rel_ind_common};
