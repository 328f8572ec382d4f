//! A table of numbered atoms and their truth.

use fixedbitset::FixedBitSet;
use herbrand_ground::AtomId;
use herbrand_pddl::{AtomList, AtomRef, ObjectId, PredicateId};

use super::tuples::Numbering;

/// Numbered atoms with their truth values. Atoms are numbered on first use.
#[derive(Clone, Debug)]
pub(super) struct AtomTable {
    names: Numbering,
    holds: FixedBitSet,
}

impl AtomTable {
    /// Creates an empty table for predicates with these arities.
    pub(super) fn new(arities: impl IntoIterator<Item = usize>) -> Self {
        Self {
            names: Numbering::new(arities),
            holds: FixedBitSet::new(),
        }
    }

    /// Returns the number of an atom, after adding it as false if it is new.
    pub(super) fn number(&mut self, predicate: PredicateId, arguments: &[ObjectId]) -> AtomId {
        AtomId::from_index(self.names.number(predicate.index(), arguments))
    }

    /// The bytes used by the atoms.
    pub(super) const fn bytes(&self) -> u64 {
        self.names.bytes()
    }

    pub(super) fn name(&self, atom: AtomId) -> AtomRef<'_> {
        let (predicate, arguments) = self.names.name(atom.index());
        AtomRef {
            predicate: PredicateId::from_index(predicate),
            arguments,
        }
    }

    pub(super) fn holds(&self, atom: AtomId) -> bool {
        self.holds.contains(atom.index())
    }

    pub(super) fn set(&mut self, atom: AtomId, holds: bool) {
        self.holds.grow(self.names.len());
        self.holds.set(atom.index(), holds);
    }

    pub(super) fn contains(&self, predicate: PredicateId, arguments: &[ObjectId]) -> bool {
        let number = self.names.find(predicate.index(), arguments);
        number.is_some_and(|number| self.holds.contains(number))
    }

    /// Returns the atoms that hold, ascending by number.
    pub(super) fn iter(&self) -> impl Iterator<Item = AtomId> {
        self.holds.ones().map(AtomId::from_index)
    }

    /// Returns the atoms that hold, ascending by predicate and arguments.
    pub(super) fn sorted(&self) -> AtomList {
        let mut atoms: Vec<_> = self.iter().map(|atom| self.name(atom)).collect();
        atoms.sort_unstable();
        let mut facts = AtomList::default();
        atoms
            .into_iter()
            .for_each(|atom| facts.push(atom.predicate, atom.arguments));
        facts
    }
}
