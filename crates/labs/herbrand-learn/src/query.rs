//! Tests of trees: conjunctive queries over the variables of a node.

use std::cmp::Ordering;

use herbrand_pddl::{Atom, ObjectId, Place, PredicateId, Term, TypeUnion, VariableId};

use crate::experience::StateId;

/// A test of a node. The node has variables `0..n`. Fresh variables of the test are numbered from `n` and are existentially
/// quantified.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Test {
    /// Two terms are the same object.
    Equal(Term, Term),
    /// All atoms hold for some objects of the types `fresh`.
    Exists { fresh: Vec<TypeUnion>, atoms: Vec<Atom> },
}

/// An example: the values of the node's variables in a state, and a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sample {
    pub state: StateId,
    pub values: Vec<ObjectId>,
    pub class: u32,
    /// The index of the transition.
    pub transition: usize,
}

/// The number of bindings of a test's fresh variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Count {
    None,
    One,
    Many,
}

/// A test on the path from the root of a tree to a leaf.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub test: Test,
    /// Whether the path follows the branch on which the test succeeds.
    pub holds: bool,
    /// The use of the test's fresh variables.
    pub role: Role,
}

/// The use of a test on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The test splits examples. Its fresh variables are not visible to later tests.
    Splits,
    /// The test splits examples. On success each fresh variable has one value and becomes a variable of the node.
    SplitsAndBinds,
    /// The test has exactly one binding in every example and adds its variables to the node.
    Binds,
}

/// The path from the root to a node: the tests, and the types of the node's variables.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// The types of the variables, those of the root first.
    pub variables: Vec<TypeUnion>,
    pub conditions: Vec<Condition>,
}

impl Test {
    /// Returns the types of the test's fresh variables.
    pub fn fresh(&self) -> &[TypeUnion] {
        match self {
            Self::Equal(..) => &[],
            Self::Exists { fresh, .. } => fresh,
        }
    }

    /// Returns the variables in the test, including fresh ones.
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

    /// Compares two tests by simplicity; the simpler one is less. A simpler test has fewer atoms, then fewer fresh
    /// variables.
    pub fn simpler(&self, other: &Self) -> Ordering {
        let size = |test: &Self| match test {
            Self::Equal(..) => (0, 0),
            Self::Exists { fresh, atoms } => (atoms.len(), fresh.len()),
        };
        size(self).cmp(&size(other))
    }
}

impl Path {
    /// Returns the empty path of a tree whose root has variables of these types.
    pub fn root(variables: Vec<TypeUnion>) -> Self {
        Self {
            variables,
            conditions: Vec::new(),
        }
    }

    /// Returns the path extended by a test. A test that fails binds no variables.
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

pub(crate) fn atom(predicate: PredicateId, arguments: Vec<Term>) -> Atom {
    Atom {
        predicate,
        arguments,
        place: Place::default(),
    }
}

pub(crate) fn term(index: usize) -> Term {
    Term::Variable(VariableId::from_index(index))
}
