//! A mutable set of facts with the indexes that prepared queries need.

use std::slice::ChunksExact;
use std::sync::Arc;

use crate::eval::query::Prepared;
use crate::program::ids::{RelationId, Symbol};
use crate::store::access::{Lookup, Source};
use crate::store::domain::Domains;
use crate::store::index::{Shape, StaticIndex};
use crate::store::key::{KeyTable, Probe};

/// The current facts of the non-static relations of a program, to be queried by a [`Query`](crate::Query). It is the
/// database of a search or simulation that moves between states.
///
/// [`Queries::database`](crate::Queries::database) creates an empty one;
/// [`View::database`](crate::View::database) returns that of a view. Rules are not applied: the facts of derived
/// relations must be inserted too. Insertion and removal take time proportional to the number of the relation's
/// indexes. They do not allocate as long as the database is not larger than before. The order of a query's bindings
/// depends on the history of insertions and removals.
#[derive(Clone, Debug)]
pub struct Database {
    pub(crate) prepared: Arc<Prepared>,
    relations: Vec<Stored>,
    indexes: Vec<Index>,
    bytes: u64,
}

/// The facts of one relation.
#[derive(Clone, Debug)]
struct Stored {
    fluent: bool,
    /// A map from tuples to slots.
    slots: KeyTable,
    tuple: Probe,
    arity: usize,
    used: u32,
    free: Vec<u32>,
    /// The numbers of the relation's indexes.
    indexes: Vec<usize>,
}

/// An index of the facts of one relation by the symbols of some columns.
#[derive(Clone, Debug)]
struct Index {
    shape: Shape,
    directory: KeyTable,
    key: Probe,
    /// For each key, the entries: a slot, then the symbols of the free columns.
    buckets: Vec<Vec<u32>>,
    /// For each slot, the position of its entry in its bucket.
    places: Vec<u32>,
}

/// The bytes per entry of a growing table, in the worst case: the table is a third full, may be direct-addressed, and its
/// old allocation of half the size still exists.
const ENTRY: u64 = 80;
/// The bytes per slot of a growing list of numbers.
const SLOT: u64 = 3 * 4;
/// The bytes per bucket in a growing list.
const BUCKET: u64 = 3 * size_of::<Vec<u32>>() as u64;

impl Database {
    pub(crate) fn new(prepared: Arc<Prepared>) -> Self {
        let tables = &prepared.tables;
        let mut relations: Vec<Stored> = tables
            .rows
            .iter()
            .map(|rows| Stored {
                fluent: rows.is_fluent(),
                slots: rows.empty_key(),
                tuple: rows.tuple_probe().clone(),
                arity: rows.columns().len(),
                used: 0,
                free: Vec::new(),
                indexes: Vec::new(),
            })
            .collect();
        let mut indexes = Vec::new();
        for walk in &tables.walks {
            let relation = walk.shape.relation.index();
            let columns = tables.rows[relation].columns();
            relations[relation].indexes.push(indexes.len());
            indexes.push(Index::new(walk.shape.clone(), &tables.domains, columns));
        }
        Self {
            prepared,
            relations,
            indexes,
            bytes: 0,
        }
    }

    /// Returns an upper bound of the memory that the facts use, in bytes. It counts the greatest number of facts so far, and
    /// allows for the moment in which a growing table exists twice. It does not shrink when facts are removed, except by
    /// [`clear`](Self::clear).
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds a fact. Returns `true` if it is new, and `false` if it is already in the database, if its relation is
    /// static, or if it does not fit the program: a wrong number of symbols, or an unknown relation or symbol. Nothing
    /// changes then.
    pub fn insert(&mut self, relation: RelationId, tuple: &[Symbol]) -> bool {
        self.insert_slot(relation, tuple).is_some()
    }

    /// Adds a fact; returns its slot if it is new.
    pub(crate) fn insert_slot(&mut self, relation: RelationId, tuple: &[Symbol]) -> Option<u32> {
        let domains = &self.prepared.tables.domains;
        let stored = fitting(&mut self.relations, relation, tuple)?;
        let slot = stored.free.last().copied().unwrap_or(stored.used);
        if stored.slots.find_or_insert(domains, &stored.tuple, tuple, slot) != Some(slot) {
            return None;
        }
        if stored.free.pop().is_none() {
            stored.used += 1;
            self.bytes += ENTRY + SLOT;
        }
        for &index in &stored.indexes {
            self.bytes += self.indexes[index].insert(domains, slot, tuple);
        }
        Some(slot)
    }

    /// Removes a fact. Returns whether it was in the database. `false` also if its relation is static or if it does not
    /// fit the program; nothing changes then.
    pub fn remove(&mut self, relation: RelationId, tuple: &[Symbol]) -> bool {
        self.remove_if(relation, tuple, |_| true).is_some()
    }

    /// Removes a fact if `wanted` says so for its slot. Returns whether it was removed; `None` if it is not there.
    #[inline]
    pub(crate) fn remove_if(
        &mut self,
        relation: RelationId,
        tuple: &[Symbol],
        wanted: impl FnOnce(u32) -> bool,
    ) -> Option<bool> {
        let domains = &self.prepared.tables.domains;
        let stored = fitting(&mut self.relations, relation, tuple)?;
        let number = stored.slots.number(domains, &stored.tuple, tuple)?;
        let slot = stored.slots.find_packed(number)?;
        if !wanted(slot) {
            return Some(false);
        }
        stored.slots.remove_packed(number);
        stored.free.push(slot);
        for &index in &stored.indexes {
            self.indexes[index].remove(domains, slot, tuple);
        }
        Some(true)
    }

    /// Returns whether a fact is in the database. Its relation may be static. `false` if it has the wrong number of
    /// symbols, or if there is no such relation.
    pub fn contains(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        let tables = &self.prepared.tables;
        match self.relations.get(relation.index()) {
            Some(stored) if !stored.fluent => tables.rows[relation.index()]
                .find_tuple(&tables.domains, tuple)
                .is_some(),
            Some(stored) => {
                tuple.len() == stored.arity
                    && stored.slots.find(&tables.domains, &stored.tuple, tuple).is_some()
            }
            None => false,
        }
    }

    /// Returns whether a tuple has as many symbols as a relation that is not static. `false` for a static or unknown
    /// relation. The symbols themselves are not checked.
    pub fn fits(&self, relation: RelationId, tuple: &[Symbol]) -> bool {
        let stored = self.relations.get(relation.index());
        stored.is_some_and(|stored| stored.fluent && stored.arity == tuple.len())
    }

    /// Returns the slot of a fact of a non-static relation; `None` if it is not there.
    pub(crate) fn slot(&self, relation: RelationId, tuple: &[Symbol]) -> Option<u32> {
        let stored = self.relations.get(relation.index())?;
        let fits = stored.fluent && tuple.len() == stored.arity;
        fits.then(|| {
            stored
                .slots
                .find(&self.prepared.tables.domains, &stored.tuple, tuple)
        })?
    }

    /// Returns the bucket of an index under the key that the probe reads from the symbols.
    #[inline]
    pub(crate) fn bucket(&self, index: usize, probe: &Probe, symbols: &[Symbol]) -> Option<u32> {
        self.indexes[index].directory.find(self.domains(), probe, symbols)
    }

    /// Returns the entries of a bucket, and their width: each is a slot, then the symbols of the free columns.
    #[inline]
    pub(crate) fn entries(&self, index: usize, bucket: u32) -> (&[u32], usize) {
        let index = &self.indexes[index];
        (&index.buckets[bucket as usize], index.width())
    }

    /// Returns the symbols of the free columns of the fact in a slot, which is in this bucket.
    #[inline]
    pub(crate) fn free(&self, index: usize, bucket: u32, slot: u32) -> &[u32] {
        let index = &self.indexes[index];
        let place = index.places[slot as usize] as usize;
        &index.buckets[bucket as usize][place + 1..place + index.width()]
    }

    /// Returns the number of facts of non-static relations in the database. Static facts are not counted.
    pub fn len(&self) -> usize {
        self.relations
            .iter()
            .map(|stored| stored.used as usize - stored.free.len())
            .sum()
    }

    /// Returns whether the database contains no fact of a non-static relation.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all facts of non-static relations and frees their memory. The queries that the database knows remain,
    /// and so do the static facts.
    pub fn clear(&mut self) {
        *self = Self::new(self.prepared.clone());
    }
}

/// Returns the store of a non-static relation if the tuple has its arity.
fn fitting<'s>(
    relations: &'s mut [Stored],
    relation: RelationId,
    tuple: &[Symbol],
) -> Option<&'s mut Stored> {
    let stored = relations.get_mut(relation.index())?;
    (stored.fluent && stored.arity == tuple.len()).then_some(stored)
}

impl Index {
    fn new(shape: Shape, domains: &Domains, columns: &[crate::store::domain::DomainId]) -> Self {
        let (directory, key) = shape.directory(domains, columns);
        Self {
            shape,
            directory,
            key,
            buckets: Vec::new(),
            places: Vec::new(),
        }
    }

    fn width(&self) -> usize {
        1 + self.shape.free.len()
    }

    /// Adds an entry; returns the bytes by which the index grew.
    #[inline]
    fn insert(&mut self, domains: &Domains, slot: u32, tuple: &[Symbol]) -> u64 {
        let mut bytes = 0;
        if !self.shape.holds(domains, tuple) {
            return bytes;
        }
        let new = self.buckets.len() as u32;
        let Some(bucket) = self.directory.find_or_insert(domains, &self.key, tuple, new) else {
            return bytes;
        };
        if bucket == new {
            self.buckets.push(Vec::new());
            bytes += ENTRY + BUCKET;
        }
        let places = self.places.len();
        if places <= slot as usize {
            self.places.resize(slot as usize + 1, 0);
            bytes += SLOT * (self.places.len() - places) as u64;
        }
        let bucket = &mut self.buckets[bucket as usize];
        let room = bucket.capacity();
        self.places[slot as usize] = bucket.len() as u32;
        bucket.push(slot);
        bucket.extend(
            self.shape
                .free
                .iter()
                .map(|column| tuple[*column as usize].number()),
        );
        bytes + 6 * (bucket.capacity() - room) as u64
    }

    /// Removes an entry and moves the last entry of its bucket to its position.
    #[inline]
    fn remove(&mut self, domains: &Domains, slot: u32, tuple: &[Symbol]) {
        if !self.shape.holds(domains, tuple) {
            return;
        }
        let width = self.width();
        let Some(bucket) = self.directory.find(domains, &self.key, tuple) else {
            return;
        };
        let bucket = &mut self.buckets[bucket as usize];
        let (place, last) = (self.places[slot as usize] as usize, bucket.len() - width);
        self.places[bucket[last] as usize] = place as u32;
        bucket.copy_within(last.., place);
        bucket.truncate(last);
    }
}

/// The position in a bucket of a database.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BucketWalk {
    bucket: u32,
    at: u32,
}

impl Source for Database {
    type Walk = BucketWalk;

    #[inline]
    fn domains(&self) -> &Domains {
        &self.prepared.tables.domains
    }

    #[inline]
    fn scan(&self, index: usize) -> &StaticIndex {
        &self.prepared.tables.scans[index]
    }

    #[inline]
    fn walk(&self, index: usize, probe: &Probe, symbols: &[Symbol]) -> Option<BucketWalk> {
        let bucket = self.indexes[index]
            .directory
            .find(self.domains(), probe, symbols)?;
        Some(BucketWalk { bucket, at: 0 })
    }

    #[inline]
    fn step(&self, index: usize, walk: &mut BucketWalk) -> Option<&[u32]> {
        let index = &self.indexes[index];
        let start = walk.at as usize;
        walk.at += index.width() as u32;
        index.buckets[walk.bucket as usize].get(start..walk.at as usize)
    }

    #[inline]
    fn step_far(&self, index: usize, walk: &mut BucketWalk) -> Option<ChunksExact<'_, u32>> {
        let index = &self.indexes[index];
        let rest = index.buckets[walk.bucket as usize].get(walk.at as usize..)?;
        walk.at += rest.len() as u32;
        (!rest.is_empty()).then(|| rest.chunks_exact(index.width()))
    }
}

impl Lookup for &Database {
    #[inline]
    fn find(&self, relation: RelationId, probe: &Probe, symbols: &[Symbol]) -> Option<u32> {
        let (stored, tables) = (&self.relations[relation.index()], &self.prepared.tables);
        if stored.fluent {
            stored.slots.find(&tables.domains, probe, symbols)
        } else {
            tables.rows[relation.index()].find(&tables.domains, probe, symbols)
        }
    }
}
