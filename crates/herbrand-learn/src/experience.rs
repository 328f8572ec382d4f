//! What was seen: states, actions, and what they changed.

use std::sync::Arc;

use herbrand_ground::{AtomId, GroundTask, Vocabulary};
use herbrand_pddl::{Atom, Fact, ObjectId, PredicateId, Term, TypeUnion};

use crate::Language;

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
/// Atoms are interned by problem, as in its ground task: four bytes each.
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

/// A problem in which something was seen.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The index of the problem in its suite.
    pub problem: usize,
    /// The numbers of atoms, the names and types of objects, and the atoms that are always true. Nothing else of it is
    /// looked at by learners.
    pub task: Arc<GroundTask>,
    /// The atoms that are always true, ascending.
    statics: Vec<(PredicateId, Vec<ObjectId>)>,
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
    Done(Change),
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
        let task = &self.scene_of(state).task;
        match task.find_atom(atom.predicate, atom.arguments) {
            Some(id) => self.state(state).atoms.binary_search(&id).is_ok(),
            None => self.scene_of(state).is_static(atom),
        }
    }

    /// The transitions of one action.
    pub fn of_action(&self, action: usize) -> impl Iterator<Item = &Transition> {
        self.transitions
            .iter()
            .filter(move |transition| transition.action == action)
    }
}

impl Scene {
    /// A problem of a suite.
    #[must_use]
    pub fn new(problem: usize, task: Arc<GroundTask>) -> Self {
        let statics = task
            .statics
            .iter()
            .map(|fact| (fact.predicate, fact.arguments.to_vec()));
        let mut statics: Vec<_> = statics.collect();
        statics.sort_unstable();
        Self {
            problem,
            task,
            statics,
        }
    }

    /// Whether an atom is true in every state.
    fn is_static(&self, atom: Fact<'_>) -> bool {
        let order = |(predicate, arguments): &(PredicateId, Vec<ObjectId>)| {
            (*predicate, arguments.as_slice()).cmp(&(atom.predicate, atom.arguments))
        };
        self.statics.binary_search_by(order).is_ok()
    }

    /// A fluent or derived atom.
    ///
    /// # Panics
    /// When the atom is not one of this problem.
    #[must_use]
    pub fn atom(&self, id: AtomId) -> Fact<'_> {
        self.task.atoms.get(id.index()).expect("an atom of the task")
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
    /// What changed, if the action was carried out.
    #[must_use]
    pub const fn change(&self) -> Option<&Change> {
        match &self.outcome {
            Outcome::Refused => None,
            Outcome::Done(change) => Some(change),
        }
    }
}

/// For each of these types, the objects of a problem that fit.
pub(crate) fn objects_of(vocabulary: &Vocabulary, types: &[TypeUnion]) -> Vec<Vec<ObjectId>> {
    let fitting = |types: &TypeUnion| {
        let objects = (0..vocabulary.objects.len()).map(ObjectId::from_index);
        objects
            .filter(|&object| vocabulary.fits(object, types))
            .collect()
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
