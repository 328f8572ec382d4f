//! Expressions: trees whose nodes know their range.

use herbrand_text::Place;

use super::{
    Aggregation, Binary, Comparison, Connective, DrawId, Extremum, Matrix, PvariableId, Quantifier, Range,
    TypeId, Unary, Value, VariableId, Vector,
};
use crate::draw::{Choice, Family};

/// An expression with the range of its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// What it is.
    pub node: Node,
    /// What its values are. They may be narrower than what the node's parent asks for ([`Range::widens_to`]).
    pub range: Range,
    /// Where it is written.
    pub place: Place,
}

/// Which value of a fluent is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Time {
    /// The one before the step, or that of a fluent which has only one.
    Now,
    /// The one after the step, of a state fluent: written with a prime.
    Next,
}

/// One node of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// A literal. An item is an enum value: objects cannot be named in a domain.
    Literal(Value),
    /// A variable: the item that it is bound to.
    Variable(VariableId),
    /// `p(a, b)`: the value of a pvariable; the arguments are items of its parameters' types.
    Fluent(PvariableId, Time, Vec<Expression>),
    /// A sign or function of one operand.
    Unary(Unary, Box<Expression>),
    /// Arithmetic: the first operand, then each operator with its right operand, applied from the left. There are several
    /// operators only if all are signs of one precedence (`a + b - c`); a function has two operands.
    Binary(Box<Expression>, Vec<(Binary, Expression)>),
    /// A comparison.
    Compare(Comparison, Box<[Expression; 2]>),
    /// A logical connective of two or more operands, applied from the left.
    Connect(Connective, Vec<Expression>),
    /// `if (condition) then a else b`: only one branch is evaluated.
    If(Box<[Expression; 3]>),
    /// `switch (subject) { case @a : x, default : y }` over an enum: only one branch is evaluated.
    Switch {
        /// What is looked at, an enum value.
        subject: Box<Expression>,
        /// The branches by item, in the order written, no item twice.
        cases: Vec<Case>,
        /// The branch of all other items; there is one unless the cases are complete.
        default: Option<Box<Expression>>,
    },
    /// `sum_{?x : t, …} body`, and its like.
    Aggregate(Aggregation, Vec<VariableId>, Box<Expression>),
    /// `forall_{?x : t, …} body` or `exists_{…}`.
    Quantify(Quantifier, Vec<VariableId>, Box<Expression>),
    /// `argmax_{?x : t} body` or `argmin_{…}`.
    Extreme(Extremum, VariableId, Box<Expression>),
    /// `det_{?i : t, ?j : t} body`: the determinant of the matrix with rows ?i and columns ?j.
    Determinant([VariableId; 2], Box<Expression>),
    /// `inverse[row = ?i, col = ?j][body]`, and its like: the element at the given row and column of a function of a matrix.
    Matrix(Matrix, [VariableId; 2], Box<Lambda>),
    /// `KronDelta(e)`: the value of `e`, which is no real.
    KronDelta(Box<Expression>),
    /// `DiracDelta(e)`: the value of `e`, as a real.
    DiracDelta(Box<Expression>),
    /// `Bernoulli(p)`: true if and only if u ≤ p for the draw's uniform number u. It is an error if p is not in \[0, 1].
    Bernoulli(DrawId, Box<Expression>),
    /// A draw from a family of distributions with one or two parameters.
    Draw(DrawId, Family, Vec<Expression>),
    /// `Discrete(t, @a : p, …)` or `UnnormDiscrete(t, …)`: an item of an enum, drawn in the order of the type's items; items
    /// that are not listed have weight 0.
    Discrete {
        /// The draw.
        draw: DrawId,
        /// Whether the weights are probabilities.
        choice: Choice,
        /// The enum.
        of: TypeId,
        /// The weights by item, in the order written, no item twice.
        cases: Vec<Case>,
        /// The item that takes what the others leave of 1, written `otherwise`; only of probabilities.
        otherwise: Option<u32>,
    },
    /// `Discrete_{?x : t} weight` or `UnnormDiscrete_{…}`: an item of the variable's type.
    DiscreteOver(DrawId, Choice, VariableId, Box<Expression>),
    /// `MultivariateNormal[?i](m(_), C(_, _))`, and its like: component ?i of one draw of a vector. All components of the
    /// vector are one draw, whatever the value of ?i. Multinomial gives ints, the others reals.
    Vector(DrawId, Vector, VariableId, Vec<Lambda>),
}

/// A branch or weight for one item of an enum.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The item.
    pub item: u32,
    /// The branch or weight.
    pub body: Expression,
}

/// A number, vector or matrix: its element for each value of zero, one or two variables, which no other node binds.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    /// The indices.
    pub variables: Vec<VariableId>,
    /// The element.
    pub body: Expression,
}

impl Expression {
    /// The literal `value` of `range`.
    #[must_use]
    pub const fn literal(value: Value, range: Range) -> Self {
        Self {
            node: Node::Literal(value),
            range,
            place: Place::NOWHERE,
        }
    }

    /// The direct parts, from left to right as written.
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

    /// Calls `visit` on this expression and all its parts, each before its own parts.
    pub fn walk<'e>(&'e self, visit: &mut impl FnMut(&'e Self)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// The draw that the node itself makes.
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
