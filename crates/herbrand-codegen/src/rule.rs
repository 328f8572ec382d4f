//! Typed Datalog: the relations and rules of which programs are made.

use herbrand_datalog::RelationId;
use herbrand_pddl::{FunctionId, ObjectId, PredicateId, SchemaId, TypeUnion};

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    Object,
    /// The value of a function.
    Number,
    /// How many objects of a type.
    Count,
}

/// What the facts of a relation say, and so where they come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The objects of the types.
    Type(TypeUnion),
    /// The objects of the types, in order, each with its position from 0.
    Order(TypeUnion),
    /// The number of the objects of the types.
    Size(TypeUnion),
    /// The atoms of a predicate that no rule derives.
    Given(PredicateId),
    /// The atoms of a static or static derived predicate that hold in every state. The relaxed program negates these.
    Known(PredicateId),
    /// The values of a function.
    Function(FunctionId),
    /// The atoms of a derived predicate.
    Derived(PredicateId),
    /// A part of a condition that other rules read.
    Auxiliary,
    /// The instances of an action schema.
    Action(SchemaId),
}

/// A relation: facts of one shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Relation {
    /// The Rust identifier.
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) role: Role,
    /// What a fact says, as a sentence about the arguments, in an exact program.
    pub(crate) sentence: String,
}

/// An argument.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Term {
    Variable(String),
    Constant(ObjectId),
    /// The count 0.
    Zero,
    /// The count after that of a variable.
    Next(String),
}

/// A relation applied to terms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Atom {
    pub(crate) relation: RelationId,
    pub(crate) terms: Vec<Term>,
}

/// A condition of a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Clause {
    Holds(Atom),
    Absent(Atom),
    Equal(Term, Term),
    Distinct(Term, Term),
    /// The comparison function of this name holds for the numbers that these variables are bound to.
    Compare {
        function: String,
        numbers: Vec<String>,
    },
}

/// The head is a fact for every binding of the variables under which the body holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rule {
    pub(crate) head: Atom,
    pub(crate) body: Vec<Clause>,
}

impl Term {
    /// The variable that is read, if any.
    pub(crate) fn variable(&self) -> Option<&str> {
        match self {
            Self::Variable(name) | Self::Next(name) => Some(name),
            Self::Constant(_) | Self::Zero => None,
        }
    }
}

impl Atom {
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().filter_map(Term::variable)
    }
}

impl Clause {
    /// The variables, as often as they occur.
    pub(crate) fn variables(&self) -> Vec<&str> {
        match self {
            Self::Holds(atom) | Self::Absent(atom) => atom.variables().collect(),
            Self::Equal(left, right) | Self::Distinct(left, right) => {
                [left, right].into_iter().filter_map(Term::variable).collect()
            }
            Self::Compare { numbers, .. } => numbers.iter().map(String::as_str).collect(),
        }
    }
}

impl Rule {
    /// The relations that the body reads, and whether it asks for the absence of a fact.
    pub(crate) fn reads(&self) -> impl Iterator<Item = (RelationId, bool)> {
        self.body.iter().filter_map(|clause| match clause {
            Clause::Holds(atom) => Some((atom.relation, false)),
            Clause::Absent(atom) => Some((atom.relation, true)),
            Clause::Equal(..) | Clause::Distinct(..) | Clause::Compare { .. } => None,
        })
    }
}
