//! The traits by which a join reads the store: iteration over indexes, and lookup of tuples.

use std::slice::ChunksExact;

use crate::program::ids::{RelationId, Symbol};
use crate::store::domain::Domains;
use crate::store::index::StaticIndex;
use crate::store::key::Probe;

/// The state of a relation while a plan is made and used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// A static relation: its facts have no ids.
    Static,
    /// All its facts are known.
    Finished,
    /// Its facts are still arriving.
    Open,
}

/// The indexes over which a join iterates. They do not change during the join.
pub(crate) trait Source {
    /// The position in a bucket of numbered facts.
    type Walk: Copy + Default;

    fn domains(&self) -> &Domains;
    /// Returns a static index.
    fn scan(&self, index: usize) -> &StaticIndex;
    /// Begins to iterate over the bucket of a key; returns `None` if there is no such bucket.
    fn walk(&self, index: usize, probe: &Probe, symbols: &[Symbol]) -> Option<Self::Walk>;
    /// Returns the next entry: a fact's id, then the symbols of the free columns.
    fn step(&self, index: usize, walk: &mut Self::Walk) -> Option<&[u32]>;
    /// Returns the next contiguous entries. Not to be mixed with `step` on one walk.
    fn step_far(&self, index: usize, walk: &mut Self::Walk) -> Option<ChunksExact<'_, u32>>;
}

/// The relations in which a join looks tuples up. The visitor of a join may add tuples to them during the join.
pub(crate) trait Lookup {
    /// Returns the number of the tuple that the probe reads from the symbols; `None` if the relation does not contain it.
    fn find(&self, relation: RelationId, probe: &Probe, symbols: &[Symbol]) -> Option<u32>;
}
