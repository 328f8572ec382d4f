//! Indexes of facts that are still arriving.

use crate::program::ids::Symbol;
use crate::store::access::Status;
use crate::store::domain::{DomainId, Domains};
use crate::store::index::Shape;
use crate::store::key::{KeyTable, Probe};
use crate::store::tables::Tables;

/// The cell type of the pool of a [`GrowingIndex`].
///
/// ```text
/// pool of pairs    … | next chunk, entries | fact, symbol | fact, symbol | free …
/// ```
pub(crate) trait Cell: Copy + Default {
    /// The number of cells at the beginning of a chunk that hold its header.
    const HEADER: u32;

    /// Returns the number of cells of an entry with `free` free columns.
    fn width(free: usize) -> u32;
    /// Reads the header of a chunk: the position of the next chunk, or zero, and the number of entries.
    fn header(chunk: &[Self]) -> (u32, u32);
    /// Writes the header of a chunk.
    fn set_header(chunk: &mut [Self], next: u32, entries: u32);
    /// Writes an entry: a fact and the symbols of its free columns.
    fn write(entry: &mut [Self], fact: u32, free: impl Iterator<Item = Symbol>);
}

/// An index that grows by one entry per arriving fact.
///
/// A bucket is a chain of chunks in one pool. The chunks of a bucket double in size, up to a maximum. So appending never
/// moves an entry, and iteration reads memory in order. The entries of a bucket are in the order in which their facts
/// arrived.
#[derive(Clone, Debug)]
pub(crate) struct GrowingIndex<C> {
    shape: Shape,
    pub(crate) directory: KeyTable,
    probe: Probe,
    buckets: Vec<Bucket>,
    /// The chunks. The first cell belongs to no chunk, so that position zero can mean "no chunk".
    pool: Vec<C>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    first: u32,
    last: u32,
    /// The number of free entries in the last chunk.
    room: u32,
}

/// The position in a bucket.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walk {
    next: u32,
}

const FIRST_ENTRIES: u32 = 2;
const MOST_ENTRIES: u32 = 256;

impl<C: Cell> GrowingIndex<C> {
    pub(crate) fn new(shape: Shape, domains: &Domains, columns: &[DomainId]) -> Self {
        let (directory, probe) = shape.directory(domains, columns);
        Self {
            shape,
            directory,
            probe,
            buckets: Vec::new(),
            pool: vec![C::default()],
        }
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the number of cells per entry.
    #[inline]
    pub(crate) fn width(&self) -> u32 {
        C::width(self.shape.free.len())
    }

    /// Returns the packed key of a tuple; `None` if the index does not include the tuple.
    #[inline]
    pub(crate) fn key(&mut self, domains: &Domains, tuple: &[Symbol]) -> Option<u64> {
        if self.shape.holds(domains, tuple) {
            self.directory.pack(domains, &self.probe, tuple)
        } else {
            None
        }
    }

    /// Appends a fact if the index includes its tuple. Returns `false` if the index is full, at 2³² cells.
    #[inline]
    pub(crate) fn append(&mut self, domains: &Domains, fact: u32, tuple: &[Symbol]) -> bool {
        let Some(key) = self.key(domains, tuple) else {
            return true;
        };
        let Some(place) = self.place(key) else {
            return false;
        };
        let end = place + self.width() as usize;
        let free = self.shape.free.iter().map(|column| tuple[*column as usize]);
        C::write(&mut self.pool[place..end], fact, free);
        true
    }

    /// Appends an entry of one cell. Returns `false` if the index is full.
    #[inline]
    pub(crate) fn append_cell(&mut self, key: u64, cell: C) -> bool {
        let place = self.place(key);
        if let Some(place) = place {
            self.pool[place] = cell;
        }
        place.is_some()
    }

    /// Allocates one more entry under a key and returns its position; `None` if the index is full.
    #[inline]
    fn place(&mut self, key: u64) -> Option<usize> {
        let new = self.buckets.len() as u32;
        let bucket = self.directory.find_or_insert_packed(key, new);
        if bucket == new {
            self.buckets.push(Bucket {
                first: 0,
                last: 0,
                room: 0,
            });
        }
        if self.buckets[bucket as usize].room == 0 && !self.add_chunk(bucket) {
            return None;
        }
        let width = self.width();
        let bucket = &mut self.buckets[bucket as usize];
        bucket.room -= 1;
        let chunk = &mut self.pool[bucket.last as usize..];
        let (next, entries) = C::header(chunk);
        C::set_header(chunk, next, entries + 1);
        Some((bucket.last + C::HEADER + entries * width) as usize)
    }

    fn add_chunk(&mut self, bucket: u32) -> bool {
        let width = self.width();
        let bucket = &mut self.buckets[bucket as usize];
        let (last, place) = (bucket.last as usize, self.pool.len());
        let filled = if last == 0 {
            0
        } else {
            C::header(&self.pool[last..]).1
        };
        let entries = (2 * filled).clamp(FIRST_ENTRIES, MOST_ENTRIES);
        let end = place + (C::HEADER + entries * width) as usize;
        let Ok(chunk) = u32::try_from(place) else {
            return false;
        };
        if u32::try_from(end).is_err() {
            return false;
        }
        self.pool.resize(end, C::default());
        match last {
            0 => bucket.first = chunk,
            _ => C::set_header(&mut self.pool[last..], chunk, filled),
        }
        (bucket.last, bucket.room) = (chunk, entries);
        true
    }

    /// Begins to iterate over the bucket of a packed key; returns `None` if there is no such bucket.
    #[inline]
    pub(crate) fn walk_packed(&self, key: u64) -> Option<Walk> {
        self.walk_bucket(self.directory.find_packed(key)?)
    }

    #[inline]
    fn walk_bucket(&self, bucket: u32) -> Option<Walk> {
        Some(Walk {
            next: self.buckets[bucket as usize].first,
        })
    }

    /// Returns the next contiguous entries of a walk.
    #[inline]
    pub(crate) fn step_far(&self, walk: &mut Walk) -> Option<&[C]> {
        let chunk = walk.next as usize;
        if chunk == 0 {
            return None;
        }
        let (next, entries) = C::header(&self.pool[chunk..]);
        walk.next = next;
        let start = chunk + C::HEADER as usize;
        Some(&self.pool[start..start + (entries * self.width()) as usize])
    }

    fn bytes(&self) -> u64 {
        let cells = self.pool.capacity() * size_of::<C>();
        cells as u64 + 12 * self.buckets.capacity() as u64 + self.directory.bytes()
    }
}

/// The growing indexes of an evaluation.
#[derive(Clone, Debug)]
pub(crate) struct GrowingIndexes<C> {
    indexes: Vec<GrowingIndex<C>>,
    /// Whether an index had no space for a fact. The evaluation must then fail, because facts are missing from the index.
    pub full: bool,
}

impl<C: Cell> GrowingIndexes<C> {
    pub(crate) fn new() -> Self {
        Self {
            indexes: Vec::new(),
            full: false,
        }
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> &GrowingIndex<C> {
        &self.indexes[index]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut GrowingIndex<C> {
        &mut self.indexes[index]
    }

    /// Appends a fact to an index if the index includes its tuple.
    #[inline]
    pub(crate) fn append(&mut self, index: usize, domains: &Domains, fact: u32, tuple: &[Symbol]) {
        self.full |= !self.indexes[index].append(domains, fact, tuple);
    }

    /// Appends an entry of one cell under a packed key of an index.
    #[inline]
    pub(crate) fn append_cell(&mut self, index: usize, key: u64, cell: C) {
        self.full |= !self.indexes[index].append_cell(key, cell);
    }

    /// Adds the indexes that plans have requested since the last call. Indexes of finished relations are filled.
    pub(crate) fn add_wanted(&mut self, tables: &Tables) {
        for wanted in &tables.walks[self.indexes.len()..] {
            let rows = &tables.rows[wanted.shape.relation.index()];
            self.indexes.push(GrowingIndex::new(
                wanted.shape.clone(),
                &tables.domains,
                rows.columns(),
            ));
            let index = self.indexes.len() - 1;
            if wanted.status != Status::Finished {
                continue;
            }
            for (id, tuple) in rows.ids().iter().zip(rows.tuples()) {
                self.append(index, &tables.domains, id.number(), tuple);
            }
        }
    }

    /// Returns the bytes used.
    pub(crate) fn bytes(&self) -> u64 {
        self.indexes.iter().map(GrowingIndex::bytes).sum()
    }
}
