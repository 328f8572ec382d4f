//! What was seen: states, actions, and what they changed.

use std::fmt;
use std::sync::Arc;

use herbrand_ground::{AtomId, Vocabulary};
use herbrand_pddl::{Atom, Fact, ObjectId, Problem, Term, TypeUnion};

use crate::Language;
use crate::atoms::SortedAtoms;

herbrand_text::ids! {
    /// A problem in which something was seen.
    SceneId,
    /// A state that was seen.
    StateId,
}

/// Transitions over several problems of a domain.
///
/// ```text
///   scenes        a problem: its objects, the atoms that are always true, and the numbers of the others
///   states        a scene, and the numbers of the atoms that are true, ascending
///   transitions   a state, an action with its objects, and what that came to
/// ```
///
/// Atoms are interned by problem: four bytes each. [`explore`](crate::explore) gathers experience by itself, and
/// [`Recording`](crate::Recording) takes what something else saw.
#[derive(Clone, Debug)]
pub struct Experience {
    /// What the problems share.
    pub language: Arc<Language>,
    /// The problems.
    pub scenes: Vec<Scene>,
    /// The states, those of one episode in order.
    pub states: Vec<Observed>,
    /// The transitions, those of one episode in order.
    pub transitions: Vec<Transition>,
}

/// A problem in which something was seen: its objects, and the atoms that were seen or could be.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(crate) problem: Arc<Problem>,
    pub(crate) vocabulary: Arc<Vocabulary>,
    /// The atoms of states: by [`AtomId`] the fluent ones, then the derived ones.
    pub(crate) fluents: SortedAtoms,
    pub(crate) derived: SortedAtoms,
    /// The atoms that are true in every state.
    pub(crate) statics: SortedAtoms,
}

/// A state that was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    /// The problem.
    pub scene: SceneId,
    /// The atoms that are true, derived ones among them, ascending.
    pub atoms: Vec<AtomId>,
}

/// An action that was taken in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The state.
    pub state: StateId,
    /// The action: an index into [`Language::signatures`].
    pub action: usize,
    /// Its objects.
    pub arguments: Vec<ObjectId>,
    /// What it came to.
    pub outcome: Outcome,
}

/// What an action came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It was not applicable, and nothing changed.
    Refused,
    /// It was carried out.
    Done {
        /// The state that it led to.
        next: StateId,
        /// What is different there.
        change: Change,
    },
}

/// The fluent atoms that a step changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// Those that became true, ascending.
    pub added: Vec<AtomId>,
    /// Those that became false, ascending.
    pub deleted: Vec<AtomId>,
}

/// Whether something becomes true or false.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sign {
    /// It becomes false.
    Delete,
    /// It becomes true.
    Add,
}

impl Experience {
    /// The state `id`.
    #[must_use]
    pub fn state(&self, id: StateId) -> &Observed {
        &self.states[id.index()]
    }

    /// The problem in which a state was seen.
    #[must_use]
    pub fn scene_of(&self, state: StateId) -> &Scene {
        &self.scenes[self.state(state).scene.index()]
    }

    /// Whether a fluent or derived atom is true in a state, or an atom that is always true.
    #[must_use]
    pub fn holds(&self, state: StateId, atom: Fact<'_>) -> bool {
        let scene = self.scene_of(state);
        match scene.find(atom) {
            Some(id) => self.state(state).atoms.binary_search(&id).is_ok(),
            None => scene.statics.find(atom).is_some(),
        }
    }

    /// The transitions of one problem.
    pub fn of_scene(&self, scene: SceneId) -> impl Iterator<Item = &Transition> {
        let own = move |transition: &&Transition| self.state(transition.state).scene == scene;
        self.transitions.iter().filter(own)
    }

    /// The transitions of one action.
    pub fn of_action(&self, action: usize) -> impl Iterator<Item = &Transition> {
        self.transitions
            .iter()
            .filter(move |transition| transition.action == action)
    }
}

impl Scene {
    /// The problem, checked against the domain of [`Experience::language`].
    #[must_use]
    pub fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    /// The names and types of its objects.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The atoms that are true in every state, ascending.
    pub fn statics(&self) -> impl ExactSizeIterator<Item = Fact<'_>> {
        self.statics.iter()
    }

    /// The id of a fluent or derived atom. Takes time logarithmic in the number of atoms.
    #[must_use]
    pub fn find(&self, atom: Fact<'_>) -> Option<AtomId> {
        let derived = || Some(self.fluents.len() + self.derived.find(atom)?);
        self.fluents.find(atom).or_else(derived).map(AtomId::from_index)
    }

    /// A fluent or derived atom.
    ///
    /// # Panics
    /// When the atom is not one of this problem.
    #[must_use]
    pub fn atom(&self, id: AtomId) -> Fact<'_> {
        match id.index().checked_sub(self.fluents.len()) {
            None => self.fluents.get(id.index()),
            Some(derived) => self.derived.get(derived),
        }
    }

    /// Whether an atom is fluent, and not derived.
    #[must_use]
    pub fn is_fluent(&self, id: AtomId) -> bool {
        id.index() < self.fluents.len()
    }

    /// A fluent or derived atom as PDDL writes it.
    pub fn display(&self, id: AtomId) -> impl fmt::Display + '_ {
        let atom = self.atom(id);
        let predicate = self.vocabulary.predicate(atom.predicate);
        self.vocabulary.term(&predicate.signature.name, atom.arguments)
    }

    /// The fluent atoms in which two states differ.
    pub(crate) fn change(&self, before: &[AtomId], after: &[AtomId]) -> Change {
        let without = |one: &[AtomId], other: &[AtomId]| {
            let fluent = one.iter().copied().filter(|&atom| self.is_fluent(atom));
            fluent.filter(|atom| other.binary_search(atom).is_err()).collect()
        };
        Change {
            added: without(after, before),
            deleted: without(before, after),
        }
    }
}

impl Change {
    /// All changes, deletes first.
    pub fn iter(&self) -> impl Iterator<Item = (Sign, AtomId)> + '_ {
        let deleted = self.deleted.iter().map(|&atom| (Sign::Delete, atom));
        deleted.chain(self.added.iter().map(|&atom| (Sign::Add, atom)))
    }

    /// Whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.deleted.is_empty()
    }
}

impl Transition {
    /// The state that the action led to, if it was carried out.
    #[must_use]
    pub const fn next(&self) -> Option<StateId> {
        match &self.outcome {
            Outcome::Refused => None,
            Outcome::Done { next, .. } => Some(*next),
        }
    }

    /// What changed, if the action was carried out.
    #[must_use]
    pub const fn change(&self) -> Option<&Change> {
        match &self.outcome {
            Outcome::Refused => None,
            Outcome::Done { change, .. } => Some(change),
        }
    }
}

/// For each of these types, the objects of a problem that fit.
pub(crate) fn objects_of(vocabulary: &Vocabulary, types: &[TypeUnion]) -> Vec<Vec<ObjectId>> {
    let fitting = |types: &TypeUnion| {
        let objects = (0..vocabulary.objects.len()).map(ObjectId::from_index);
        objects.filter(|&object| vocabulary.fits(object, types)).collect()
    };
    types.iter().map(fitting).collect()
}

/// The objects that the terms of an atom stand for.
pub(crate) fn ground(atom: &Atom, values: &[ObjectId]) -> Vec<ObjectId> {
    let value = |&term: &Term| match term {
        Term::Variable(variable) => values[variable.index()],
        Term::Object(constant) => constant,
    };
    atom.arguments.iter().map(value).collect()
}
