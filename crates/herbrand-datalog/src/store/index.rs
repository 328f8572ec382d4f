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

    /// A directory of keys, and how to read one off a tuple. `columns` are the domains of the relation's
    /// columns.
    pub(crate) fn directory(&self, domains: &Domains, columns: &[DomainId]) -> (KeyTable, Probe) {
        let layout = Layout::new(domains, self.key.iter().map(|column| columns[*column as usize]));
        let places = self
            .key
            .iter()
            .map(|column| Term::Variable(Variable::new(*column)));
        let probe = layout.probe(domains, places, Trust::Domains);
        (KeyTable::new(layout), probe)
    }
}

/// An index of a finished relation: the entries of each bucket lie side by side.
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

/// An index that grows by one entry when a fact arrives.
///
/// A bucket is a chain of chunks of doubling size in one pool, so that appending never moves an entry and
/// walking reads memory in order.
#[derive(Clone, Debug)]
pub(crate) struct GrowingIndex {
    shape: Shape,
    pub(crate) directory: KeyTable,
    probe: Probe,
    buckets: Vec<Bucket>,
    /// Chunks: the place of the next chunk, the number of entries, then the entries with a fact's number
    /// and the symbols of its free columns each. Place zero is in no chunk and stands for none.
    pool: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    first: u32,
    last: u32,
    /// Free entries in the last chunk.
    room: u32,
}

/// A walk along a bucket.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walk {
    at: u32,
    end: u32,
    next: u32,
}

const HEADER: u32 = 2;
const FIRST_ENTRIES: u32 = 2;
const MOST_ENTRIES: u32 = 256;

impl GrowingIndex {
    pub(crate) fn new(shape: Shape, domains: &Domains, columns: &[DomainId]) -> Self {
        let (directory, probe) = shape.directory(domains, columns);
        Self {
            shape,
            directory,
            probe,
            buckets: Vec::new(),
            pool: vec![0],
        }
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    fn width(&self) -> u32 {
        1 + self.shape.free.len() as u32
    }

    /// Appends a fact if the index holds its tuple. False if the index is full, at 2³² words.
    #[inline]
    pub(crate) fn append(&mut self, domains: &Domains, fact: u32, tuple: &[Symbol]) -> bool {
        if !self.shape.holds(domains, tuple) {
            return true;
        }
        let new = self.buckets.len() as u32;
        let Some(bucket) = self.directory.find_or_insert(domains, &self.probe, tuple, new) else {
            return true;
        };
        if bucket == new {
            self.buckets.push(Bucket {
                first: 0,
                last: 0,
                room: 0,
            });
        }
        if self.buckets[bucket as usize].room == 0 && !self.add_chunk(bucket) {
            return false;
        }
        let width = self.width();
        let bucket = &mut self.buckets[bucket as usize];
        bucket.room -= 1;
        let count = &mut self.pool[bucket.last as usize + 1];
        let place = (bucket.last + HEADER + *count * width) as usize;
        *count += 1;
        self.pool[place] = fact;
        for (word, column) in self.pool[place + 1..].iter_mut().zip(&self.shape.free) {
            *word = tuple[*column as usize].number();
        }
        true
    }

    fn add_chunk(&mut self, bucket: u32) -> bool {
        let bucket = &mut self.buckets[bucket as usize];
        let filled = if bucket.last == 0 {
            0
        } else {
            self.pool[bucket.last as usize + 1]
        };
        let entries = (2 * filled).clamp(FIRST_ENTRIES, MOST_ENTRIES);
        let place = self.pool.len();
        let end = place + (HEADER + entries * (1 + self.shape.free.len() as u32)) as usize;
        let Ok(chunk) = u32::try_from(place) else {
            return false;
        };
        if u32::try_from(end).is_err() {
            return false;
        }
        self.pool.resize(end, 0);
        match bucket.last {
            0 => bucket.first = chunk,
            last => self.pool[last as usize] = chunk,
        }
        (bucket.last, bucket.room) = (chunk, entries);
        true
    }

    /// Begins to walk along the bucket of a key.
    #[inline]
    pub(crate) fn walk(&self, domains: &Domains, probe: &Probe, symbols: &[Symbol]) -> Option<Walk> {
        let bucket = self.directory.find(domains, probe, symbols)?;
        Some(Walk {
            at: 0,
            end: 0,
            next: self.buckets[bucket as usize].first,
        })
    }

    /// The next entry of a walk: a fact's number, then the symbols of its free columns.
    #[inline]
    pub(crate) fn step(&self, walk: &mut Walk) -> Option<&[u32]> {
        let width = self.width();
        if walk.at == walk.end {
            if walk.next == 0 {
                return None;
            }
            let chunk = walk.next;
            walk.next = self.pool[chunk as usize];
            walk.at = chunk + HEADER;
            walk.end = walk.at + self.pool[chunk as usize + 1] * width;
        }
        let entry = &self.pool[walk.at as usize..][..width as usize];
        walk.at += width;
        Some(entry)
    }

    /// The next entries of a walk that lie side by side.
    #[inline]
    pub(crate) fn step_far(&self, walk: &mut Walk) -> Option<std::slice::ChunksExact<'_, u32>> {
        let chunk = walk.next as usize;
        if chunk == 0 {
            return None;
        }
        let width = self.width() as usize;
        let start = chunk + HEADER as usize;
        walk.next = self.pool[chunk];
        let entries = self.pool[chunk + 1] as usize;
        Some(self.pool[start..start + entries * width].chunks_exact(width))
    }

    pub(crate) fn bytes(&self) -> u64 {
        4 * self.pool.capacity() as u64 + 12 * self.buckets.capacity() as u64 + self.directory.bytes()
    }
}
