//! The number of registers of each kind.

use crate::operation::ValueType;

/// The number of registers of each kind (bool, int, real) that callers set before a run or read after it. Pass it to
/// [`Tape::compile`](super::Tape::compile), or the number of inputs alone to
/// [`BatchTape::compile`](super::BatchTape::compile). The default has no registers.
///
/// ```text
///   registers of one kind: | given (inputs, then outputs) | constants and temporaries |
///                          0                        layout.of(kind)
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// The number of bool registers.
    pub bools: u32,
    /// The number of int registers.
    pub ints: u32,
    /// The number of real registers.
    pub reals: u32,
}

impl Layout {
    /// Returns the number of registers of a kind.
    #[inline]
    #[must_use]
    pub const fn of(&self, kind: ValueType) -> u32 {
        match kind {
            ValueType::Bool => self.bools,
            ValueType::Int => self.ints,
            ValueType::Real => self.reals,
        }
    }

    /// Returns the size of one value per register in bytes.
    pub(super) const fn bytes(&self) -> u64 {
        self.bools as u64 + 8 * (self.ints as u64 + self.reals as u64)
    }

    /// Reserves `count` consecutive registers of a kind by increasing its number, and returns the first of them. With a
    /// `count` of 0, nothing is reserved.
    pub fn take(&mut self, kind: ValueType, count: u32) -> u32 {
        let total = match kind {
            ValueType::Bool => &mut self.bools,
            ValueType::Int => &mut self.ints,
            ValueType::Real => &mut self.reals,
        };
        let first = *total;
        *total += count;
        first
    }
}
