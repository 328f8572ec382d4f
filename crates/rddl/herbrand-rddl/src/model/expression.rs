//! Expression trees. Every node knows its range.

use herbrand_distributions::{Family, WeightKind};
use herbrand_text::Place;

use super::{
    Aggregation, Binary, Comparison, Connective, DrawId, Extremum, Matrix, PvariableId, Quantifier, Range,
    TypeId, Unary, Value, VariableId, Vector,
};

/// An expression of a formula, with the range of its value and its place. [`Formula::body`](super::Formula::body) is
/// the whole expression of a formula; [`walk`](Self::walk) visits its parts.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// The operation with its operands.
    pub node: Node,
    /// The range of its values. It may be narrower than the range that the parent requires ([`Range::widens_to`]).
    pub range: Range,
    /// The place of the expression in the source text.
    pub place: Place,
}

/// Whether a fluent is read before or after the step, in a [`Node::Fluent`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Time {
    /// Before the step. Also used for fluents that have only one value per step.
    Now,
    /// After the step; state fluents only. Written with a prime.
    Next,
}

/// The operation of an expression, with its operands. [`Expression::node`] has it.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// A literal. An item literal is an enum value; a domain cannot name objects.
    Literal(Value),
    /// A variable. Its value is the item that it is bound to.
    Variable(VariableId),
    /// `p(a, b)`: the value of a pvariable. The arguments are items of its parameter types.
    Fluent(PvariableId, Time, Vec<Expression>),
    /// A unary operator or function.
    Unary(Unary, Box<Expression>),
    /// Arithmetic: the first operand, then each operator with its right operand, applied from left to right. Several
    /// operators occur only if all are infix operators of one precedence (`a + b - c`). A function has two operands.
    Binary(Box<Expression>, Vec<(Binary, Expression)>),
    /// A comparison.
    Compare(Comparison, Box<[Expression; 2]>),
    /// A logical connective of two or more operands, applied from left to right.
    Connect(Connective, Vec<Expression>),
    /// `if (condition) then a else b`. Only one branch is evaluated.
    If(Box<[Expression; 3]>),
    /// `switch (subject) { case @a : x, default : y }` over an enum. Only one branch is evaluated.
    Switch {
        /// The enum value that selects a branch.
        subject: Box<Expression>,
        /// The branches by item, in source order, without duplicates.
        cases: Vec<Case>,
        /// The branch of all other items. Present unless the cases are complete.
        default: Option<Box<Expression>>,
    },
    /// `sum_{?x : t, …} body` and other aggregations.
    Aggregate(Aggregation, Vec<VariableId>, Box<Expression>),
    /// `forall_{?x : t, …} body` or `exists_{…}`.
    Quantify(Quantifier, Vec<VariableId>, Box<Expression>),
    /// `argmax_{?x : t} body` or `argmin_{…}`.
    Extreme(Extremum, VariableId, Box<Expression>),
    /// `det_{?i : t, ?j : t} body`: the determinant of the matrix with rows ?i and columns ?j.
    Determinant([VariableId; 2], Box<Expression>),
    /// `inverse[row = ?i, col = ?j][body]` and other matrix functions: the element at the given row and column of the
    /// result.
    Matrix(Matrix, [VariableId; 2], Box<Lambda>),
    /// `KronDelta(e)`: the value of `e`, which is not a real.
    KronDelta(Box<Expression>),
    /// `DiracDelta(e)`: the value of `e`, as a real.
    DiracDelta(Box<Expression>),
    /// `Bernoulli(p)`: true if and only if u ≤ p for the draw's uniform number u. Evaluation fails if p is not in \[0, 1].
    Bernoulli(DrawId, Box<Expression>),
    /// A draw from a univariate distribution with one or two parameters.
    Draw(DrawId, Family, Vec<Expression>),
    /// `Discrete(t, @a : p, …)` or `UnnormDiscrete(t, …)`: an item of an enum, drawn in the order of the type's items. Items
    /// that are not listed have weight 0.
    Discrete {
        /// The id of the random draw.
        draw: DrawId,
        /// Whether the weights are probabilities.
        choice: WeightKind,
        /// The id of the enum from which an item is drawn.
        of: TypeId,
        /// The weights by item, in source order, without duplicates.
        cases: Vec<Case>,
        /// The item that receives the remaining probability, written `otherwise`. Only if the weights are probabilities.
        otherwise: Option<u32>,
    },
    /// `Discrete_{?x : t} weight` or `UnnormDiscrete_{…}`: an item of the variable's type.
    DiscreteOver(DrawId, WeightKind, VariableId, Box<Expression>),
    /// `MultivariateNormal[?i](m(_), C(_, _))` and other vector draws: component ?i of the vector. All components belong to
    /// one draw, whatever the value of ?i. Multinomial draws ints, the others reals.
    Vector(DrawId, Vector, VariableId, Vec<Lambda>),
}

/// The part of a `switch` or `Discrete` for one item of an enum: a branch or a weight. [`Node::Switch`] and
/// [`Node::Discrete`] list them.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The item, as its position in the enum.
    pub item: u32,
    /// The expression of the branch or weight.
    pub body: Expression,
}

/// A scalar, vector or matrix parameter of a distribution or matrix function: an expression for one element, with zero,
/// one or two index variables. No other node binds these variables. [`Node::Vector`] and [`Node::Matrix`] have them.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    /// The index variables, which the expression may use.
    pub variables: Vec<VariableId>,
    /// The expression of the element.
    pub body: Expression,
}

impl Expression {
    /// Creates a literal expression of `value`, which must be of the range `range`, without a place in the source text.
    #[must_use]
    pub const fn literal(value: Value, range: Range) -> Self {
        Self {
            node: Node::Literal(value),
            range,
            place: Place::NOWHERE,
        }
    }

    /// Returns the direct operands of the expression in source order; empty for a literal or a variable.
    #[must_use]
    pub fn children(&self) -> Vec<&Self> {
        match &self.node {
            Node::Literal(_) | Node::Variable(_) => Vec::new(),
            Node::Fluent(_, _, all) | Node::Draw(_, _, all) | Node::Connect(_, all) => all.iter().collect(),
            Node::Unary(_, one)
            | Node::Aggregate(_, _, one)
            | Node::Quantify(_, _, one)
            | Node::Extreme(_, _, one)
            | Node::Determinant(_, one)
            | Node::KronDelta(one)
            | Node::DiracDelta(one)
            | Node::Bernoulli(_, one)
            | Node::DiscreteOver(_, _, _, one) => vec![one],
            Node::Binary(first, rest) => std::iter::once(&**first)
                .chain(rest.iter().map(|(_, operand)| operand))
                .collect(),
            Node::Compare(_, two) => two.iter().collect(),
            Node::If(three) => three.iter().collect(),
            Node::Switch {
                subject,
                cases,
                default,
            } => std::iter::once(&**subject)
                .chain(cases.iter().map(|case| &case.body))
                .chain(default.as_deref())
                .collect(),
            Node::Discrete { cases, .. } => cases.iter().map(|case| &case.body).collect(),
            Node::Matrix(_, _, lambda) => vec![&lambda.body],
            Node::Vector(_, _, _, lambdas) => lambdas.iter().map(|lambda| &lambda.body).collect(),
        }
    }

    /// Calls `visit` for this expression and all its descendants, parents before children.
    pub fn walk<'e>(&'e self, visit: &mut impl FnMut(&'e Self)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Returns the id of the random draw that this node makes; `None` if it makes none. The operands may make draws
    /// too.
    #[must_use]
    pub const fn draw(&self) -> Option<DrawId> {
        match self.node {
            Node::Bernoulli(draw, _)
            | Node::Draw(draw, _, _)
            | Node::Discrete { draw, .. }
            | Node::DiscreteOver(draw, _, _, _)
            | Node::Vector(draw, _, _, _) => Some(draw),
            _ => None,
        }
    }
}
