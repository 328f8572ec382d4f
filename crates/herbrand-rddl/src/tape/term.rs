//! What the nodes of a [`Graph`](super::Graph) are.

use crate::draw::{Choice, Family};

/// The type of a register. Objects and enum values are ints: their places in the declared order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// `bool`.
    Bool,
    /// `i64`.
    Int,
    /// `f64`.
    Real,
}

/// A value in a [`Graph`](super::Graph).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node {
    pub(super) id: u32,
    pub(super) kind: Kind,
}

impl Node {
    /// Its type.
    #[must_use]
    pub const fn kind(self) -> Kind {
        self.kind
    }

    /// Its number: nodes are numbered in the order in which they are made.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.id
    }
}

/// An operation on one value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Unary {
    Not,
    BoolToInt,
    BoolToReal,
    IntToReal,
    NegInt,
    NegReal,
    AbsInt,
    AbsReal,
    SignInt,
    Sign,
    Round,
    Floor,
    Ceil,
    Truncate,
    Sqrt,
    Exp,
    Ln,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    LnGamma,
    Gamma,
}

/// An operation on two values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Binary {
    And,
    Or,
    Same,
    AddInt,
    SubInt,
    MulInt,
    DivInt,
    ModInt,
    MinInt,
    MaxInt,
    PowInt,
    AddReal,
    SubReal,
    MulReal,
    DivReal,
    MinReal,
    MaxReal,
    PowReal,
    ModReal,
    Log,
    Hypot,
    EqInt,
    LtInt,
    LeInt,
    EqReal,
    LtReal,
    LeReal,
}

/// An operation on any number of values of one type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Nary {
    /// Whether all are true.
    All,
    /// Whether one is true.
    Any,
    /// How many bools are true.
    Count,
    /// The sum of ints, wrapping around.
    SumInt,
    /// The sum of reals, from the left.
    SumReal,
    /// The product of reals, from the left.
    ProductReal,
    /// The place of the first largest real.
    ArgMax,
    /// The place of the first least real.
    ArgMin,
}

impl Nary {
    /// Whether it goes through its operands once, combining each with what it has.
    pub(super) const fn is_fold(self) -> bool {
        !matches!(self, Self::ArgMax | Self::ArgMin)
    }
}

/// An operation on vectors and matrices of reals, which gives several reals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VectorOp {
    /// n means and an n × n covariance to n reals.
    MultivariateNormal,
    /// n means, an n × n covariance and the degrees of freedom to n reals.
    MultivariateStudent,
    /// n concentrations to n reals.
    Dirichlet,
    /// The number of trials and n probabilities to n counts.
    Multinomial,
    /// The determinant of an n × n matrix.
    Determinant,
    /// The inverse of an n × n matrix.
    Inverse,
    /// The pseudo-inverse of an n × n matrix.
    PseudoInverse,
    /// The lower Cholesky factor of an n × n matrix.
    Cholesky,
}

impl VectorOp {
    /// How many reals it gives for size `n`.
    #[must_use]
    pub const fn outputs(self, n: usize) -> usize {
        match self {
            Self::Determinant => 1,
            Self::Inverse | Self::PseudoInverse | Self::Cholesky => n * n,
            _ => n,
        }
    }

    /// Whether it makes draws.
    #[must_use]
    pub const fn is_draw(self) -> bool {
        matches!(
            self,
            Self::MultivariateNormal | Self::MultivariateStudent | Self::Dirichlet | Self::Multinomial
        )
    }
}

/// Why there is no value, whatever the state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Absent {
    /// The least or greatest of nothing.
    ExtremeOfNothing,
    /// An item of a type that has none.
    ItemOfNothing,
}

/// The most bools that a count by which a table is read has.
pub(super) const MOST_COUNTED: usize = 15;

/// How the value of a node comes about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Term {
    Bool(bool),
    Int(i64),
    /// By its bits.
    Real(u64),
    /// Has no value: a run that comes here fails.
    Fail(Absent),
    /// A register that is set before the tape runs.
    Input(u32),
    Unary(Unary, Node),
    Binary(Binary, Node, Node),
    Nary(Nary, Box<[Node]>),
    /// One of two values; the other is not evaluated.
    If(Node, Node, Node),
    /// The value at a place.
    Gather(Node, Box<[Node]>),
    /// One of some constants, given by their bits, at the place that a count of at most [`MOST_COUNTED`] bools says.
    ByCount(Node, Box<[u64]>),
    Bernoulli(Node, u32),
    Draw(Family, Node, Node, u32),
    Choose(Choice, Box<[Node]>, u32),
    Vector(VectorOp, u32, Box<[Node]>, u32),
    /// One of the values of a [`Term::Vector`], a [`Term::Pack`] or a [`Term::Template`].
    Component(Node, u32),
    /// An array of constants, by number.
    Table(u32),
    /// An array of these values.
    Pack(Box<[Node]>),
    /// The array of values of a template, by number; the operands are arrays.
    Template(u32, Box<[Node]>),
    /// Within a template: the value at a place of a table.
    Lookup(u32, Node),
}

impl Term {
    /// Shows the nodes that this one uses to `visit`.
    pub(crate) fn operands(&self, mut visit: impl FnMut(Node)) {
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

    /// The number of operands in its list.
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

    /// Whether it needs no instruction.
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

    /// Whether evaluating it costs less than a jump and cannot fail.
    pub(super) const fn is_cheap(&self) -> bool {
        match self {
            Self::Unary(op, _) => !matches!(
                op,
                Unary::Exp
                    | Unary::Ln
                    | Unary::Sin
                    | Unary::Cos
                    | Unary::Tan
                    | Unary::Asin
                    | Unary::Acos
                    | Unary::Atan
                    | Unary::Sinh
                    | Unary::Cosh
                    | Unary::Tanh
                    | Unary::LnGamma
                    | Unary::Gamma
                    | Unary::Round
                    | Unary::Floor
                    | Unary::Ceil
                    | Unary::Sign
            ),
            Self::Binary(op, ..) => !matches!(
                op,
                Binary::PowInt
                    | Binary::PowReal
                    | Binary::Log
                    | Binary::Hypot
                    | Binary::ModReal
                    | Binary::DivInt
                    | Binary::ModInt
            ),
            _ => self.is_given(),
        }
    }
}
