//! Atoms by number, and which of them hold.

use fixedbitset::FixedBitSet;
use herbrand_ground::AtomId;
use herbrand_pddl::{Fact, Facts, ObjectId, PredicateId};

use super::tuples::Numbering;

/// Atoms that were met, each with whether it holds.
#[derive(Clone, Debug)]
pub(super) struct AtomTable {
    names: Numbering,
    holds: FixedBitSet,
}

impl AtomTable {
    /// No atoms yet of predicates with these numbers of arguments.
    pub(super) fn new(arities: impl IntoIterator<Item = usize>) -> Self {
        Self {
            names: Numbering::new(arities),
            holds: FixedBitSet::new(),
        }
    }

    /// The number of an atom. One that is met for the first time does not hold.
    pub(super) fn number(&mut self, predicate: PredicateId, arguments: &[ObjectId]) -> AtomId {
        AtomId::from_index(self.names.number(predicate.index(), arguments))
    }

    /// The bytes that the atoms take.
    pub(super) const fn bytes(&self) -> u64 {
        self.names.bytes()
    }

    pub(super) fn name(&self, atom: AtomId) -> Fact<'_> {
        let (predicate, arguments) = self.names.name(atom.index());
        Fact {
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

    /// The atoms that hold, in the order in which they were met.
    pub(super) fn iter(&self) -> impl Iterator<Item = AtomId> {
        self.holds.ones().map(AtomId::from_index)
    }

    /// The atoms that hold, ascending by predicate and arguments.
    pub(super) fn sorted(&self) -> Facts {
        let mut atoms: Vec<_> = self.iter().map(|atom| self.name(atom)).collect();
        atoms.sort_unstable();
        let mut facts = Facts::default();
        atoms
            .into_iter()
            .for_each(|atom| facts.push(atom.predicate, atom.arguments));
        facts
    }
}
