//! What a trace shows of a state: atoms by name, those of static predicates apart.

use std::collections::BTreeMap;

use herbrand_ground::AtomId;
use herbrand_pddl::PredicateKind;
use herbrand_step::Walker;

use super::listed::{Meaning, Names, Place};
use crate::{AtomSpace, ObservedId, Part};

/// The names of a grounded problem's atoms, made once.
pub struct Observer {
    space: AtomSpace,
    index: BTreeMap<String, ObservedId>,
    /// The atoms of static predicates.
    statics: Vec<ObservedId>,
    /// Derived atoms that always hold. A trace lists them among the derived ones of each state.
    constants: Vec<ObservedId>,
    words: Names,
}

/// A set of atoms: those that the problem knows, ascending, and the names of others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Seen {
    pub(super) known: Vec<ObservedId>,
    pub(super) unknown: Vec<String>,
}

impl Observer {
    pub(super) fn new(space: &AtomSpace) -> Self {
        let vocabulary = &space.task().vocabulary;
        let all = (0..space.len(Part::All) as u32).map(ObservedId::new);
        let (statics, constants) = space.fixed().partition(|&id| {
            let kind = |predicate| vocabulary.predicate(predicate).kind;
            space.get(id).map(|fact| kind(fact.predicate)) == Some(PredicateKind::Static)
        });
        Self {
            index: all.map(|id| (space.display(id).to_string(), id)).collect(),
            statics,
            constants,
            words: Names::of(vocabulary),
            space: space.clone(),
        }
    }

    /// The atoms that are true where `walker` stands; those of static predicates too if `with_statics`.
    pub(super) fn observe(&self, walker: &Walker, with_statics: bool) -> Vec<ObservedId> {
        let mut seen = self.space.observe(walker, Part::Changing).collect::<Vec<_>>();
        seen.extend(&self.constants);
        if with_statics {
            seen.extend(&self.statics);
        }
        seen.sort_unstable();
        seen
    }

    /// The atoms of static predicates.
    pub(super) fn statics(&self) -> &[ObservedId] {
        &self.statics
    }

    /// Whether an atom is derived.
    pub(super) fn is_derived(&self, id: ObservedId) -> bool {
        let atom = self.space.atom(id);
        atom.is_none_or(|atom| self.space.task().is_derived(atom))
    }

    /// Reads atoms that a trace lists, each with the list it is in.
    pub(super) fn read<'t>(&self, atoms: impl Iterator<Item = (Place, &'t str)>) -> Seen {
        let mut seen = Seen::default();
        for (place, atom) in atoms {
            let known = self.index.get(atom).copied();
            match self.words.meaning(&self.space.task().vocabulary, atom, place) {
                Meaning::Own => {}
                Meaning::Static if known.is_some() => {}
                Meaning::Unknown | Meaning::Static => seen.unknown.push(atom.to_owned()),
                Meaning::Listed => match known {
                    Some(id) => seen.known.push(id),
                    None => seen.unknown.push(atom.to_owned()),
                },
            }
        }
        seen.known.sort_unstable();
        seen.known.dedup();
        seen
    }

    /// The names of atoms, in alphabetical order.
    pub(super) fn names<'i>(&self, atoms: impl IntoIterator<Item = &'i ObservedId>) -> Vec<String> {
        let names = atoms.into_iter().map(|&id| self.space.display(id).to_string());
        let mut names = names.collect::<Vec<_>>();
        names.sort();
        names
    }

    /// The atoms among `ids` that a state holds: fluent and derived ones.
    pub(super) fn atoms(&self, ids: &[ObservedId]) -> Vec<AtomId> {
        ids.iter().filter_map(|&id| self.space.atom(id)).collect()
    }
}
