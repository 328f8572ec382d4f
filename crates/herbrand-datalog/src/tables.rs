//! All tuples and indexes that plans look things up in.

use fxhash::FxHashMap;

use crate::domain::{DomainId, Domains};
use crate::index::{GrowingIndex, Shape, StaticIndex};
use crate::key::Probe;
use crate::plan::Status;
use crate::rows::Rows;
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
    pub(crate) fn probe(&self, atom: &Atom) -> Probe {
        let rows = &self.rows[atom.relation.index()];
        rows.key(&self.domains);
        rows.reader(&self.domains, &atom.terms)
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
        (index, directory.layout().probe(&self.domains, terms))
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
                    index.append(&self.domains, id.number(), tuple);
                }
            }
            self.walks.push(index);
            self.walks_of[relation.index()].push(self.walks.len() - 1);
            self.walks.len() - 1
        };
        self.shapes.insert(key, index);
        index
    }

    /// Puts a fact that has arrived into the indexes. False if one of them is full.
    pub(crate) fn arrive(&mut self, relation: RelationId, row: u32, fact: u32) -> bool {
        let tuple: &[Symbol] = self.rows[relation.index()].tuple(row);
        let walks = &mut self.walks;
        let domains = &self.domains;
        self.walks_of[relation.index()]
            .iter()
            .all(|&index| walks[index].append(domains, fact, tuple))
    }

    /// Bytes held by tuples and indexes.
    pub(crate) fn bytes(&self) -> u64 {
        self.rows.iter().map(Rows::bytes).sum::<u64>()
            + self.scans.iter().map(StaticIndex::bytes).sum::<u64>()
            + self.walks.iter().map(GrowingIndex::bytes).sum::<u64>()
            + self.domains.bytes()
    }
}
