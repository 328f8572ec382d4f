//! Tests of trees: conjunctive queries over the variables of a node.

use std::cmp::Ordering;

use herbrand_pddl::{Atom, ObjectId, Place, PredicateId, Term, TypeUnion, VariableId};

use crate::experience::StateId;

/// A test of a node. The node's variables are `0..n`; those of the test itself are numbered from `n` on and are bound
/// existentially.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Test {
    /// Two terms are one object.
    Equal(Term, Term),
    /// All atoms hold for some objects of these types.
    Exists { fresh: Vec<TypeUnion>, atoms: Vec<Atom> },
}

/// What the variables of a node stand for in one example, and the example's class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sample {
    pub state: StateId,
    pub values: Vec<ObjectId>,
    pub class: u32,
    /// The index of the transition that the example is of.
    pub transition: usize,
}

/// How many bindings of its own variables a test has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Count {
    None,
    One,
    Many,
}

/// A test on the way from the root of a tree to a leaf.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub test: Test,
    /// Whether the test succeeds here.
    pub holds: bool,
    /// What becomes of the test's own variables.
    pub role: Role,
}

/// What a test does on the way to a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It splits examples; its variables are its own.
    Splits,
    /// It splits examples; where it succeeds its variables have one value each, and become variables of the node.
    SplitsAndBinds,
    /// It succeeds with one value for each of its variables in all examples, and gives the node these variables.
    Binds,
}

/// The way from the root to a node: the tests, and the types of the node's variables.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// The types of the variables; the first ones are those of the root.
    pub variables: Vec<TypeUnion>,
    pub conditions: Vec<Condition>,
}

impl Test {
    /// The types of the test's own variables.
    pub fn fresh(&self) -> &[TypeUnion] {
        match self {
            Self::Equal(..) => &[],
            Self::Exists { fresh, .. } => fresh,
        }
    }

    /// The variables that stand in the test, its own among them.
    pub fn variables(&self) -> impl Iterator<Item = usize> + '_ {
        let (pair, atoms): ([Option<Term>; 2], &[Atom]) = match self {
            Self::Equal(one, other) => ([Some(*one), Some(*other)], &[]),
            Self::Exists { atoms, .. } => ([None, None], atoms),
        };
        let terms = atoms.iter().flat_map(|atom| atom.arguments.iter().copied());
        pair.into_iter()
            .flatten()
            .chain(terms)
            .filter_map(|term| match term {
                Term::Variable(variable) => Some(variable.index()),
                Term::Object(_) => None,
            })
    }

    /// Of two tests that tell examples apart equally well, the simpler one comes first: fewer atoms, fewer variables of
    /// its own, earlier declarations.
    pub fn simpler(&self, other: &Self) -> Ordering {
        let size = |test: &Self| match test {
            Self::Equal(..) => (0, 0),
            Self::Exists { fresh, atoms } => (atoms.len(), fresh.len()),
        };
        size(self).cmp(&size(other))
    }
}

impl Path {
    /// The root of a tree over variables of these types.
    pub fn root(variables: Vec<TypeUnion>) -> Self {
        Self {
            variables,
            conditions: Vec::new(),
        }
    }

    /// The way one test further.
    pub fn with(&self, test: &Test, holds: bool, role: Role) -> Self {
        let mut path = self.clone();
        if role != Role::Splits && holds {
            path.variables.extend(test.fresh().iter().cloned());
        }
        path.conditions.push(Condition {
            test: test.clone(),
            holds,
            role: if holds { role } else { Role::Splits },
        });
        path
    }
}

/// An atom over terms.
pub(crate) fn atom(predicate: PredicateId, arguments: Vec<Term>) -> Atom {
    Atom {
        predicate,
        arguments,
        place: Place::default(),
    }
}

/// The variable of this index.
pub(crate) fn term(index: usize) -> Term {
    Term::Variable(VariableId::from_index(index))
}
