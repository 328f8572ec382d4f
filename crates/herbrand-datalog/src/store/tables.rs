//! All tuples and indexes that plans look things up in.

use fxhash::FxHashMap;
use std::slice::ChunksExact;

use crate::eval::join::Source;
use crate::plan::Status;
use crate::store::domain::{DomainId, Domains};
use crate::store::index::{GrowingIndex, Shape, StaticIndex, Walk};
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
    pub walks: Vec<GrowingIndex>,
    /// For each relation the growing indexes that want its facts.
    pub walks_of: Vec<Vec<usize>>,
    /// Whether an index has no room for a fact: then some would be lost.
    pub full: bool,
    shapes: FxHashMap<Shape, usize>,
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
            full: false,
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
        let index = known.unwrap_or_else(|| self.add_index(shape, status));
        let directory = match status {
            Status::Static => &self.scans[index].directory,
            Status::Finished | Status::Open => &self.walks[index].directory,
        };
        (
            index,
            directory.layout().probe(&self.domains, terms, Trust::Domains),
        )
    }

    fn add_index(&mut self, shape: Shape, status: Status) -> usize {
        let rows = &self.rows[shape.relation.index()];
        let (relation, key) = (shape.relation, shape.clone());
        let index = if status == Status::Static {
            self.scans.push(StaticIndex::build(
                shape,
                &self.domains,
                rows.columns(),
                rows.tuples(),
            ));
            self.scans.len() - 1
        } else {
            let mut index = GrowingIndex::new(shape, &self.domains, rows.columns());
            if status == Status::Finished {
                for (id, tuple) in rows.ids().iter().zip(rows.tuples()) {
                    self.full |= !index.append(&self.domains, id.number(), tuple);
                }
            }
            self.walks.push(index);
            self.walks_of[relation.index()].push(self.walks.len() - 1);
            self.walks.len() - 1
        };
        self.shapes.insert(key, index);
        index
    }

    /// Puts a fact that has arrived into the indexes.
    #[inline]
    pub(crate) fn arrive(&mut self, relation: RelationId, row: u32, fact: u32) {
        let tuple = self.rows[relation.index()].tuple(row);
        for &index in &self.walks_of[relation.index()] {
            self.full |= !self.walks[index].append(&self.domains, fact, tuple);
        }
    }

    /// Forgets all indexes.
    pub(crate) fn drop_indexes(&mut self) {
        *self = Self::new(std::mem::take(&mut self.domains), std::mem::take(&mut self.rows));
    }

    /// Bytes held by indexes and domains.
    pub(crate) fn index_bytes(&self) -> u64 {
        Indexes {
            domains: &self.domains,
            scans: &self.scans,
            walks: &self.walks,
        }
        .bytes()
    }
}

/// The indexes of an evaluation.
pub(crate) struct Indexes<'t> {
    pub domains: &'t Domains,
    pub scans: &'t [StaticIndex],
    pub walks: &'t [GrowingIndex],
}

impl Indexes<'_> {
    /// Bytes held.
    pub(crate) fn bytes(&self) -> u64 {
        let scans: u64 = self.scans.iter().map(StaticIndex::bytes).sum();
        let walks: u64 = self.walks.iter().map(GrowingIndex::bytes).sum();
        scans + walks + self.domains.bytes()
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
        self.walks[index].walk(self.domains, probe, symbols)
    }

    #[inline]
    fn step(&self, index: usize, walk: &mut Walk) -> Option<&[u32]> {
        self.walks[index].step(walk)
    }

    #[inline]
    fn step_far(&self, index: usize, walk: &mut Walk) -> Option<ChunksExact<'_, u32>> {
        self.walks[index].step_far(walk)
    }
}
