//! The renumbering of atoms after some are removed.

use herbrand_pddl::AtomList;

use crate::task::{AtomId, ConjunctionId, GroundAxiom, GroundTask, Literal};

/// The new number of each atom that a smaller task keeps. The order of the atoms is unchanged.
///
/// ```text
/// atom      0 1 2 | 3 4 5 6        first = 3: all atoms before it keep their numbers
/// kept            | x   x x
/// new       0 1 2 | 3 - 4 5
/// ```
pub(crate) struct Renumbering {
    first: usize,
    /// The new numbers of the atoms from `first` on; `None` for removed atoms.
    numbers: Vec<Option<AtomId>>,
}

impl Renumbering {
    /// Keeps all atoms before `first`, and each later atom for which `kept` is true.
    pub(crate) fn new(first: usize, kept: &[bool]) -> Self {
        let mut next = first;
        let number = |&kept: &bool| {
            kept.then(|| {
                next += 1;
                AtomId::from_index(next - 1)
            })
        };
        Self {
            first,
            numbers: kept.iter().map(number).collect(),
        }
    }

    /// Returns the new number of an atom; `None` if it is removed.
    pub(crate) fn atom(&self, atom: AtomId) -> Option<AtomId> {
        match atom.index().checked_sub(self.first) {
            None => Some(atom),
            Some(index) => self.numbers[index],
        }
    }

    /// Returns the literal with its atom's new number; `None` if the atom is removed.
    pub(crate) fn literal(&self, literal: Literal) -> Option<Literal> {
        let positive = Literal::positive(self.atom(literal.atom())?);
        Some(if literal.is_negative() {
            positive.negated()
        } else {
            positive
        })
    }

    /// Returns the new numbers of the atoms that are kept.
    pub(crate) fn all(&self, atoms: &[AtomId]) -> Vec<AtomId> {
        atoms.iter().filter_map(|&atom| self.atom(atom)).collect()
    }

    /// Returns the atoms of a task that are kept, and the number of fluents among them.
    pub(crate) fn atoms(&self, task: &GroundTask) -> (AtomList, u32) {
        let mut atoms = AtomList::default();
        let mut fluents = 0;
        for (index, atom) in task.atoms.iter().enumerate() {
            if self.atom(AtomId::from_index(index)).is_some() {
                fluents += u32::from(index < task.fluent_count());
                atoms.push(atom.predicate, atom.arguments);
            }
        }
        (atoms, fluents)
    }

    /// Returns the axioms of a task whose head and body are kept, and the ends of their strata. `bodies` contains the new id
    /// of each conjunction. Empty strata are left out.
    pub(crate) fn axioms(
        &self,
        task: &GroundTask,
        bodies: &[Option<ConjunctionId>],
    ) -> (Vec<GroundAxiom>, Vec<u32>) {
        let (mut axioms, mut strata) = (Vec::new(), Vec::new());
        for stratum in task.strata() {
            axioms.extend(stratum.iter().filter_map(|axiom| {
                let (head, body) = (self.atom(axiom.head)?, bodies[axiom.body.index()]?);
                Some(GroundAxiom { head, body })
            }));
            strata.push(u32::try_from(axioms.len()).expect("a task has fewer than 2^32 axioms"));
        }
        strata.dedup();
        strata.retain(|&end| end > 0);
        (axioms, strata)
    }
}
