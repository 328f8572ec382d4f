//! Indexes: the tuples of a relation by the symbols of some of its columns.

use crate::store::domain::{DomainId, Domains};
use crate::store::key::{KeyTable, Layout, Probe, Trust};
use crate::{RelationId, Symbol, Term, Variable};

/// Which tuples an index holds, and how.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    /// The relation.
    pub relation: RelationId,
    /// The columns that make the key.
    pub key: Vec<u32>,
    /// The columns that an entry spells out.
    pub free: Vec<u32>,
    /// Only tuples whose symbol in the column is in the domain.
    pub filters: Vec<(u32, DomainId)>,
    /// Only tuples with one symbol in both columns.
    pub same: Vec<(u32, u32)>,
}

impl Shape {
    /// Whether the index holds a tuple.
    #[inline]
    pub(crate) fn holds(&self, domains: &Domains, tuple: &[Symbol]) -> bool {
        self.filters
            .iter()
            .all(|(column, domain)| domains.contains(*domain, tuple[*column as usize]))
            && self
                .same
                .iter()
                .all(|(one, other)| tuple[*one as usize] == tuple[*other as usize])
    }

    /// How the keys of the index are packed. `columns` are the domains of the relation's columns.
    pub(crate) fn layout(&self, domains: &Domains, columns: &[DomainId]) -> Layout {
        Layout::new(domains, self.key.iter().map(|column| columns[*column as usize]))
    }

    /// A directory of keys, and how to read one off a tuple. `columns` are the domains of the relation's
    /// columns.
    pub(crate) fn directory(&self, domains: &Domains, columns: &[DomainId]) -> (KeyTable, Probe) {
        let layout = self.layout(domains, columns);
        let places = self
            .key
            .iter()
            .map(|column| Term::Variable(Variable::new(*column)));
        let probe = layout.probe(domains, places, Trust::Domains);
        (KeyTable::new(&layout), probe)
    }
}

/// An index of a finished relation: the entries of each bucket are contiguous.
#[derive(Clone, Debug)]
pub(crate) struct StaticIndex {
    shape: Shape,
    pub(crate) directory: KeyTable,
    /// Where each bucket begins, counted in entries, and where the last one ends.
    starts: Vec<u32>,
    /// For each entry the symbols of the free columns.
    entries: Vec<Symbol>,
}

impl StaticIndex {
    /// Indexes some tuples.
    pub(crate) fn build<'t>(
        shape: Shape,
        domains: &Domains,
        columns: &[DomainId],
        tuples: impl Iterator<Item = &'t [Symbol]> + Clone,
    ) -> Self {
        let (mut directory, probe) = shape.directory(domains, columns);
        let mut sizes: Vec<u32> = Vec::new();
        let held = tuples.filter(|tuple| shape.holds(domains, tuple));
        let mut buckets = Vec::new();
        for tuple in held.clone() {
            let bucket = directory
                .find_or_insert(domains, &probe, tuple, sizes.len() as u32)
                .unwrap_or(0);
            if bucket as usize == sizes.len() {
                sizes.push(0);
            }
            sizes[bucket as usize] += 1;
            buckets.push(bucket);
        }
        let mut starts = Vec::with_capacity(sizes.len() + 1);
        let end = sizes.iter().fold(0, |start, size| {
            starts.push(start);
            start + size
        });
        starts.push(end);
        let width = shape.free.len();
        let mut entries = vec![Symbol::new(0); buckets.len() * width];
        let mut places = starts.clone();
        for (tuple, bucket) in held.zip(buckets) {
            let place = &mut places[bucket as usize];
            let entry = &mut entries[*place as usize * width..][..width];
            entry
                .iter_mut()
                .zip(&shape.free)
                .for_each(|(to, column)| *to = tuple[*column as usize]);
            *place += 1;
        }
        Self {
            shape,
            directory,
            starts,
            entries,
        }
    }

    /// The first entry of a bucket and the one after its last.
    #[inline]
    pub(crate) fn bucket(&self, bucket: u32) -> (u32, u32) {
        (self.starts[bucket as usize], self.starts[bucket as usize + 1])
    }

    /// The symbols of each entry from one to another.
    #[inline]
    pub(crate) fn entries(&self, start: u32, end: u32) -> std::slice::ChunksExact<'_, Symbol> {
        let width = self.shape.free.len();
        self.entries[start as usize * width..end as usize * width].chunks_exact(width)
    }

    /// The symbols of an entry.
    #[inline]
    pub(crate) fn entry(&self, entry: u32) -> &[Symbol] {
        let width = self.shape.free.len();
        &self.entries[entry as usize * width..][..width]
    }

    pub(crate) fn bytes(&self) -> u64 {
        4 * (self.starts.capacity() + self.entries.capacity()) as u64 + self.directory.bytes()
    }
}
