//! Ids of observable atoms, and the atoms that an observation includes.

/// The id of an observable atom in an [`AtomSpace`](crate::AtomSpace): a number from 0 to
/// [`AtomSpace::len`](crate::AtomSpace::len) − 1, and the index of its bit in observations.
/// [`AtomSpace::parse`](crate::AtomSpace::parse) and [`AtomSpace::observe`](crate::AtomSpace::observe) return ids;
/// [`AtomSpace::get`](crate::AtomSpace::get) and [`AtomSpace::display`](crate::AtomSpace::display) take them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObservedId(u32);

impl ObservedId {
    /// Creates the id with this number. Whether an atom has it is not checked.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the id as a number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Returns the id as an index. It is the byte of the atom in [`Bits`](crate::Bits).
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The observable atoms that an observation includes: all, or only the atoms that steps can change.
/// [`Bits::of`](crate::Bits::of), [`AtomSpace::len`](crate::AtomSpace::len) and others take it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ObservedAtoms {
    /// All observable atoms. The default.
    #[default]
    All,
    /// The atoms that can change, without the static atoms and others known to hold in every state. They have the
    /// lower ids.
    Changing,
}
