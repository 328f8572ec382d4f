//! The node types of a [`Graph`](super::Graph).

use herbrand_distributions::{Family, WeightKind};

/// The type of a register, and of a node's value ([`NodeId::kind`]). Elements of finite sets are ints: their positions
/// in the set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ValueType {
    /// `bool`.
    Bool,
    /// `i64`.
    Int,
    /// `f64`.
    Real,
}

/// A node of a [`Graph`](super::Graph): the result of an operation, an input or a constant. The methods of the graph that
/// add nodes return it. It is valid in that graph only, which is not checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId {
    pub(super) id: u32,
    pub(super) kind: ValueType,
}

impl NodeId {
    /// Returns the type of the node's value.
    #[must_use]
    pub const fn kind(self) -> ValueType {
        self.kind
    }

    /// Returns the number of the node. Nodes are numbered in the order of their creation.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.id
    }
}

/// An operation on one operand, passed to [`Graph::unary`](super::Graph::unary). The name ends with the kind of the
/// operand where there are several, such as `NegInt`.
///
/// `Not` takes a bool, and the conversions take the kind in their name. `Sign`, `Round` (to even), `Floor`, `Ceil` and
/// `Truncate` map a real to an int. `Sign` fails for NaN; the others fail if the result is no `i64`, except `Truncate`,
/// which saturates and maps NaN to 0. Ints wrap around. The rest maps reals to reals, NaN where there is no value;
/// angles are in radians.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// The negation of a bool.
    Not,
    /// A bool as the int 0 or 1.
    BoolToInt,
    /// A bool as the real 0 or 1.
    BoolToReal,
    /// An int as a real, rounded if its absolute value is above 2^53.
    IntToReal,
    /// The negation of an int, which wraps around.
    NegInt,
    /// The negation of a real.
    NegReal,
    /// The absolute value of an int, which wraps around.
    AbsInt,
    /// The absolute value of a real.
    AbsReal,
    /// The sign of an int: −1, 0 or 1.
    SignInt,
    /// The sign of a real, as the int −1, 0 or 1. Fails for NaN.
    Sign,
    /// The int nearest to a real, ties to even. Fails if it does not fit in 64 bits.
    Round,
    /// The largest int not above a real. Fails if it does not fit in 64 bits.
    Floor,
    /// The smallest int not below a real. Fails if it does not fit in 64 bits.
    Ceil,
    /// A real rounded towards 0, as an int. Saturates at the limits of 64 bits; NaN gives 0.
    Truncate,
    /// The square root of a real; NaN below 0.
    Sqrt,
    /// e to the power of a real.
    Exp,
    /// The natural logarithm of a real; NaN below 0, and negative infinity at 0.
    Ln,
    /// The sine of an angle in radians.
    Sin,
    /// The cosine of an angle in radians.
    Cos,
    /// The tangent of an angle in radians.
    Tan,
    /// The inverse sine; NaN outside −1 … 1.
    Asin,
    /// The inverse cosine; NaN outside −1 … 1.
    Acos,
    /// The inverse tangent.
    Atan,
    /// The hyperbolic sine.
    Sinh,
    /// The hyperbolic cosine.
    Cosh,
    /// The hyperbolic tangent.
    Tanh,
    /// The logarithm of the absolute value of the gamma function; infinite at its poles.
    LnGamma,
    /// The gamma function; NaN at negative whole numbers, infinite at 0.
    Gamma,
}

/// An operation on two operands, passed to [`Graph::binary`](super::Graph::binary). The name ends with the kind of the
/// operands where there are several, such as `AddReal`. `Same` compares bools.
///
/// Ints wrap around. `DivInt` rounds down, and the remainders `ModInt` and `ModReal` have the sign of the divisor.
/// `DivInt` and `ModInt` fail for a divisor of 0, and `PowInt` for a negative exponent. Operations on reals give
/// infinities and NaN as in IEEE arithmetic. `MinReal` and `MaxReal` are NaN if an operand is. `Log` takes the number,
/// then the base; `Hypot` is the length of a hypotenuse.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// Whether both bools are true.
    And,
    /// Whether at least one of two bools is true.
    Or,
    /// Whether two bools are equal.
    Same,
    /// The sum of two ints, which wraps around.
    AddInt,
    /// The first int minus the second, which wraps around.
    SubInt,
    /// The product of two ints, which wraps around.
    MulInt,
    /// The first int divided by the second, rounded down. Fails if the second is 0.
    DivInt,
    /// The remainder of `DivInt`, with the sign of the second int. Fails if the second is 0.
    ModInt,
    /// The smaller of two ints.
    MinInt,
    /// The larger of two ints.
    MaxInt,
    /// The first int to the power of the second, which wraps around. Fails if the second is negative.
    PowInt,
    /// The sum of two reals.
    AddReal,
    /// The first real minus the second.
    SubReal,
    /// The product of two reals.
    MulReal,
    /// The first real divided by the second; infinite or NaN if the second is 0.
    DivReal,
    /// The smaller of two reals; NaN if one of them is.
    MinReal,
    /// The larger of two reals; NaN if one of them is.
    MaxReal,
    /// The first real to the power of the second ([`pow_real`](super::pow_real)).
    PowReal,
    /// The remainder of two reals, with the sign of the second; NaN if the second is 0.
    ModReal,
    /// The logarithm of the first real to the base of the second.
    Log,
    /// The length of the hypotenuse of a right triangle with two reals as the other sides.
    Hypot,
    /// Whether two ints are equal.
    EqInt,
    /// Whether the first int is less than the second.
    LtInt,
    /// Whether the first int is at most the second.
    LeInt,
    /// Whether two reals are equal; false if one is NaN.
    EqReal,
    /// Whether the first real is less than the second; false if one is NaN.
    LtReal,
    /// Whether the first real is at most the second; false if one is NaN.
    LeReal,
}

/// An operation on any number of operands of one type. [`Graph::junction`](super::Graph::junction) and
/// [`Graph::place`](super::Graph::place) take some of them, and [`Graph::sum`](super::Graph::sum) adds others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NaryOp {
    /// Whether all operands are true.
    All,
    /// Whether at least one operand is true.
    Any,
    /// The number of true operands.
    Count,
    /// The wrapping sum of ints.
    SumInt,
    /// The sum of reals, from left to right.
    SumReal,
    /// The product of reals, from left to right.
    ProductReal,
    /// The position, from 0, of the first largest real, or of the first NaN.
    ArgMax,
    /// The position, from 0, of the first smallest real, or of the first NaN.
    ArgMin,
}

impl NaryOp {
    /// Whether it visits each operand once and combines it with an accumulator.
    pub(super) const fn is_fold(self) -> bool {
        !matches!(self, Self::ArgMax | Self::ArgMin)
    }
}

/// An operation on vectors and matrices of reals. It has several results, all reals. Matrices are operands or results
/// row by row. [`Graph::vector`](super::Graph::vector) adds one. A run fails if the parameters of a draw are out of
/// range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VectorOp {
    /// Maps n means and an n × n covariance matrix to a draw of n reals.
    MultivariateNormal,
    /// Maps n means, an n × n covariance matrix and the degrees of freedom to a draw of n reals.
    MultivariateStudent,
    /// Maps n concentrations to a draw of n reals.
    Dirichlet,
    /// Maps the number of trials and n probabilities to a draw of n counts.
    Multinomial,
    /// Maps an n × n matrix to its determinant.
    Determinant,
    /// Maps an n × n matrix to its inverse. A run fails if it is singular.
    Inverse,
    /// Maps an n × n matrix to its Moore–Penrose pseudo-inverse, which always exists.
    PseudoInverse,
    /// Maps an n × n matrix to its lower Cholesky factor, with zeros above the diagonal. A run fails if it is not
    /// positive definite.
    Cholesky,
}

impl VectorOp {
    /// Returns the number of results of the operation for size `n`, which is the number of nodes that
    /// [`Graph::vector`](super::Graph::vector) returns.
    #[must_use]
    pub const fn outputs(self, n: usize) -> usize {
        match self {
            Self::Determinant => 1,
            Self::Inverse | Self::PseudoInverse | Self::Cholesky => n * n,
            _ => n,
        }
    }

    /// Returns whether the operation draws random numbers.
    #[must_use]
    pub const fn is_draw(self) -> bool {
        matches!(
            self,
            Self::MultivariateNormal | Self::MultivariateStudent | Self::Dirichlet | Self::Multinomial
        )
    }
}

/// The reason why an expression has no value for any input. Passed to [`Graph::fail`](super::Graph::fail).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Absent {
    /// The minimum or maximum of an empty list.
    ExtremeOfNothing,
    /// An element of an empty set.
    ItemOfNothing,
}

/// The maximum number of bools in a count that indexes a table.
pub(super) const MOST_COUNTED: usize = 15;

/// The operation of a node, with its operands, returned by [`Graph::operation`](super::Graph::operation).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// A bool constant.
    Bool(bool),
    /// An int constant.
    Int(i64),
    /// A real constant, stored as bits so that operations can be compared and hashed.
    Real(u64),
    /// Evaluation always fails, with this reason.
    Fail(Absent),
    /// A register that the caller sets before a run, by its number among those of the node's kind.
    Input(u32),
    /// An operation on one operand.
    Unary(UnaryOp, NodeId),
    /// An operation on two operands.
    Binary(BinaryOp, NodeId, NodeId),
    /// An operation on any number of operands.
    Nary(NaryOp, Box<[NodeId]>),
    /// Condition, then, otherwise. Only the selected side is evaluated.
    If(NodeId, NodeId, NodeId),
    /// An element of a list, by position: the node of the position, then the elements. A position outside selects the
    /// last.
    Gather(NodeId, Box<[NodeId]>),
    /// The constant, stored as bits, at the position that the node evaluates to. The node is a count of at most 15 bools.
    ByCount(NodeId, Box<[u64]>),
    /// A random bool: its probability and its site.
    Bernoulli(NodeId, u32),
    /// A random number: its distribution, two parameters and its site. The second parameter is the constant 0 if the
    /// family has one only.
    Draw(Family, NodeId, NodeId, u32),
    /// A random position in a list of weights: the meaning of the weights, the weights, and the site.
    Choose(WeightKind, Box<[NodeId]>, u32),
    /// An operation on vectors of a size, with its operands and the first site.
    Vector(VectorOp, u32, Box<[NodeId]>, u32),
    /// A result of a [`Operation::Vector`], or an element of a [`Operation::Pack`] or a [`Operation::Template`].
    Component(NodeId, u32),
    /// An array of constants, by its number in the graph.
    Table(u32),
    /// An array of these operands.
    Pack(Box<[NodeId]>),
    /// The array of values of a template, by the template's number. The operands are arrays.
    Template(u32, Box<[NodeId]>),
    /// Within the body of a template: an element of a table, by the table's number and the node of the position.
    Lookup(u32, NodeId),
}

impl Operation {
    /// Calls `visit` with the node of each operand, in order.
    pub fn operands(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            Self::Bool(_)
            | Self::Int(_)
            | Self::Real(_)
            | Self::Input(_)
            | Self::Fail(_)
            | Self::Table(_) => {}
            Self::Unary(_, a)
            | Self::ByCount(a, _)
            | Self::Bernoulli(a, _)
            | Self::Component(a, _)
            | Self::Lookup(_, a) => visit(*a),
            Self::Binary(_, a, b) | Self::Draw(_, a, b, _) => {
                visit(*a);
                visit(*b);
            }
            Self::If(c, a, b) => [*c, *a, *b].into_iter().for_each(visit),
            Self::Nary(_, list)
            | Self::Choose(_, list, _)
            | Self::Vector(_, _, list, _)
            | Self::Pack(list)
            | Self::Template(_, list) => {
                list.iter().copied().for_each(visit);
            }
            Self::Gather(index, list) => {
                visit(*index);
                list.iter().copied().for_each(visit);
            }
        }
    }

    /// Returns the length of its list of operands or constants.
    pub(super) fn list_len(&self) -> usize {
        match self {
            Self::Nary(_, list)
            | Self::Gather(_, list)
            | Self::Choose(_, list, _)
            | Self::Vector(_, _, list, _)
            | Self::Pack(list)
            | Self::Template(_, list) => list.len(),
            Self::ByCount(_, values) => values.len(),
            _ => 0,
        }
    }

    /// Returns whether it needs no instruction.
    pub(super) const fn is_given(&self) -> bool {
        matches!(
            self,
            Self::Bool(_)
                | Self::Int(_)
                | Self::Real(_)
                | Self::Input(_)
                | Self::Component(..)
                | Self::Table(_)
        )
    }

    /// Returns whether it cannot fail and costs less than a jump.
    pub(super) const fn is_cheap(&self) -> bool {
        match self {
            Self::Unary(op, _) => !matches!(
                op,
                UnaryOp::Exp
                    | UnaryOp::Ln
                    | UnaryOp::Sin
                    | UnaryOp::Cos
                    | UnaryOp::Tan
                    | UnaryOp::Asin
                    | UnaryOp::Acos
                    | UnaryOp::Atan
                    | UnaryOp::Sinh
                    | UnaryOp::Cosh
                    | UnaryOp::Tanh
                    | UnaryOp::LnGamma
                    | UnaryOp::Gamma
                    | UnaryOp::Round
                    | UnaryOp::Floor
                    | UnaryOp::Ceil
                    | UnaryOp::Sign
            ),
            Self::Binary(op, ..) => !matches!(
                op,
                BinaryOp::PowInt
                    | BinaryOp::PowReal
                    | BinaryOp::Log
                    | BinaryOp::Hypot
                    | BinaryOp::ModReal
                    | BinaryOp::DivInt
                    | BinaryOp::ModInt
            ),
            _ => self.is_given(),
        }
    }
}
