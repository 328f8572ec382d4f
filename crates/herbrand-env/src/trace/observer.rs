//! What a trace shows of a state: atoms by name, static and auxiliary ones apart.

use std::collections::BTreeMap;

use herbrand_ground::{AtomId, GroundTask};
use herbrand_pddl::PredicateKind;
use herbrand_step::Walker;

/// The names of a task's atoms, made once.
///
/// Observed atoms are numbered here: fluent and derived ones as in the task, then the static ones.
pub(super) struct Observer {
    names: Vec<String>,
    index: BTreeMap<String, u32>,
    /// By number: whether the atom is part of what is seen at all.
    visible: Vec<bool>,
    /// The visible atoms that always hold: those of static predicates, and derived ones that never change.
    statics: Vec<u32>,
    constants: Vec<u32>,
    kinds: BTreeMap<String, PredicateKind>,
}

/// A set of atoms: the numbers of those that the task knows, ascending, and the names of others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Seen {
    pub(super) known: Vec<u32>,
    pub(super) unknown: Vec<String>,
}

impl Observer {
    pub(super) fn new(task: &GroundTask) -> Self {
        let vocabulary = &task.vocabulary;
        let all = || task.atoms.iter().chain(task.statics.iter());
        let names = all()
            .map(|atom| {
                let name = &vocabulary.predicate(atom.predicate).signature.name;
                vocabulary.term(name, atom.arguments).to_string()
            })
            .collect::<Vec<_>>();
        let visible = all()
            .map(|atom| {
                let predicate = vocabulary.predicate(atom.predicate);
                !predicate.auxiliary && predicate.kind != PredicateKind::Action
            })
            .collect::<Vec<_>>();
        let (statics, constants) = (task.atom_count()..names.len())
            .filter(|&index| visible[index])
            .partition::<Vec<_>, _>(|&index| {
                let atom = task.statics.get(index - task.atom_count());
                atom.is_some_and(|atom| vocabulary.predicate(atom.predicate).kind == PredicateKind::Static)
            });
        let narrow = |list: Vec<usize>| list.into_iter().map(|index| index as u32).collect();
        let kinds = vocabulary
            .predicates
            .iter()
            .filter(|predicate| !predicate.auxiliary)
            .map(|predicate| (predicate.signature.name.to_string(), predicate.kind));
        Self {
            index: names.iter().cloned().zip(0..).collect(),
            kinds: kinds.collect(),
            statics: narrow(statics),
            constants: narrow(constants),
            names,
            visible,
        }
    }

    /// The atoms that are true where `walker` stands; those of static predicates too if `with_statics`.
    pub(super) fn observe(&self, walker: &Walker, with_statics: bool) -> Vec<u32> {
        let visible = |number: &u32| self.visible[*number as usize];
        let mut seen = walker
            .atoms()
            .map(AtomId::number)
            .filter(visible)
            .collect::<Vec<_>>();
        seen.extend(&self.constants);
        if with_statics {
            seen.extend(&self.statics);
        }
        seen.sort_unstable();
        seen
    }

    /// The atoms of static predicates.
    pub(super) fn statics(&self) -> &[u32] {
        &self.statics
    }

    /// Reads atoms of another engine. Those of undeclared predicates are the engine's own and are left out, like
    /// those of action predicates; those of static predicates are too unless `with_statics`.
    pub(super) fn read<'a>(&self, atoms: impl Iterator<Item = &'a str>, with_statics: bool) -> Seen {
        let mut seen = Seen::default();
        for atom in atoms {
            let inner = atom.trim_start_matches('(').trim_end_matches(')');
            let head = inner.split_whitespace().next().unwrap_or_default();
            match self.kinds.get(head) {
                None | Some(PredicateKind::Action) => {}
                Some(PredicateKind::Static) if !with_statics => {}
                Some(_) => match self.index.get(atom) {
                    Some(&number) => seen.known.push(number),
                    None => seen.unknown.push(atom.to_owned()),
                },
            }
        }
        seen.known.sort_unstable();
        seen.known.dedup();
        seen
    }

    /// The names of atoms, in alphabetical order.
    pub(super) fn names<'a>(&self, atoms: impl IntoIterator<Item = &'a u32>) -> Vec<String> {
        let mut names = atoms
            .into_iter()
            .map(|&number| self.names[number as usize].clone())
            .collect::<Vec<_>>();
        names.sort();
        names
    }

    /// The atoms among `numbers` that a state holds: fluent and derived ones.
    pub(super) fn atoms(&self, numbers: &[u32], task: &GroundTask) -> Vec<AtomId> {
        let count = task.atom_count();
        numbers
            .iter()
            .filter(|&&number| (number as usize) < count)
            .map(|&number| AtomId::new(number))
            .collect()
    }
}
