//! A checked problem.

use super::{
    Domain, Effect, Expression, Formula, FunctionId, Name, Number, Object, ObjectId, PredicateId,
    Probability, Variable,
};
use crate::{Origin, Requirement, Requirements};

/// A planning problem, checked and resolved against its domain.
///
/// All ids but [`ObjectId`] are the domain's. The objects are the domain's constants, then the problem's own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Problem {
    /// The name.
    pub name: Name,
    /// The domain's name, as the problem states it.
    pub domain_name: Name,
    /// A fingerprint of the domain it was checked against ([`Domain::fingerprint`](super::Domain::fingerprint)).
    pub domain_fingerprint: u128,
    /// The requirement flags, as declared here.
    pub requirements: Requirements,
    /// All objects: the domain's constants first.
    pub objects: Vec<Object>,
    /// How many of the objects are the domain's constants.
    pub constants: u32,
    /// The atoms that are initially true, in the order written, without repetition.
    pub init: Facts,
    /// The values that functions have initially, in the order written.
    pub values: Vec<FunctionValue>,
    /// What chance adds to the initial state: independent distributions (PPDDL 1.0).
    pub chances: Vec<InitialChance>,
    /// The variables that the goal's quantifiers bind.
    pub goal_variables: Vec<Variable>,
    /// The goal; true when the problem states none and [`has_goal`](Self::has_goal) is unset.
    pub goal: Formula,
    /// Whether a goal is stated at all. Without one, no state is a goal state.
    pub has_goal: bool,
    /// The reward for reaching the goal (`:goal-reward`), if stated.
    pub goal_reward: Option<Number>,
    /// The metric, if stated.
    pub metric: Option<Metric>,
    /// What it was read from: the text that its places refer to, but for those of the domain's constants.
    pub origin: Origin,
}

impl Problem {
    /// The object `id`.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    /// Whether steps are rewarded by the change of `reward`: whether the problem or its domain requires `:rewards` or
    /// `:mdp`. Without that a function called `reward` is one like any other.
    #[must_use]
    pub const fn has_rewards(&self, domain: &Domain) -> bool {
        let (own, shared) = (self.requirements, domain.requirements);
        own.contains(Requirement::Rewards)
            || own.contains(Requirement::Mdp)
            || shared.contains(Requirement::Rewards)
            || shared.contains(Requirement::Mdp)
    }

    /// The values of functions that never change: those that no effect names, and that chance does not set initially.
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

/// Marks the functions that chance sets.
pub(crate) fn mark_drawn(chances: &[InitialChance], marked: &mut [bool]) {
    for (_, outcome) in chances.iter().flat_map(|chance| &chance.alternatives) {
        let functions = outcome.values.iter().map(|value| value.function.index());
        functions.for_each(|function| marked[function] = true);
        mark_drawn(&outcome.chances, marked);
    }
}

/// A list of ground atoms in one flat block: 4 bytes an argument and 8 an atom.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Facts {
    /// Each atom's predicate, and where its arguments end.
    atoms: Vec<(PredicateId, u32)>,
    arguments: Vec<ObjectId>,
}

/// One ground atom of [`Facts`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fact<'a> {
    /// The predicate.
    pub predicate: PredicateId,
    /// The arguments.
    pub arguments: &'a [ObjectId],
}

impl Facts {
    /// Appends an atom.
    pub fn push(&mut self, predicate: PredicateId, arguments: &[ObjectId]) {
        self.arguments.extend_from_slice(arguments);
        let end = u32::try_from(self.arguments.len()).expect("a text of 4 GiB names fewer than 2^32 objects");
        self.atoms.push((predicate, end));
    }

    /// The number of atoms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The atom at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Fact<'_>> {
        (index < self.len()).then(|| self.at(index))
    }

    fn at(&self, index: usize) -> Fact<'_> {
        let (predicate, end) = self.atoms[index];
        let start = if index == 0 { 0 } else { self.atoms[index - 1].1 };
        Fact {
            predicate,
            arguments: &self.arguments[start as usize..end as usize],
        }
    }

    /// The bytes that the facts hold on to.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.atoms.len() * size_of::<(PredicateId, u32)>() + self.arguments.len() * size_of::<ObjectId>()
    }

    /// The atoms, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Fact<'_>> {
        (0..self.len()).map(|index| self.at(index))
    }
}

/// `(= (function arguments…) value)` in an initial state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionValue {
    /// The function.
    pub function: FunctionId,
    /// The arguments.
    pub arguments: Vec<ObjectId>,
    /// The value.
    pub value: Number,
}

/// One probabilistic element of an initial state: one of the alternatives, or none with what is left of 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct InitialChance {
    /// The alternatives.
    pub alternatives: Vec<(Probability, InitialOutcome)>,
}

/// What one alternative of an initial state holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct InitialOutcome {
    /// The atoms that become true.
    pub facts: Facts,
    /// The values that functions get.
    pub values: Vec<FunctionValue>,
    /// Further draws inside this alternative.
    pub chances: Vec<InitialChance>,
}

/// What a plan is judged by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Metric {
    /// Whether less or more is better.
    pub direction: Direction,
    /// The quantity, read in the last state.
    pub expression: Expression,
}

/// Whether less or more of a metric is better.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Direction {
    /// `minimize`
    Minimize,
    /// `maximize`
    Maximize,
}
