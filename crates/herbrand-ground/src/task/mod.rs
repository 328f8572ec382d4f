//! The ground task: what a planning problem comes down to once every variable has a value.

mod action;
mod check;
mod condition;
mod display;
mod distribution;
mod effect;
mod ids;
pub(crate) mod renumber;
mod rows;
#[cfg(feature = "serde")]
mod serial;
mod vocabulary;

use std::fmt;
use std::sync::Arc;

use herbrand_pddl::{Direction, Facts, FunctionId, ObjectId, PredicateId, SchemaId};

pub use action::{Actions, GroundAction};
pub use check::InvalidTask;
pub use condition::{Conditions, Conjunction, GroundComparison, GroundExpression};
pub use distribution::Distribution;
pub use effect::{Block, BlockParts, Draw, Effects, GroundAssignment};
pub use ids::{
    ActionId, AtomId, BlockId, ChanceId, ConditionId, ConjunctionId, ExpressionId, Literal, NumericId,
};
pub use rows::Rows;
pub use vocabulary::{PredicateName, Signature, Vocabulary};

/// A grounded planning problem: atoms, numeric fluents, actions, axioms, initial state and goal, in flat blocks.
///
/// Only what can change has an id. Atoms of static predicates, types and equalities are decided while grounding and
/// occur in no condition; they are listed in [`statics`](Self::statics) for observers. Atoms and actions that no
/// sequence of actions can make true or applicable, deletes and negative conditions ignored, have no id either.
///
/// ```
/// use herbrand_ground::{GroundOptions, ground};
/// use herbrand_pddl::{Domain, Problem};
///
/// let domain = Domain::from_text("(define (domain ring) (:predicates (at ?x) (next ?x ?y))
///     (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x)))))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain ring) (:objects a b far)
///     (:init (at a) (next a b)) (:goal (at b)))", &domain)?;
/// let task = ground(&domain, &problem, &GroundOptions::default())?;
/// let at = task.vocabulary.find_predicate("at").expect("a predicate");
/// let [a, far] = ["a", "far"].map(|name| task.vocabulary.find_object(name).expect("an object"));
/// // Nothing leads to `far`, so it has no atom, and no action goes there.
/// assert!(task.find_atom(at, &[a]).is_some() && task.find_atom(at, &[far]).is_none());
/// assert_eq!((task.atom_count(), task.actions.len(), task.statics.len()), (2, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct GroundTask {
    /// What ids are called.
    pub vocabulary: Arc<Vocabulary>,
    /// The atoms by [`AtomId`], in ascending order of predicate and arguments among the fluents and among the
    /// derived atoms.
    pub atoms: Facts,
    /// How many of the atoms are fluents; the others are derived.
    pub fluents: u32,
    /// The atoms that are true in every state: those of static predicates in the order of the text, then derived
    /// atoms that depend on nothing that changes.
    pub statics: Facts,
    /// The numeric fluents that can change, by [`NumericId`].
    pub numerics: Vec<Numeric>,
    /// How many of the numeric fluents are part of a state. The others are accumulators: only increased or
    /// decreased, by amounts that do not depend on them, and read by nothing but the metric (total cost, reward).
    pub state_numerics: u32,
    /// The nodes of all expressions.
    pub expressions: Vec<GroundExpression>,
    /// All conditions.
    pub conditions: Conditions,
    /// All effects.
    pub effects: Effects,
    /// The actions by [`ActionId`], in ascending order of schema and arguments.
    pub actions: Actions,
    /// The axioms, stratum by stratum.
    pub axioms: Vec<GroundAxiom>,
    /// Where each stratum ends in the list of axioms. Axioms negate only atoms of earlier strata.
    pub strata: Vec<u32>,
    /// The fluent atoms that are initially true, ascending.
    pub initial: Vec<AtomId>,
    /// What chance adds to the initial state: a block of draws (usually empty).
    pub initial_chance: BlockId,
    /// The goal; it never holds when the problem states none.
    pub goal: ConditionId,
    /// What counts the reward, when the task has rewards and something changes it.
    pub reward: Option<NumericId>,
    /// The reward for entering a goal state: 1 where nothing is said here and nothing counts the reward, else 0.
    pub goal_reward: Option<f64>,
    /// What a plan is judged by, if stated.
    pub metric: Option<(Direction, ExpressionId)>,
}

/// A numeric fluent.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Numeric {
    /// The function.
    pub function: FunctionId,
    /// The arguments.
    pub arguments: Vec<ObjectId>,
    /// The initial value; `None` while it is undefined.
    pub initial: Option<f64>,
}

/// The rule `head ← body`: the head is true when all of the body is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroundAxiom {
    /// The derived atom.
    pub head: AtomId,
    /// The body.
    pub body: ConjunctionId,
}

impl GroundTask {
    /// The number of fluent atoms.
    #[must_use]
    pub fn fluent_count(&self) -> usize {
        self.fluents as usize
    }

    /// The number of atoms, fluent and derived.
    #[must_use]
    pub fn atom_count(&self) -> usize {
        self.atoms.len()
    }

    /// The bytes that the task holds on to, names and numeric fluents not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.atoms.bytes()
            + self.statics.bytes()
            + self.expressions.len() * size_of::<GroundExpression>()
            + self.conditions.bytes()
            + self.effects.bytes()
            + self.actions.bytes()
            + self.axioms.len() * size_of::<GroundAxiom>()
            + self.initial.len() * size_of::<AtomId>()
    }

    /// Whether an atom is derived.
    #[must_use]
    pub fn is_derived(&self, atom: AtomId) -> bool {
        atom.number() >= self.fluents
    }

    /// The id of a fluent or derived atom; `None` when no reachable state makes it true, or when it is static.
    /// Takes time logarithmic in the number of atoms.
    #[must_use]
    pub fn find_atom(&self, predicate: PredicateId, arguments: &[ObjectId]) -> Option<AtomId> {
        let among = |range: std::ops::Range<usize>| {
            let key = (predicate, arguments);
            let index = partition_point(range.clone(), |index| {
                self.atoms
                    .get(index)
                    .is_some_and(|atom| (atom.predicate, atom.arguments) < key)
            });
            let found = self
                .atoms
                .get(index)
                .filter(|atom| (atom.predicate, atom.arguments) == key);
            (index < range.end && found.is_some()).then(|| AtomId::from_index(index))
        };
        among(0..self.fluent_count()).or_else(|| among(self.fluent_count()..self.atom_count()))
    }

    /// The id of an action; `None` when no reachable state makes it applicable. Takes time logarithmic in the number
    /// of actions.
    #[must_use]
    pub fn find_action(&self, schema: SchemaId, arguments: &[ObjectId]) -> Option<ActionId> {
        let key = (schema, arguments);
        let at = |index: usize| {
            let action = self.actions.get(ActionId::from_index(index));
            (action.schema, action.arguments)
        };
        let index = partition_point(0..self.actions.len(), |index| at(index) < key);
        (index < self.actions.len() && at(index) == key).then(|| ActionId::from_index(index))
    }

    /// The atom `id` as PDDL writes it; displays without allocation.
    ///
    /// # Panics
    /// When `id` is not an atom of this task.
    pub fn display_atom(&self, id: AtomId) -> impl fmt::Display + '_ {
        let atom = self.atoms.get(id.index()).expect("an atom of this task");
        self.vocabulary.term(
            &self.vocabulary.predicate(atom.predicate).signature.name,
            atom.arguments,
        )
    }

    /// The action `id` as PDDL writes it; displays without allocation.
    pub fn display_action(&self, id: ActionId) -> impl fmt::Display + '_ {
        let action = self.actions.get(id);
        self.vocabulary
            .term(&self.vocabulary.schema(action.schema).name, action.arguments)
    }

    /// The numeric fluent `id` as PDDL writes it; displays without allocation.
    pub fn display_numeric(&self, id: NumericId) -> impl fmt::Display + '_ {
        let numeric = &self.numerics[id.index()];
        self.vocabulary.term(
            &self.vocabulary.function(numeric.function).name,
            &numeric.arguments,
        )
    }

    /// The axioms of each stratum, lowest first.
    pub fn strata(&self) -> impl Iterator<Item = &[GroundAxiom]> {
        let starts = std::iter::once(0).chain(self.strata.iter().copied());
        starts
            .zip(&self.strata)
            .map(|(start, &end)| &self.axioms[start as usize..end as usize])
    }
}

/// The first index of `range` for which `before` is false, `before` being true up to some point and false after it.
fn partition_point(range: std::ops::Range<usize>, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
