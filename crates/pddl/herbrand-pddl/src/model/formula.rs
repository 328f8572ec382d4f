//! Formulas, terms and numeric expressions.

use herbrand_text::Place;

use super::{FunctionId, Name, Number, ObjectId, PredicateId, TypeId, VariableId};

/// An argument of a predicate or function: a variable of the enclosing schema, or an object. [`Atom::arguments`] and
/// [`FunctionTerm::arguments`] list them.
///
/// In a domain, the objects are its constants. In the goal and the initial state of a problem, they are all objects of the
/// problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// A parameter or quantified variable.
    Variable(VariableId),
    /// An object or constant.
    Object(ObjectId),
}

/// The types of a variable or object: one type, or the alternatives of `either`. Never empty. It is [`Variable::types`]
/// or [`Object::types`](super::Object::types).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TypeUnion(Vec<TypeId>);

impl TypeUnion {
    /// Returns the union of the single type `id`.
    #[must_use]
    pub fn single(id: TypeId) -> Self {
        Self(vec![id])
    }

    /// Returns the union of `ids`, in the given order. If `ids` is empty, returns the union of `object` only. A type
    /// may occur more than once. Whether the ids are types of a domain is not checked.
    #[must_use]
    pub fn either(ids: Vec<TypeId>) -> Self {
        if ids.is_empty() {
            Self::single(TypeId::OBJECT)
        } else {
            Self(ids)
        }
    }

    /// Returns a union of no types, for an element whose type is unknown because of a fault.
    pub(crate) const fn unknown() -> Self {
        Self(Vec::new())
    }

    /// Returns the types of the union in the order written.
    #[must_use]
    pub fn types(&self) -> &[TypeId] {
        &self.0
    }
}

/// A variable of a schema, axiom, goal or declaration, with the types of the objects it ranges over. A [`VariableId`]
/// is its index in the list of its owner.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variable {
    /// The name, without the question mark.
    pub name: Name,
    /// The types it ranges over.
    pub types: TypeUnion,
    /// The place where the variable is bound.
    pub place: Place,
}

/// A predicate applied to terms: an atomic formula. The number of terms is the predicate's arity. It is a part of a
/// [`Formula`] or an [`Effect`](super::Effect).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The predicate.
    pub predicate: PredicateId,
    /// The arguments.
    pub arguments: Vec<Term>,
    /// The place of the atom.
    pub place: Place,
}

/// A numeric function applied to terms: a part of an expression ([`Expression::Fluent`]), or the target of an
/// [`Assignment`](crate::Assignment).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionTerm {
    /// The function.
    pub function: FunctionId,
    /// The arguments.
    pub arguments: Vec<Term>,
    /// The place of the function term.
    pub place: Place,
}

/// A condition: a precondition, goal, effect condition or axiom body. Formulas nest freely. In a schema or rule, a
/// [`VariableId`] is an index into its `variables`, in a goal into
/// [`Problem::goal_variables`](super::Problem::goal_variables).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// The atom is true.
    Atom(Atom),
    /// Both terms denote the same object.
    Equal(Term, Term),
    /// The values of the two expressions compare as stated. False if either value is undefined, divides by zero or
    /// overflows.
    Compare(Comparison, Box<Expression>, Box<Expression>),
    /// The formula does not hold.
    Not(Box<Formula>),
    /// All formulas hold. An empty `And` is true.
    And(Vec<Formula>),
    /// At least one of the formulas holds. An empty `Or` is false.
    Or(Vec<Formula>),
    /// The second formula holds if the first does.
    Imply(Box<Formula>, Box<Formula>),
    /// The formula holds for all combinations of objects of the variables' types; true if no combination exists.
    Forall(Vec<VariableId>, Box<Formula>),
    /// The formula holds for at least one combination of objects of the variables' types; false if no combination
    /// exists.
    Exists(Vec<VariableId>, Box<Formula>),
}

/// Formulas must stay small because a goal may be a conjunction of a million atoms.
const _: () = assert!(size_of::<Formula>() <= 40);

impl Formula {
    /// The formula that always holds.
    pub const TRUE: Self = Self::And(Vec::new());
    /// The formula that never holds.
    pub const FALSE: Self = Self::Or(Vec::new());
}

/// A comparison operator between numbers, the first part of a [`Formula::Compare`].
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

/// A numeric expression, which may contain function terms: an operand of a comparison, the right-hand side of a numeric
/// effect, or a metric.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expression {
    /// A number.
    Number(Number),
    /// The value of a function term, which may be undefined.
    Fluent(FunctionTerm),
    /// An operator applied to its operands, from left to right: one operand for [`ArithmeticOperator::Negate`], at least
    /// two for the others.
    Apply(ArithmeticOperator, Vec<Expression>),
    /// A quantity that the language predefines.
    Special(Special),
}

/// An arithmetic operator of an expression, the first part of an [`Expression::Apply`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ArithmeticOperator {
    /// `+`
    Add,
    /// `-` with at least two operands
    Subtract,
    /// `*`
    Multiply,
    /// `/`; with a divisor of zero a comparison is false, and a numeric effect is a run-time error
    Divide,
    /// `-` with one operand
    Negate,
}

/// A predefined quantity, as an [`Expression::Special`]. Only a metric can contain those of a whole plan.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Special {
    /// `(total-time)`: the number of steps of the plan; the time at which it ends if actions have durations.
    TotalTime,
    /// `?duration`: the duration of the durative action around the expression, in the units of time of the domain.
    Duration,
    /// `(goal-achieved)`: 1 once the goal holds, else 0 (PPDDL 1.0).
    GoalAchieved,
    /// `(goal-probability)`: the probability of reaching the goal (PPDDL 1.0).
    GoalProbability,
}
