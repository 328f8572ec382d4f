//! Indexes of the tuples of a relation by the symbols of some of its columns.

use crate::program::Term;
use crate::program::ids::{RelationId, Symbol, Variable};
use crate::store::domain::{DomainId, Domains};
use crate::store::key::{KeyTable, Layout, Probe, Trust};

/// The definition of an index: the tuples that it includes and the layout of its entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    /// The relation.
    pub relation: RelationId,
    /// The columns of the key.
    pub key: Vec<u32>,
    /// The columns that an entry contains.
    pub free: Vec<u32>,
    /// Only includes tuples whose symbol in the column is in the domain.
    pub filters: Vec<(u32, DomainId)>,
    /// Only includes tuples with the same symbol in both columns.
    pub same: Vec<(u32, u32)>,
}

impl Shape {
    /// Returns whether the index includes a tuple.
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

    /// Returns the packing of the index's keys. `columns` are the domains of the relation's columns.
    pub(crate) fn layout(&self, domains: &Domains, columns: &[DomainId]) -> Layout {
        Layout::new(domains, self.key.iter().map(|column| columns[*column as usize]))
    }

    /// Returns an empty map for the index's keys, and the probe that reads a key from a tuple. `columns` are the domains of
    /// the relation's columns.
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

/// An index of a static relation. The entries of each bucket are contiguous.
#[derive(Clone, Debug)]
pub(crate) struct StaticIndex {
    shape: Shape,
    pub(crate) directory: KeyTable,
    /// The first entry of each bucket, then the end of the last one.
    starts: Vec<u32>,
    /// For each entry, the symbols of the free columns.
    entries: Vec<Symbol>,
}

impl StaticIndex {
    /// Builds the index of some tuples.
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

    /// Returns the range of a bucket's entries: the first one, and the one after the last.
    #[inline]
    pub(crate) fn bucket(&self, bucket: u32) -> (u32, u32) {
        (self.starts[bucket as usize], self.starts[bucket as usize + 1])
    }

    /// Iterates over the symbols of the entries from `start` up to, but not including, `end`.
    #[inline]
    pub(crate) fn entries(&self, start: u32, end: u32) -> std::slice::ChunksExact<'_, Symbol> {
        let width = self.shape.free.len();
        self.entries[start as usize * width..end as usize * width].chunks_exact(width)
    }

    /// Returns the symbols of an entry.
    #[inline]
    pub(crate) fn entry(&self, entry: u32) -> &[Symbol] {
        let width = self.shape.free.len();
        &self.entries[entry as usize * width..][..width]
    }

    pub(crate) fn bytes(&self) -> u64 {
        4 * (self.starts.capacity() + self.entries.capacity()) as u64 + self.directory.bytes()
    }
}
