//! The tuples of one relation.

use std::sync::OnceLock;

use crate::program::ids::{FactId, RelationId, Symbol, Variable};
use crate::program::{Atom, Term};
use crate::store::domain::{DomainId, Domains};
use crate::store::key::{KeyTable, Layout, Probe, Trust};

/// The tuples of one relation in order of discovery, and a map from tuples to numbers.
///
/// If tuples are known to be unique, the map is only made by the first lookup.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    fluent: bool,
    columns: Vec<DomainId>,
    layout: Layout,
    probe: Probe,
    len: u32,
    symbols: Vec<Symbol>,
    /// The id of each row's fact; empty for a static relation.
    ids: Vec<FactId>,
    /// A map from tuples to fact ids, or to rows for a static relation.
    key: OnceLock<KeyTable>,
}

impl Rows {
    /// Creates an empty relation with columns of these domains. If `unique`, tuples are known never to be added twice, and
    /// the map is made later.
    pub(crate) fn new(domains: &Domains, columns: Vec<DomainId>, fluent: bool, unique: bool) -> Self {
        let layout = Layout::new(domains, columns.iter().copied());
        let places = (0..columns.len() as u32).map(|column| Term::Variable(Variable::new(column)));
        let probe = layout.probe(domains, places, Trust::Nothing);
        let key = if unique {
            OnceLock::new()
        } else {
            KeyTable::new(&layout).into()
        };
        Self {
            fluent,
            columns,
            layout,
            probe,
            len: 0,
            symbols: Vec::new(),
            ids: Vec::new(),
            key,
        }
    }

    pub(crate) fn is_fluent(&self) -> bool {
        self.fluent
    }

    /// Returns an empty map from tuples to numbers.
    pub(crate) fn empty_key(&self) -> KeyTable {
        KeyTable::new(&self.layout)
    }

    /// Returns the probe that reads the key from a tuple.
    pub(crate) fn tuple_probe(&self) -> &Probe {
        &self.probe
    }

    pub(crate) fn columns(&self) -> &[DomainId] {
        &self.columns
    }

    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    pub(crate) fn ids(&self) -> &[FactId] {
        &self.ids
    }

    #[inline]
    pub(crate) fn tuple(&self, row: u32) -> &[Symbol] {
        let arity = self.columns.len();
        &self.symbols[row as usize * arity..][..arity]
    }

    pub(crate) fn tuples(&self) -> impl ExactSizeIterator<Item = &[Symbol]> + Clone {
        (0..self.len).map(|row| self.tuple(row))
    }

    /// Returns the probe that reads a tuple from a list of symbols, by these terms.
    pub(crate) fn reader(&self, domains: &Domains, terms: &[Term], trust: Trust) -> Probe {
        self.layout.probe(domains, terms.iter().copied(), trust)
    }

    /// Returns the map from tuples to numbers, after making it if necessary.
    #[inline]
    pub(crate) fn key(&self, domains: &Domains) -> &KeyTable {
        self.key.get_or_init(|| {
            let mut key = KeyTable::new(&self.layout);
            for (row, tuple) in (0..).zip(self.tuples()) {
                let value = self.ids.get(row as usize).map_or(row, |id| id.number());
                key.find_or_insert(domains, &self.probe, tuple, value);
            }
            key
        })
    }

    /// Returns the fact id, or the row for a static relation, of the tuple that the reader reads from the symbols.
    #[inline]
    pub(crate) fn find(&self, domains: &Domains, reader: &Probe, symbols: &[Symbol]) -> Option<u32> {
        self.key(domains).find(domains, reader, symbols)
    }

    /// Like [`find`](Self::find), for a packed tuple.
    #[inline]
    pub(crate) fn find_packed(&self, domains: &Domains, key: u64) -> Option<u32> {
        self.key(domains).find_packed(key)
    }

    /// Like [`find`](Self::find), for a tuple.
    pub(crate) fn find_tuple(&self, domains: &Domains, tuple: &[Symbol]) -> Option<u32> {
        (tuple.len() == self.columns.len()).then(|| self.find(domains, &self.probe, tuple))?
    }

    /// Adds a tuple of known symbols unless it exists. `next` is the id of a new fact. Returns the fact's id, or the row for
    /// a static relation.
    pub(crate) fn insert_tuple(&mut self, domains: &Domains, tuple: &[Symbol], next: FactId) -> u32 {
        let value = if self.fluent { next.number() } else { self.len };
        if let Some(key) = self.key.get_mut() {
            let found = key.find_or_insert(domains, &self.probe, tuple, value);
            if found.is_some_and(|found| found != value) {
                return found.unwrap_or(value);
            }
        }
        self.symbols.extend_from_slice(tuple);
        self.push(next);
        value
    }

    /// Returns the id of the instance of a head under a binding; `None` if it does not exist, or if the relation has no map.
    #[inline(always)]
    pub(crate) fn find_head(&self, domains: &Domains, head: &Head, binding: &[Symbol]) -> Option<FactId> {
        self.key
            .get()?
            .find(domains, &head.reader, binding)
            .map(FactId::new)
    }

    /// Adds the instance of a head under a binding, which must not exist.
    pub(crate) fn add_head(&mut self, domains: &Domains, head: &Head, binding: &[Symbol], next: FactId) {
        if let Some(key) = self.key.get_mut() {
            key.find_or_insert(domains, &head.reader, binding, next.number());
        }
        self.symbols.extend(head.terms.iter().map(|term| match *term {
            Term::Variable(variable) => binding[variable.index()],
            Term::Constant(symbol) => symbol,
        }));
        self.push(next);
    }

    #[inline]
    fn push(&mut self, next: FactId) {
        self.len += 1;
        if self.fluent {
            self.ids.push(next);
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let key = self.key.get().map_or(0, KeyTable::bytes);
        key + 4 * (self.symbols.capacity() + self.ids.capacity()) as u64
    }
}

/// A compiled head of a rule.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub relation: RelationId,
    pub terms: Vec<Term>,
    pub reader: Probe,
}

impl Head {
    pub(crate) fn new(rows: &Rows, domains: &Domains, atom: Atom) -> Self {
        Self {
            relation: atom.relation,
            reader: rows.reader(domains, &atom.terms, Trust::Domains),
            terms: atom.terms,
        }
    }
}
