//! Observed states and transitions.

use std::fmt;
use std::sync::Arc;

use herbrand_ground::{AtomId, Vocabulary};
use herbrand_pddl::{Atom, AtomRef, ObjectId, Problem, Term, TypeUnion};

use crate::atoms::SortedAtoms;
use crate::language::DomainSignature;

herbrand_text::ids! {
    /// The id of a problem with observations: an index into [`Experience::scenes`].
    SceneId,
    /// The id of an observed state: an index into [`Experience::states`].
    StateId,
}

/// Observed transitions over several problems of a domain: the input of [`learn_safe`](crate::learn_safe) and
/// [`learn_foldt`](crate::learn_foldt). [`explore`](crate::explore) and [`Recording::finish`](crate::Recording::finish)
/// return it.
///
/// ```text
///   scenes        a problem: its objects, the atoms that are always true, and the numbers of the others
///   states        a scene, and the numbers of the atoms that are true, ascending
///   transitions   a state, an action with its objects, and the outcome
/// ```
///
/// Atoms are interned per problem, so an atom of a state takes four bytes. [`explore`](crate::explore) generates
/// experience with a random policy; [`Recording`](crate::Recording) builds it from transitions recorded elsewhere.
#[derive(Clone, Debug)]
pub struct Experience {
    /// The vocabulary and the agent actions that the problems share.
    pub language: Arc<DomainSignature>,
    /// The problems, indexed by [`SceneId`].
    pub scenes: Vec<ObservedProblem>,
    /// The observed states, indexed by [`StateId`], in the order of observation. A state that is observed again can be
    /// listed again.
    pub states: Vec<Observed>,
    /// The transitions, in the order of observation.
    pub transitions: Vec<ObservedTransition>,
}

/// A problem in which transitions were observed: its objects, and its atoms by id. [`Experience::scenes`] holds them.
#[derive(Clone, Debug)]
pub struct ObservedProblem {
    pub(crate) problem: Arc<Problem>,
    pub(crate) vocabulary: Arc<Vocabulary>,
    /// The atoms of states. An [`AtomId`] counts the fluent atoms first, then the derived ones.
    pub(crate) fluents: SortedAtoms,
    pub(crate) derived: SortedAtoms,
    /// The atoms that are true in every state.
    pub(crate) statics: SortedAtoms,
}

/// An observed state of one problem. [`Experience::states`] holds them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    /// The id of the problem that the state belongs to, an index into [`Experience::scenes`].
    pub scene: SceneId,
    /// The true atoms, including derived ones, in ascending order, as ids of [`ObservedProblem::atom`]. Static atoms,
    /// which are true in every state, are not listed.
    pub atoms: Vec<AtomId>,
}

/// An action taken in a state, and the observed outcome. [`Experience::transitions`] holds them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedTransition {
    /// The id of the state before the action.
    pub state: StateId,
    /// The index of the action in [`DomainSignature::signatures`].
    pub action: usize,
    /// The arguments of the action, objects of the state's problem.
    pub arguments: Vec<ObjectId>,
    /// The observed outcome.
    pub outcome: ObservedOutcome,
}

/// The observed outcome of an action: refused, or a successor state. It is [`ObservedTransition::outcome`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObservedOutcome {
    /// The action was not applicable, and nothing changed.
    Refused,
    /// The action was applied.
    Done {
        /// The id of the successor state.
        next: StateId,
        /// The fluent atoms that the action changed.
        change: StateChange,
    },
}

/// The fluent atoms that a step changed, as ids of the problem ([`ObservedProblem::atom`]).
/// [`ObservedTransition::change`] returns it. Derived atoms are not part of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateChange {
    /// The atoms that became true, in ascending order.
    pub added: Vec<AtomId>,
    /// The atoms that became false, in ascending order.
    pub deleted: Vec<AtomId>,
}

/// The direction in which a step changes an atom. [`StateChange::iter`] returns it with each atom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EffectSign {
    /// The atom becomes false.
    Delete,
    /// The atom becomes true.
    Add,
}

impl Experience {
    /// Returns the observed state with this id, an index into [`states`](Self::states). Panics if there is no such
    /// state.
    #[must_use]
    pub fn state(&self, id: StateId) -> &Observed {
        &self.states[id.index()]
    }

    /// Returns the problem that a state belongs to. Panics if there is no such state.
    #[must_use]
    pub fn scene_of(&self, state: StateId) -> &ObservedProblem {
        &self.scenes[self.state(state).scene.index()]
    }

    /// Returns whether an atom is true in a state. The atom may be fluent, derived or static, and its ids are those of the
    /// problem of the state ([`scene_of`](Self::scene_of)): ids of another problem name another atom. Panics if there is no
    /// such state. `false` if the problem has no such atom.
    #[must_use]
    pub fn holds(&self, state: StateId, atom: AtomRef<'_>) -> bool {
        let scene = self.scene_of(state);
        match scene.find(atom) {
            Some(id) => self.state(state).atoms.binary_search(&id).is_ok(),
            None => scene.statics.find(atom).is_some(),
        }
    }

    /// Returns the transitions observed in the problem with this id, in the order of observation. Empty if there is no
    /// such problem.
    pub fn of_scene(&self, scene: SceneId) -> impl Iterator<Item = &ObservedTransition> {
        let own = move |transition: &&ObservedTransition| self.state(transition.state).scene == scene;
        self.transitions.iter().filter(own)
    }

    /// Returns the transitions of one action, given by its index in [`DomainSignature::signatures`], in the order of
    /// observation. Empty if the action was never tried, or if there is no such action.
    pub fn of_action(&self, action: usize) -> impl Iterator<Item = &ObservedTransition> {
        self.transitions
            .iter()
            .filter(move |transition| transition.action == action)
    }
}

impl ObservedProblem {
    /// Returns the problem, checked against the domain of [`Experience::language`].
    #[must_use]
    pub fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    /// Returns the vocabulary of the problem: its objects, types and predicates.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns the static atoms of the problem, which are true in every state, in ascending order.
    pub fn statics(&self) -> impl ExactSizeIterator<Item = AtomRef<'_>> {
        self.statics.iter()
    }

    /// Returns the id of a fluent or derived atom; `None` if it has none, as for unreachable atoms. Takes time
    /// logarithmic in the number of atoms. [`statics`](Self::statics) lists the static atoms.
    #[must_use]
    pub fn find(&self, atom: AtomRef<'_>) -> Option<AtomId> {
        let derived = || Some(self.fluents.len() + self.derived.find(atom)?);
        self.fluents.find(atom).or_else(derived).map(AtomId::from_index)
    }

    /// Returns the fluent or derived atom with this id.
    ///
    /// # Panics
    /// Panics if the id is not from this problem.
    #[must_use]
    pub fn atom(&self, id: AtomId) -> AtomRef<'_> {
        match id.index().checked_sub(self.fluents.len()) {
            None => self.fluents.get(id.index()),
            Some(derived) => self.derived.get(derived),
        }
    }

    /// Returns whether the atom with this id is fluent rather than derived. An id that is not from this problem counts
    /// as derived.
    #[must_use]
    pub fn is_fluent(&self, id: AtomId) -> bool {
        id.index() < self.fluents.len()
    }

    /// Formats the fluent or derived atom with this id as PDDL. Panics if the id is not from this problem.
    pub fn display(&self, id: AtomId) -> impl fmt::Display + '_ {
        let atom = self.atom(id);
        let predicate = self.vocabulary.predicate(atom.predicate);
        self.vocabulary.term(&predicate.signature.name, atom.arguments)
    }

    /// Returns the fluent atoms in which two states differ.
    pub(crate) fn change(&self, before: &[AtomId], after: &[AtomId]) -> StateChange {
        let without = |one: &[AtomId], other: &[AtomId]| {
            let fluent = one.iter().copied().filter(|&atom| self.is_fluent(atom));
            fluent.filter(|atom| other.binary_search(atom).is_err()).collect()
        };
        StateChange {
            added: without(after, before),
            deleted: without(before, after),
        }
    }
}

impl StateChange {
    /// Iterates over all changed atoms, deleted ones first.
    pub fn iter(&self) -> impl Iterator<Item = (EffectSign, AtomId)> + '_ {
        let deleted = self.deleted.iter().map(|&atom| (EffectSign::Delete, atom));
        deleted.chain(self.added.iter().map(|&atom| (EffectSign::Add, atom)))
    }

    /// Returns whether the step changed no fluent atom.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.deleted.is_empty()
    }
}

impl ObservedTransition {
    /// Returns the successor state, or `None` if the action was refused.
    #[must_use]
    pub const fn next(&self) -> Option<StateId> {
        match &self.outcome {
            ObservedOutcome::Refused => None,
            ObservedOutcome::Done { next, .. } => Some(*next),
        }
    }

    /// Returns the changes, or `None` if the action was refused.
    #[must_use]
    pub const fn change(&self) -> Option<&StateChange> {
        match &self.outcome {
            ObservedOutcome::Refused => None,
            ObservedOutcome::Done { change, .. } => Some(change),
        }
    }
}

/// Returns, for each type union, the objects of the problem that belong to it.
pub(crate) fn objects_of(vocabulary: &Vocabulary, types: &[TypeUnion]) -> Vec<Vec<ObjectId>> {
    let fitting = |types: &TypeUnion| {
        let objects = (0..vocabulary.objects.len()).map(ObjectId::from_index);
        objects.filter(|&object| vocabulary.fits(object, types)).collect()
    };
    types.iter().map(fitting).collect()
}

/// Returns the arguments of an atom after substituting `values` for its variables.
pub(crate) fn ground(atom: &Atom, values: &[ObjectId]) -> Vec<ObjectId> {
    let value = |&term: &Term| match term {
        Term::Variable(variable) => values[variable.index()],
        Term::Object(constant) => constant,
    };
    atom.arguments.iter().map(value).collect()
}
