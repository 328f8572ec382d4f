//! Formulas, terms and numeric expressions.

use herbrand_text::Place;

use super::{FunctionId, Name, Number, ObjectId, PredicateId, TypeId, VariableId};

/// What can be an argument: a variable of the enclosing schema, or an object.
///
/// In a domain the objects are its constants; in a problem's goal and initial state all objects of the problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// A parameter or quantified variable.
    Variable(VariableId),
    /// An object or constant.
    Object(ObjectId),
}

/// The types a variable or object belongs to: one, or several for `either`. Never empty.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TypeUnion(Vec<TypeId>);

impl TypeUnion {
    /// The single type `id`.
    #[must_use]
    pub fn single(id: TypeId) -> Self {
        Self(vec![id])
    }

    /// The union of `ids`, in the order written; `object` when `ids` is empty.
    #[must_use]
    pub fn either(ids: Vec<TypeId>) -> Self {
        if ids.is_empty() {
            Self::single(TypeId::OBJECT)
        } else {
            Self(ids)
        }
    }

    /// The types, in the order written.
    #[must_use]
    pub fn types(&self) -> &[TypeId] {
        &self.0
    }
}

/// A variable of a schema, axiom, goal or declaration, with the types of the objects it ranges over.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variable {
    /// The name, without the question mark.
    pub name: Name,
    /// The types it ranges over.
    pub types: TypeUnion,
    /// Where it is bound.
    pub place: Place,
}

/// A predicate applied to terms. The number of terms is the predicate's arity.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// The arguments.
    pub arguments: Vec<Term>,
    /// Where it is in the source.
    pub place: Place,
}

/// A numeric function applied to terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionTerm {
    /// The function.
    pub function: FunctionId,
    /// The arguments.
    pub arguments: Vec<Term>,
    /// Where it is in the source.
    pub place: Place,
}

/// A condition: a precondition, goal, effect condition or axiom body, nested freely.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// The atom is true.
    Atom(Atom),
    /// Both terms name one object.
    Equal(Term, Term),
    /// A comparison of two numbers.
    Compare(Comparison, Box<Expression>, Box<Expression>),
    /// Not.
    Not(Box<Formula>),
    /// All of these; `And` of nothing is true.
    And(Vec<Formula>),
    /// One of these at least; `Or` of nothing is false.
    Or(Vec<Formula>),
    /// The second holds if the first does.
    Imply(Box<Formula>, Box<Formula>),
    /// For every object of the variables' types.
    Forall(Vec<VariableId>, Box<Formula>),
    /// For some objects of the variables' types.
    Exists(Vec<VariableId>, Box<Formula>),
}

/// A goal may be a conjunction of a million atoms.
const _: () = assert!(size_of::<Formula>() <= 40);

impl Formula {
    /// The formula that always holds.
    pub const TRUE: Self = Self::And(Vec::new());
    /// The formula that never holds.
    pub const FALSE: Self = Self::Or(Vec::new());
}

/// How two numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `=`
    Equal,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
}

/// A numeric expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expression {
    /// A number.
    Number(Number),
    /// The value of a function term, which may be undefined.
    Fluent(FunctionTerm),
    /// An operator applied to its operands: one for [`Operator::Negate`], two or more for the others, from left
    /// to right.
    Apply(Operator, Vec<Expression>),
    /// A quantity that only a metric can name.
    Special(Special),
}

/// An arithmetic operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Operator {
    /// `+`
    Add,
    /// `-` with two operands or more
    Subtract,
    /// `*`
    Multiply,
    /// `/`; an error at run time when the divisor is zero
    Divide,
    /// `-` with one operand
    Negate,
}

/// Quantities of a metric that no function declares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Special {
    /// `(total-time)`: the number of steps.
    TotalTime,
    /// `(goal-achieved)`: 1 once the goal holds, else 0 (PPDDL 1.0).
    GoalAchieved,
    /// `(goal-probability)`: the probability of reaching the goal (PPDDL 1.0).
    GoalProbability,
}
