//! How a join reads what is stored: it walks along indexes, and looks tuples up.

use std::slice::ChunksExact;

use crate::store::domain::Domains;
use crate::store::index::StaticIndex;
use crate::store::key::Probe;
use crate::{RelationId, Symbol};

/// What is known of a relation while a plan is made and used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// An input table: its facts have no numbers.
    Static,
    /// All its facts are known: of a lower stratum.
    Finished,
    /// Its facts are arriving.
    Open,
}

/// The indexes that a join walks along. They do not change under way.
pub(crate) trait Source {
    /// A walk along a bucket of numbered facts.
    type Walk: Copy + Default;

    fn domains(&self) -> &Domains;
    /// A static index.
    fn scan(&self, index: usize) -> &StaticIndex;
    /// Begins to walk along the bucket of a key.
    fn walk(&self, index: usize, probe: &Probe, symbols: &[Symbol]) -> Option<Self::Walk>;
    /// The next entry: a fact's number, then the symbols of the free columns.
    fn step(&self, index: usize, walk: &mut Self::Walk) -> Option<&[u32]>;
    /// The next entries that are contiguous. Not to be mixed with single steps on one walk.
    fn step_far(&self, index: usize, walk: &mut Self::Walk) -> Option<ChunksExact<'_, u32>>;
}

/// The relations in which a join looks tuples up. What has been found may be added to them under way.
pub(crate) trait Lookup {
    /// The number of the tuple that the probe reads off the symbols; `None` if the relation does not hold
    /// it.
    fn find(&self, relation: RelationId, probe: &Probe, symbols: &[Symbol]) -> Option<u32>;
}
