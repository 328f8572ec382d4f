//! The registers of a tape, and the working memory of its templates.

use crate::lanes::Block;

/// The registers of a [`Tape`](super::Tape), returned by [`Tape::registers`](super::Tape::registers): one flat array
/// per kind. Callers set the inputs and read the outputs by register number. Registers beyond
/// [`Tape::layout`](super::Tape::layout) belong to the tape and must not be changed. The default has none and fits no
/// tape.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Registers {
    /// The bool registers.
    pub bools: Vec<bool>,
    /// The int registers.
    pub ints: Vec<i64>,
    /// The real registers.
    pub reals: Vec<f64>,
    pub(super) scratch: Vec<f64>,
    /// Working memory of templates.
    pub(super) work: Workspace,
}

impl Registers {
    pub(super) fn bytes(&self) -> u64 {
        let words = self.ints.capacity() + self.reals.capacity() + self.scratch.capacity();
        (self.bools.capacity() + 8 * words) as u64 + self.work.bytes()
    }
}

/// Working memory of template runs.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Workspace {
    pub(super) block: Block,
    /// Draw sites and table offsets: one row of lanes per number.
    pub(super) starts: Vec<u32>,
    /// Gathered values.
    pub(super) bools: Vec<bool>,
    pub(super) ints: Vec<i64>,
    pub(super) reals: Vec<f64>,
}

impl Workspace {
    /// Returns the memory use in bytes.
    pub(super) const fn bytes(&self) -> u64 {
        let words = self.ints.capacity() + self.reals.capacity();
        let gathered = self.bools.capacity() + 8 * words;
        self.block.bytes() + (4 * self.starts.capacity() + gathered) as u64
    }
}
