//! Ids of observable atoms, and the atoms that an observation includes.

/// The id of an atom in an [`AtomSpace`](crate::AtomSpace).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObservedId(u32);

impl ObservedId {
    /// Creates the id with this number.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the id as a number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Returns the id as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The atoms that an observation includes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Part {
    /// All observable atoms.
    #[default]
    All,
    /// The atoms that can change.
    Changing,
}
