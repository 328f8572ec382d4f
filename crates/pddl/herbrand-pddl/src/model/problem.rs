//! Problems after checking: objects, initial state, goal and metric.

use super::{
    Domain, Effect, Expression, Formula, FunctionId, Name, Number, Object, ObjectId, PredicateId,
    Probability, Variable,
};
use herbrand_text::Origin;

use crate::requirements::{Requirement, Requirements};

/// A planning problem, checked and resolved against its domain. [`Problem::parse`] makes one from a text. Pass it, with
/// its domain, to grounding.
///
/// All ids except [`ObjectId`] refer to the domain. The objects are the domain's constants, followed by the problem's own
/// objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Problem {
    /// The problem's name.
    pub name: Name,
    /// The name of the domain, as stated by the problem.
    pub domain_name: Name,
    /// The [fingerprint](super::Domain::fingerprint) of the domain that the problem was checked against.
    pub domain_fingerprint: u128,
    /// The requirement flags that the problem declares.
    pub requirements: Requirements,
    /// All objects, by [`ObjectId`], the domain's constants first.
    pub objects: Vec<Object>,
    /// The number of objects that are constants of the domain.
    pub constants: u32,
    /// The atoms that are initially true, in the order written and without duplicates.
    pub init: AtomList,
    /// The initial values of functions, in the order written.
    pub values: Vec<FunctionValue>,
    /// The independent draws that add atoms and values to the initial state (PPDDL 1.0); empty if it is not random.
    pub chances: Vec<InitialChance>,
    /// The timed initial literals (PDDL 2.2), in the order of their times and then as written.
    pub timed: Vec<TimedLiterals>,
    /// All variables that the goal's quantifiers bind, by [`VariableId`](super::VariableId).
    pub goal_variables: Vec<Variable>,
    /// The goal. If the problem states none, it is [`Formula::TRUE`], and [`has_goal`](Self::has_goal) is `false`.
    pub goal: Formula,
    /// Whether the problem states a goal. Without a goal, no state is a goal state.
    pub has_goal: bool,
    /// The reward for reaching the goal (`:goal-reward`), if the problem states one.
    pub goal_reward: Option<Number>,
    /// The metric, if the problem states one.
    pub metric: Option<Metric>,
    /// The source text, to which all places in the problem refer, except the places of the domain's constants.
    pub origin: Origin,
}

impl Problem {
    /// Returns the object with the given id.
    ///
    /// # Panics
    /// If the problem has no object with this id.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    /// Returns whether the reward of a step is the change of the function `reward`. This is so if the problem or its
    /// domain declares `:rewards` or `:mdp`. Otherwise a function called `reward` has no special meaning. Pass the
    /// domain that the problem was checked against.
    #[must_use]
    pub const fn has_rewards(&self, domain: &Domain) -> bool {
        let (own, shared) = (self.requirements, domain.requirements);
        own.contains(Requirement::Rewards)
            || own.contains(Requirement::Mdp)
            || shared.contains(Requirement::Rewards)
            || shared.contains(Requirement::Mdp)
    }

    /// Iterates, in the order written, over the initial values that never change: values of functions that no effect
    /// assigns and no initial draw sets. Pass the domain that the problem was checked against; another one may cause a
    /// panic.
    pub fn static_values(&self, domain: &Domain) -> impl Iterator<Item = &FunctionValue> {
        let mut changes = vec![false; domain.functions.len()];
        for schema in &domain.schemas {
            schema.effect.walk(&mut |part| {
                if let Effect::Assign(assignment) = part {
                    changes[assignment.target.function.index()] = true;
                }
            });
        }
        mark_drawn(&self.chances, &mut changes);
        let values = self.values.iter();
        values.filter(move |value| !changes[value.function.index()])
    }
}

/// Marks the functions that an initial draw sets.
pub(crate) fn mark_drawn(chances: &[InitialChance], marked: &mut [bool]) {
    for (_, outcome) in chances.iter().flat_map(|chance| &chance.alternatives) {
        let functions = outcome.values.iter().map(|value| value.function.index());
        functions.for_each(|function| marked[function] = true);
        mark_drawn(&outcome.chances, marked);
    }
}

/// A list of ground atoms of one problem in compact form: 8 bytes per atom and 4 per argument. [`Problem::init`] is
/// one. The default is the empty list; [`push`](Self::push) adds an atom.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct AtomList {
    /// For each atom: its predicate and the end of its arguments in `arguments`.
    atoms: Vec<(PredicateId, u32)>,
    arguments: Vec<ObjectId>,
}

/// One ground atom of an [`AtomList`], borrowed from the list. [`AtomList::get`] and [`AtomList::iter`] return it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtomRef<'a> {
    /// The predicate of the atom.
    pub predicate: PredicateId,
    /// The arguments of the atom.
    pub arguments: &'a [ObjectId],
}

impl AtomList {
    /// Appends an atom. The predicate and the objects are not checked, and an atom may occur more than once. Panics if
    /// the list has 2^32 arguments in all.
    pub fn push(&mut self, predicate: PredicateId, arguments: &[ObjectId]) {
        self.arguments.extend_from_slice(arguments);
        let end = u32::try_from(self.arguments.len()).expect("a text of 4 GiB names fewer than 2^32 objects");
        self.atoms.push((predicate, end));
    }

    /// Returns the number of atoms in the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Returns whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// Returns the atom at `index`, counted from 0; `None` if `index` is not less than [`len`](Self::len).
    #[must_use]
    pub fn get(&self, index: usize) -> Option<AtomRef<'_>> {
        (index < self.len()).then(|| self.at(index))
    }

    fn at(&self, index: usize) -> AtomRef<'_> {
        let (predicate, end) = self.atoms[index];
        let start = if index == 0 { 0 } else { self.atoms[index - 1].1 };
        AtomRef {
            predicate,
            arguments: &self.arguments[start as usize..end as usize],
        }
    }

    /// Returns the memory that the atoms take, in bytes, without spare capacity.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.atoms.len() * size_of::<(PredicateId, u32)>() + self.arguments.len() * size_of::<ObjectId>()
    }

    /// Iterates over the atoms in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = AtomRef<'_>> {
        (0..self.len()).map(|index| self.at(index))
    }
}

/// An initial value of a function: `(= (function arguments…) value)`. [`Problem::values`] lists them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionValue {
    /// The function of the term.
    pub function: FunctionId,
    /// The arguments of the term.
    pub arguments: Vec<ObjectId>,
    /// The initial value of the term. A term that [`Problem::values`] does not list has no value at first.
    pub value: Number,
}

/// The changes of the state at a time that the problem gives: `(at 9 (open))`. [`Problem::timed`] lists them, once for each
/// time.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TimedLiterals {
    /// The time since the start of the plan, in the units of time of the domain; at least 0.
    pub time: Number,
    /// The atoms that become true.
    pub adds: AtomList,
    /// The atoms that become false.
    pub deletes: AtomList,
    /// The values that function terms take.
    pub values: Vec<FunctionValue>,
}

impl TimedLiterals {
    /// Adds the changes of `other`, which has the same time.
    pub(crate) fn join(&mut self, other: &Self) {
        for (into, atoms) in [(&mut self.adds, &other.adds), (&mut self.deletes, &other.deletes)] {
            atoms
                .iter()
                .for_each(|atom| into.push(atom.predicate, atom.arguments));
        }
        self.values.extend_from_slice(&other.values);
    }
}

/// A draw in an initial state. At most one of the alternatives is drawn: if their probabilities sum to less than 1,
/// none is drawn with the remaining probability. [`Problem::chances`] lists them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct InitialChance {
    /// The alternatives with their probabilities, in the order written.
    pub alternatives: Vec<(Probability, InitialOutcome)>,
}

/// One alternative of a draw in an initial state: its additions to the state. [`InitialChance::alternatives`] lists
/// them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct InitialOutcome {
    /// The atoms that become true.
    pub facts: AtomList,
    /// The values that function terms take.
    pub values: Vec<FunctionValue>,
    /// Further draws that take place if this alternative is drawn.
    pub chances: Vec<InitialChance>,
}

/// The metric of a problem: a quantity that measures the quality of plans, and whether it should be small or large.
/// [`Problem::metric`] holds it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Metric {
    /// Whether smaller or larger values are better.
    pub direction: MetricDirection,
    /// The quantity, evaluated in the last state of the plan. Its terms have no variables.
    pub expression: Expression,
}

/// The direction of optimisation of a metric. It is [`Metric::direction`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum MetricDirection {
    /// `minimize`
    Minimize,
    /// `maximize`
    Maximize,
}
