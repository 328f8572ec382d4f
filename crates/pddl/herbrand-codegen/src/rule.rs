//! Typed Datalog: the relations and rules of the generated programs.

use herbrand_datalog::RelationId;
use herbrand_pddl::{FunctionId, ObjectId, PredicateId, SchemaId, TypeUnion};

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    Object,
    /// The value of a function.
    Number,
    /// A number of objects.
    Count,
}

/// The meaning of a relation's facts, which determines their source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The objects of the types.
    Type(TypeUnion),
    /// The objects of the types, each with its index.
    Order(TypeUnion),
    /// The number of objects of the types.
    Size(TypeUnion),
    /// The atoms of a predicate that is not derived.
    Given(PredicateId),
    /// The atoms of a static or static derived predicate that hold in every state. The relaxed program negates only these.
    Known(PredicateId),
    /// The values of a function.
    Function(FunctionId),
    /// The atoms of a derived predicate.
    Derived(PredicateId),
    /// An auxiliary predicate: a part of a condition.
    Auxiliary,
    /// The instances of an action schema.
    Action(SchemaId),
}

/// A relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Relation {
    /// The Rust identifier.
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) role: Role,
    /// The meaning of a fact in an exact program, as a sentence about the arguments.
    pub(crate) sentence: String,
}

/// An argument of an atom.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Term {
    Variable(String),
    Constant(ObjectId),
    /// The count 0.
    Zero,
    /// The count of a variable plus 1.
    Next(String),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Atom {
    pub(crate) relation: RelationId,
    pub(crate) terms: Vec<Term>,
}

/// A condition in a rule body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Clause {
    Holds(Atom),
    Absent(Atom),
    Equal(Term, Term),
    Distinct(Term, Term),
    /// The comparison function with this name holds for the values of these variables.
    Compare {
        function: String,
        numbers: Vec<String>,
    },
}

/// A rule: the head holds for every binding of the variables that satisfies the body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rule {
    pub(crate) head: Atom,
    pub(crate) body: Vec<Clause>,
}

impl Term {
    /// Returns the variable of the term, if any.
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
    /// Returns the variables, with repetitions.
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
    /// Returns the relations that the body reads, each with whether it occurs negated.
    pub(crate) fn reads(&self) -> impl Iterator<Item = (RelationId, bool)> {
        self.body.iter().filter_map(|clause| match clause {
            Clause::Holds(atom) => Some((atom.relation, false)),
            Clause::Absent(atom) => Some((atom.relation, true)),
            Clause::Equal(..) | Clause::Distinct(..) | Clause::Compare { .. } => None,
        })
    }
}
