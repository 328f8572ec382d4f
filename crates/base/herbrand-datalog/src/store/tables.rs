//! The tuples and indexes that plans read.

use fxhash::FxHashMap;
use std::slice::ChunksExact;

use crate::program::ids::{RelationId, Symbol};
use crate::program::{Atom, Term};
use crate::store::access::{Lookup, Source, Status};
use crate::store::domain::{DomainId, Domains};
use crate::store::index::{Shape, StaticIndex};
use crate::store::key::{Probe, Trust};
use crate::store::rows::Rows;

/// The tuples of all relations, and the indexes that plans have requested. Plans that request the same shape share an index.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub domains: Domains,
    pub rows: Vec<Rows>,
    pub scans: Vec<StaticIndex>,
    /// The definitions of the indexes of numbered facts. The evaluator keeps and fills the indexes themselves.
    pub walks: Vec<IndexRequest>,
    /// For each relation, the numbers of its indexes in `walks`.
    pub walks_of: Vec<Vec<usize>>,
    shapes: FxHashMap<Shape, usize>,
}

/// The definition of an index of numbered facts.
#[derive(Clone, Debug)]
pub(crate) struct IndexRequest {
    pub shape: Shape,
    /// The status of the relation when the index was requested.
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

    /// Returns the current number of tuples of a relation divided by the number of possible tuples over its columns'
    /// domains.
    pub(crate) fn density(&self, relation: RelationId) -> f64 {
        let rows = &self.rows[relation.index()];
        let all: f64 = rows
            .columns()
            .iter()
            .map(|column| f64::from(self.domains.size(*column)))
            .product();
        f64::from(rows.len()) / all.max(1.0)
    }

    /// Returns a probe that looks up an atom's tuple by a binding.
    pub(crate) fn probe(&self, atom: &Atom, trust: Trust) -> Probe {
        let rows = &self.rows[atom.relation.index()];
        rows.key(&self.domains);
        rows.reader(&self.domains, &atom.terms, trust)
    }

    /// Returns the index of a shape, adding it if necessary, and a probe that reads its key from a binding. `terms` are the
    /// terms of the key's columns. Static and growing indexes are numbered separately.
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
            self.walks.push(IndexRequest { shape, status });
            self.walks.len() - 1
        };
        self.shapes.insert(key, index);
        index
    }

    /// Drops all indexes.
    pub(crate) fn drop_indexes(&mut self) {
        *self = Self::new(std::mem::take(&mut self.domains), std::mem::take(&mut self.rows));
    }

    /// Returns the bytes of static indexes and domains.
    pub(crate) fn index_bytes(&self) -> u64 {
        index_bytes(&self.domains, &self.scans)
    }
}

/// A source of static relations only; its walks over numbered facts are empty.
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

/// Returns the bytes of static indexes and domains.
pub(crate) fn index_bytes(domains: &Domains, scans: &[StaticIndex]) -> u64 {
    scans.iter().map(StaticIndex::bytes).sum::<u64>() + domains.bytes()
}
