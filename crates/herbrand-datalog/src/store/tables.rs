//! All tuples and indexes that plans look things up in.

use fxhash::FxHashMap;
use std::slice::ChunksExact;

use crate::store::access::{Lookup, Source, Status};
use crate::store::domain::{DomainId, Domains};
use crate::store::growing::{GrowingIndexes, Walk};
use crate::store::index::{Shape, StaticIndex};
use crate::store::key::{Probe, Trust};
use crate::store::rows::Rows;
use crate::{Atom, RelationId, Symbol, Term};

/// The tuples of all relations and the indexes that plans have asked for. Plans of one shape share an
/// index.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub domains: Domains,
    pub rows: Vec<Rows>,
    pub scans: Vec<StaticIndex>,
    /// The indexes of numbered facts; who evaluates fills them.
    pub walks: Vec<Wanted>,
    /// For each relation the indexes that want its facts.
    pub walks_of: Vec<Vec<usize>>,
    shapes: FxHashMap<Shape, usize>,
}

/// An index of numbered facts that plans walk along.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub shape: Shape,
    /// What was known of the relation when the index was asked for.
    pub status: Status,
}

impl Tables {
    pub(crate) fn new(domains: Domains, rows: Vec<Rows>) -> Self {
        let walks_of = vec![Vec::new(); rows.len()];
        Self {
            domains,
            rows,
            scans: Vec::new(),
            walks: Vec::new(),
            walks_of,
            shapes: FxHashMap::default(),
        }
    }

    pub(crate) fn column(&self, relation: RelationId, column: u32) -> DomainId {
        self.rows[relation.index()].columns()[column as usize]
    }

    /// The share of all tuples over its columns' domains that a relation holds now.
    pub(crate) fn density(&self, relation: RelationId) -> f64 {
        let rows = &self.rows[relation.index()];
        let all: f64 = rows
            .columns()
            .iter()
            .map(|column| f64::from(self.domains.size(*column)))
            .product();
        f64::from(rows.len()) / all.max(1.0)
    }

    /// A way to read an atom's tuple off a binding, to look it up.
    pub(crate) fn probe(&self, atom: &Atom, trust: Trust) -> Probe {
        let rows = &self.rows[atom.relation.index()];
        rows.key(&self.domains);
        rows.reader(&self.domains, &atom.terms, trust)
    }

    /// The index of a shape, and a way to read its key off a binding in which these terms stand for the
    /// key's columns. Indexes of static relations and of others are numbered apart.
    pub(crate) fn index(&mut self, shape: Shape, terms: Vec<Term>, status: Status) -> (usize, Probe) {
        let known = self.shapes.get(&shape).copied();
        let columns = self.rows[shape.relation.index()].columns();
        let layout = shape.layout(&self.domains, columns);
        let index = known.unwrap_or_else(|| self.add_index(shape, status));
        (index, layout.probe(&self.domains, terms, Trust::Domains))
    }

    fn add_index(&mut self, shape: Shape, status: Status) -> usize {
        let (relation, key) = (shape.relation.index(), shape.clone());
        let index = if status == Status::Static {
            let rows = &self.rows[relation];
            let scan = StaticIndex::build(shape, &self.domains, rows.columns(), rows.tuples());
            self.scans.push(scan);
            self.scans.len() - 1
        } else {
            self.walks_of[relation].push(self.walks.len());
            self.walks.push(Wanted { shape, status });
            self.walks.len() - 1
        };
        self.shapes.insert(key, index);
        index
    }

    /// Forgets all indexes.
    pub(crate) fn drop_indexes(&mut self) {
        *self = Self::new(std::mem::take(&mut self.domains), std::mem::take(&mut self.rows));
    }

    /// Bytes held by static indexes and domains.
    pub(crate) fn index_bytes(&self) -> u64 {
        index_bytes(&self.domains, &self.scans)
    }
}

/// The static relations alone: numbered facts are walked along elsewhere.
impl Source for Tables {
    type Walk = ();

    #[inline]
    fn domains(&self) -> &Domains {
        &self.domains
    }

    #[inline]
    fn scan(&self, index: usize) -> &StaticIndex {
        &self.scans[index]
    }

    fn walk(&self, _: usize, _: &Probe, _: &[Symbol]) -> Option<()> {
        None
    }

    fn step(&self, _: usize, (): &mut ()) -> Option<&[u32]> {
        None
    }

    fn step_far(&self, _: usize, (): &mut ()) -> Option<ChunksExact<'_, u32>> {
        None
    }
}

impl Lookup for Tables {
    #[inline]
    fn find(&self, relation: RelationId, probe: &Probe, symbols: &[Symbol]) -> Option<u32> {
        self.rows[relation.index()].find(&self.domains, probe, symbols)
    }
}

/// Bytes held by static indexes and domains.
pub(crate) fn index_bytes(domains: &Domains, scans: &[StaticIndex]) -> u64 {
    scans.iter().map(StaticIndex::bytes).sum::<u64>() + domains.bytes()
}

/// The indexes of an evaluation whose joins are our own.
pub(crate) struct Indexes<'t> {
    pub domains: &'t Domains,
    pub scans: &'t [StaticIndex],
    pub walks: &'t GrowingIndexes<u32>,
}

impl Indexes<'_> {
    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        index_bytes(self.domains, self.scans) + self.walks.bytes()
    }
}

impl Source for Indexes<'_> {
    type Walk = Walk;

    #[inline]
    fn domains(&self) -> &Domains {
        self.domains
    }

    #[inline]
    fn scan(&self, index: usize) -> &StaticIndex {
        &self.scans[index]
    }

    #[inline]
    fn walk(&self, index: usize, probe: &Probe, symbols: &[Symbol]) -> Option<Walk> {
        self.walks.get(index).walk(self.domains, probe, symbols)
    }

    #[inline]
    fn step(&self, index: usize, walk: &mut Walk) -> Option<&[u32]> {
        self.walks.get(index).step(walk)
    }

    #[inline]
    fn step_far(&self, index: usize, walk: &mut Walk) -> Option<ChunksExact<'_, u32>> {
        let index = self.walks.get(index);
        let entries = index.step_far(walk)?;
        Some(entries.chunks_exact(index.width() as usize))
    }
}
