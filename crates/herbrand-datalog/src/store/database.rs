//! A store of facts that come and go, with the indexes that prepared queries need.

use std::slice::ChunksExact;
use std::sync::Arc;

use crate::eval::query::Prepared;
use crate::store::access::{Lookup, Source};
use crate::store::domain::Domains;
use crate::store::index::{Shape, StaticIndex};
use crate::store::key::{KeyTable, Probe};
use crate::{RelationId, Symbol};

/// Facts of the non-static relations of a program, to be asked by [`Query`](crate::Query).
///
/// Made by [`Queries::database`](crate::Queries::database), empty. A fact is added or removed in time
/// proportional to the number of indexes of its relation, without allocation once the store has held as
/// many facts before. The order in which a query finds bindings depends on what was added and removed
/// before.
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
    /// From tuple to slot.
    slots: KeyTable,
    tuple: Probe,
    arity: usize,
    used: u32,
    free: Vec<u32>,
    /// The numbers of the relation's indexes.
    indexes: Vec<usize>,
}

/// The facts of one relation by the symbols of some columns.
#[derive(Clone, Debug)]
struct Index {
    shape: Shape,
    directory: KeyTable,
    key: Probe,
    /// For each key the entries: a slot, then the symbols of the free columns.
    buckets: Vec<Vec<u32>>,
    /// For each slot where its entry begins in its bucket.
    places: Vec<u32>,
}

/// The bytes that an entry of a table takes while that grows: it is a third full then and may be direct-addressed, and its
/// old place is half as large.
const ENTRY: u64 = 80;
/// The bytes of a number by slot, in a list that grows.
const SLOT: u64 = 3 * 4;
/// The bytes of a bucket, in a list that grows.
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

    /// The bytes that facts take, of the most that were held at once, with room for the moment in which a table has
    /// its old place beside its new one.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds a fact; whether it is new. Facts of static relations, and such as do not fit the program, are
    /// not added.
    pub fn insert(&mut self, relation: RelationId, tuple: &[Symbol]) -> bool {
        self.insert_slot(relation, tuple).is_some()
    }

    /// Adds a fact; its slot if it is new.
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

    /// Removes a fact; whether it was there.
    pub fn remove(&mut self, relation: RelationId, tuple: &[Symbol]) -> bool {
        let domains = &self.prepared.tables.domains;
        let Some(stored) = fitting(&mut self.relations, relation, tuple) else {
            return false;
        };
        let Some(slot) = stored.slots.remove(domains, &stored.tuple, tuple) else {
            return false;
        };
        stored.free.push(slot);
        for &index in &stored.indexes {
            self.indexes[index].remove(domains, slot, tuple);
        }
        true
    }

    /// Whether a fact is there, of a static relation too.
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

    /// The slot of a fact of a non-static relation, if it is there.
    pub(crate) fn slot(&self, relation: RelationId, tuple: &[Symbol]) -> Option<u32> {
        let stored = self.relations.get(relation.index())?;
        let fits = stored.fluent && tuple.len() == stored.arity;
        fits.then(|| {
            stored
                .slots
                .find(&self.prepared.tables.domains, &stored.tuple, tuple)
        })?
    }

    /// The number of facts of the non-static relations.
    pub fn len(&self) -> usize {
        self.relations
            .iter()
            .map(|stored| stored.used as usize - stored.free.len())
            .sum()
    }

    /// Whether there are no facts of non-static relations.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all facts.
    pub fn clear(&mut self) {
        *self = Self::new(self.prepared.clone());
    }
}

/// The store of a non-static relation, if the tuple has its arity.
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

    /// Adds an entry; the bytes that the index grows by.
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

    /// Takes an entry out and puts the last one of its bucket in its place.
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

/// A walk along a bucket of a database.
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
