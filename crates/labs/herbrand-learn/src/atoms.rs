//! A sorted set of ground atoms.

use herbrand_pddl::{AtomRef, ObjectId, PredicateId};

/// Ground atoms in ascending order of predicate and arguments, without duplicates.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SortedAtoms(Vec<(PredicateId, Vec<ObjectId>)>);

impl SortedAtoms {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn get(&self, index: usize) -> AtomRef<'_> {
        fact(&self.0[index])
    }

    /// Returns the index of an atom, or `None` if it is absent.
    pub fn find(&self, atom: AtomRef<'_>) -> Option<usize> {
        self.0.binary_search_by(|own| fact(own).cmp(&atom)).ok()
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = AtomRef<'_>> {
        self.0.iter().map(fact)
    }

    /// Returns the heap memory of the atoms, in bytes.
    pub fn bytes(&self) -> usize {
        let arguments: usize = self.0.iter().map(|(_, arguments)| arguments.len()).sum();
        self.0.len() * size_of::<(PredicateId, Vec<ObjectId>)>() + arguments * size_of::<ObjectId>()
    }
}

impl<'f> FromIterator<AtomRef<'f>> for SortedAtoms {
    fn from_iter<I: IntoIterator<Item = AtomRef<'f>>>(atoms: I) -> Self {
        let owned = |atom: AtomRef<'_>| (atom.predicate, atom.arguments.to_vec());
        let mut atoms: Vec<_> = atoms.into_iter().map(owned).collect();
        atoms.sort_unstable();
        atoms.dedup();
        Self(atoms)
    }
}

fn fact((predicate, arguments): &(PredicateId, Vec<ObjectId>)) -> AtomRef<'_> {
    AtomRef {
        predicate: *predicate,
        arguments,
    }
}
