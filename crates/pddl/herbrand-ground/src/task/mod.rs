//! The ground task: a planning problem without variables.

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

use herbrand_pddl::{AtomList, FunctionId, MetricDirection, ObjectId, PredicateId, SchemaId};

pub use action::{GroundAction, GroundActions};
pub use check::InvalidTask;
pub use condition::{Conditions, Conjunction, GroundComparison, GroundExpression};
pub use distribution::Distribution;
pub use effect::{Block, BlockDraw, BlockParts, Effects, GroundAssignment};
pub use ids::{
    ActionId, AtomId, BlockId, ChanceId, ConditionId, ConjunctionId, ExpressionId, Literal, NumericId,
};
pub use rows::Rows;
pub use vocabulary::{PredicateDeclaration, Signature, Vocabulary};

/// A ground planning problem: atoms, numeric fluents, actions, axioms, initial state and goal, stored in flat lists.
/// [`ground`](crate::ground) returns it.
///
/// Only atoms that can change have an id. Static atoms, types and equalities are decided during grounding and occur in no
/// condition; static atoms are listed in [`statics`](Self::statics) for observers. Atoms that are unreachable under delete
/// relaxation, and actions that are not applicable under it, have no id either.
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
    /// The names of the predicates, functions, schemas, objects and types to which the task's ids refer.
    pub vocabulary: Arc<Vocabulary>,
    /// The atoms by [`AtomId`]: first the fluents, then the derived atoms, each in ascending order of predicate and
    /// arguments.
    pub atoms: AtomList,
    /// The number of fluent atoms; the other atoms are derived.
    pub fluents: u32,
    /// The atoms that are true in every state: the atoms of static predicates in the order of the text, then the derived
    /// atoms that do not depend on fluents.
    pub statics: AtomList,
    /// The numeric fluents that can change, by [`NumericId`].
    pub numerics: Vec<Numeric>,
    /// The number of numeric fluents in a state. The others are accumulators, such as total cost and reward: they are only
    /// increased or decreased, by amounts that do not depend on accumulators, and only the metric reads them.
    pub state_numerics: u32,
    /// The nodes of all expressions, by [`ExpressionId`].
    pub expressions: Vec<GroundExpression>,
    /// All conditions: preconditions, effect conditions, bodies of axioms and the goal.
    pub conditions: Conditions,
    /// All effects of actions and of the initial state.
    pub effects: Effects,
    /// The actions by [`ActionId`], in ascending order of schema and arguments.
    pub actions: GroundActions,
    /// The axioms, ordered by stratum.
    pub axioms: Vec<GroundAxiom>,
    /// The end of each stratum: the number of axioms in it and in the strata before. Axioms only negate atoms of
    /// earlier strata.
    pub strata: Vec<u32>,
    /// The fluent atoms that are initially true, ascending.
    pub initial: Vec<AtomId>,
    /// The random additions to the initial state: a block of draws, usually empty.
    pub initial_chance: BlockId,
    /// The goal. It is false if the problem has no goal.
    pub goal: ConditionId,
    /// The numeric fluent that accumulates the reward; `None` if the task has no rewards, or if nothing changes them.
    /// The reward of a step is the change of its value.
    pub reward: Option<NumericId>,
    /// The reward for entering a goal state. `None` means 1 if `reward` is `None`, and 0 otherwise.
    pub goal_reward: Option<f64>,
    /// The metric of plans and the direction of its optimisation, if the problem has one.
    pub metric: Option<(MetricDirection, ExpressionId)>,
}

/// A numeric fluent: a function with its arguments, whose value can change. [`GroundTask::numerics`] lists them.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Numeric {
    /// The function of the fluent.
    pub function: FunctionId,
    /// The arguments of the function.
    pub arguments: Vec<ObjectId>,
    /// The initial value; `None` if the problem does not define it.
    pub initial: Option<f64>,
}

/// A ground axiom `head ← body`: the head is true if the body is. [`GroundTask::axioms`] lists them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroundAxiom {
    /// The derived atom that the axiom makes true.
    pub head: AtomId,
    /// The conjunction that implies the head.
    pub body: ConjunctionId,
}

impl GroundTask {
    /// Returns the number of fluent atoms in the task.
    #[must_use]
    pub fn fluent_count(&self) -> usize {
        self.fluents as usize
    }

    /// Returns the number of atoms in the task, fluent and derived.
    #[must_use]
    pub fn atom_count(&self) -> usize {
        self.atoms.len()
    }

    /// Returns the size of the task in bytes, without names and numeric fluents.
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

    /// Returns whether an atom of the task is derived; if not, it is fluent. An id that the task does not have counts
    /// as derived.
    #[must_use]
    pub fn is_derived(&self, atom: AtomId) -> bool {
        atom.number() >= self.fluents
    }

    /// Returns the id of a fluent or derived atom; `None` if the atom is static or unreachable. Takes time logarithmic
    /// in the number of atoms. Static atoms that hold are listed in [`statics`](Self::statics).
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

    /// Returns the id of the action of a schema with these arguments; `None` if the action is never applicable under
    /// delete relaxation, so the task does not have it. Takes time logarithmic in the number of actions. The same for a
    /// wrong number or type of arguments.
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

    /// Formats an atom in PDDL syntax. Does not allocate.
    ///
    /// # Panics
    /// If `id` is not an atom of this task.
    pub fn display_atom(&self, id: AtomId) -> impl fmt::Display + '_ {
        let atom = self.atoms.get(id.index()).expect("an atom of this task");
        self.vocabulary.term(
            &self.vocabulary.predicate(atom.predicate).signature.name,
            atom.arguments,
        )
    }

    /// Formats an action in PDDL syntax. Does not allocate. Panics if the task has no such action.
    pub fn display_action(&self, id: ActionId) -> impl fmt::Display + '_ {
        let action = self.actions.get(id);
        self.vocabulary
            .term(&self.vocabulary.schema(action.schema).name, action.arguments)
    }

    /// Formats a numeric fluent in PDDL syntax. Does not allocate. Panics if the task has no such numeric fluent.
    pub fn display_numeric(&self, id: NumericId) -> impl fmt::Display + '_ {
        let numeric = &self.numerics[id.index()];
        self.vocabulary.term(
            &self.vocabulary.function(numeric.function).name,
            &numeric.arguments,
        )
    }

    /// Returns the literals of the goal, such as for counting the literals that do not hold; `None` if the goal is not one
    /// conjunction of literals, because it has several disjuncts, compares numbers, or can never hold. A quantified goal
    /// may have an auxiliary derived atom as a literal.
    ///
    /// ```
    /// use herbrand_ground::{GroundOptions, ground};
    /// use herbrand_pddl::{Domain, Problem};
    ///
    /// let domain = Domain::from_text("(define (domain lamps) (:predicates (on ?x))
    ///     (:action light :parameters (?x) :effect (on ?x)) (:action douse :parameters (?x) :effect (not (on ?x))))")?;
    /// let literals = |goal: &str| -> Result<Option<usize>, Box<dyn std::error::Error>> {
    ///     let text = format!("(define (problem p) (:domain lamps) (:objects a b) (:init (on a)) (:goal {goal}))");
    ///     let task = ground(&domain, &Problem::from_text(&text, &domain)?, &GroundOptions::default())?;
    ///     Ok(task.goal_literals().map(<[_]>::len))
    /// };
    /// assert_eq!(literals("(and (on b) (not (on a)))")?, Some(2));
    /// assert_eq!(literals("(or (on b) (not (on a)))")?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn goal_literals(&self) -> Option<&[Literal]> {
        let mut disjuncts = self.conditions.conjunctions(self.goal);
        let only = disjuncts.next().filter(|_| disjuncts.next().is_none())?;
        let goal = self.conditions.get(only);
        goal.comparisons.is_empty().then_some(goal.literals)
    }

    /// Iterates over the axioms of each stratum, lowest stratum first. The axioms of a stratum may be applied in any
    /// order until nothing changes.
    pub fn strata(&self) -> impl Iterator<Item = &[GroundAxiom]> {
        let starts = std::iter::once(0).chain(self.strata.iter().copied());
        starts
            .zip(&self.strata)
            .map(|(start, &end)| &self.axioms[start as usize..end as usize])
    }
}

/// Returns the first index of `range` for which `before` is false. `before` must not be true after it was false.
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
