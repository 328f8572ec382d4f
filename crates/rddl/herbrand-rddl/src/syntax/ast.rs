//! The syntax tree with source places, before names are resolved.

use std::collections::BTreeSet;

use herbrand_text::Span;

use crate::model::{Comparison, Connective, PvariableKind};

/// A word of the text with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'s> {
    pub(crate) text: &'s str,
    pub(crate) span: Span,
}

/// The definitions of a text.
#[derive(Default, Debug)]
pub(crate) struct File<'s> {
    pub(crate) domains: Vec<Domain<'s>>,
    pub(crate) non_fluents: Vec<Instance<'s>>,
    pub(crate) instances: Vec<Instance<'s>>,
}

/// `domain NAME { … }`
#[derive(Debug)]
pub(crate) struct Domain<'s> {
    pub(crate) name: Word<'s>,
    /// Whether its syntax has faults, which have been reported.
    pub(crate) faulty: bool,
    /// The words of declarations with faults, which may declare any of them. Without `@`.
    pub(crate) skipped: BTreeSet<&'s str>,
    pub(crate) requirements: Vec<Word<'s>>,
    pub(crate) types: Vec<Type<'s>>,
    pub(crate) pvariables: Vec<Pvariable<'s>>,
    pub(crate) cpfs: Vec<Cpf<'s>>,
    pub(crate) reward: Option<Expression<'s>>,
    pub(crate) preconditions: Vec<Expression<'s>>,
    pub(crate) constraints: Vec<Expression<'s>>,
    pub(crate) invariants: Vec<Expression<'s>>,
    pub(crate) terminations: Vec<Expression<'s>>,
}

/// `name : object;` or `name : { @a, @b };`
#[derive(Debug)]
pub(crate) struct Type<'s> {
    pub(crate) name: Word<'s>,
    /// The values, if it is an enum. Those without `@` have been reported.
    pub(crate) values: Option<Vec<Word<'s>>>,
}

/// `name(t, u) : { kind, range, default = v };`
#[derive(Debug)]
pub(crate) struct Pvariable<'s> {
    pub(crate) name: Word<'s>,
    pub(crate) parameters: Vec<Word<'s>>,
    pub(crate) kind: PvariableKind,
    pub(crate) range: Word<'s>,
    pub(crate) default: Option<Constant<'s>>,
}

/// A constant that a fluent is set to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constant<'s> {
    pub(crate) kind: ConstantKind,
    /// Whether it has a minus sign.
    pub(crate) negative: bool,
    pub(crate) word: Word<'s>,
}

/// The syntactic form of a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConstantKind {
    Bool(bool),
    Int,
    Real,
    /// `pos-inf` or `neg-inf`. The latter is negative.
    Infinity,
    /// `@red` or a bare name.
    Item,
}

/// `head(?x) = body;`
#[derive(Debug)]
pub(crate) struct Cpf<'s> {
    /// The name with its prime.
    pub(crate) name: Word<'s>,
    pub(crate) parameters: Vec<Word<'s>>,
    pub(crate) body: Expression<'s>,
}

/// An expression.
#[derive(Debug)]
pub(crate) struct Expression<'s> {
    pub(crate) node: Node<'s>,
    pub(crate) span: Span,
    /// The height of the tree: at most [`DEPTH_LIMIT`](super::DEPTH_LIMIT).
    pub(crate) depth: u16,
    /// Whether it is in brackets.
    pub(crate) bracketed: bool,
}

#[derive(Debug)]
pub(crate) enum Node<'s> {
    Bool(bool),
    Int(&'s str),
    Real(&'s str),
    /// `?x`, without the question mark.
    Variable(Word<'s>),
    /// `@red`
    Enum(Word<'s>),
    /// `_`
    Underscore,
    /// A name that nothing follows.
    Name(Word<'s>),
    /// `name(…)`: a pvariable or a distribution.
    Call(Word<'s>, Vec<Expression<'s>>),
    /// `name[…]`: a function.
    Function(Word<'s>, Vec<Expression<'s>>),
    /// `name_{?x : t, …} body`
    Binder(Word<'s>, Vec<TypedVariable<'s>>, Box<Expression<'s>>),
    /// `~`, `-` or `+`.
    Prefix(crate::model::Unary, Box<Expression<'s>>),
    /// An operand, followed by operators of one precedence with their right operands. They group to the left.
    Infix(Box<Expression<'s>>, Vec<Link<'s>>),
    If(Box<[Expression<'s>; 3]>),
    /// `switch (subject) { case … : …, default : … }`
    Switch(Box<Expression<'s>>, Vec<Case<'s>>),
    /// `Discrete(t, @a : p, …)`
    Discrete(Word<'s>, Word<'s>, Vec<Case<'s>>),
    /// `MultivariateNormal[?i](…)`
    Vector(Word<'s>, Vec<Expression<'s>>, Vec<Expression<'s>>),
    /// `inverse[row=?i, col=?j][body]`
    Matrix(Word<'s>, [Word<'s>; 2], Box<Expression<'s>>),
}

/// An infix operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Infix {
    Connect(Connective),
    Compare(Comparison),
    Arithmetic(crate::model::Binary),
}

/// An infix operator and its right operand.
#[derive(Debug)]
pub(crate) struct Link<'s> {
    pub(crate) operator: Infix,
    /// The place of the operator.
    pub(crate) sign: Span,
    pub(crate) operand: Expression<'s>,
}

/// `?x : t`
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedVariable<'s> {
    pub(crate) variable: Word<'s>,
    pub(crate) of: Word<'s>,
}

/// `case @a : body`, `default : body`, `@a : body` or `@a : otherwise`
#[derive(Debug)]
pub(crate) struct Case<'s> {
    pub(crate) label: CaseLabel<'s>,
    /// `None` for `otherwise`.
    pub(crate) body: Option<Expression<'s>>,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum CaseLabel<'s> {
    Item(Word<'s>),
    Default,
}

/// `instance NAME { … }` or `non-fluents NAME { … }`
#[derive(Debug)]
pub(crate) struct Instance<'s> {
    pub(crate) name: Word<'s>,
    pub(crate) faulty: bool,
    pub(crate) domain: Option<Word<'s>>,
    /// The name of the non-fluents that an instance uses.
    pub(crate) uses: Option<Word<'s>>,
    pub(crate) objects: Vec<Objects<'s>>,
    pub(crate) non_fluents: Vec<Setting<'s>>,
    pub(crate) init_state: Vec<Setting<'s>>,
    pub(crate) max_nondef_actions: Option<Constant<'s>>,
    pub(crate) horizon: Option<Constant<'s>>,
    pub(crate) discount: Option<Constant<'s>>,
}

/// `type : { a, b };`
#[derive(Debug)]
pub(crate) struct Objects<'s> {
    pub(crate) of: Word<'s>,
    pub(crate) names: Vec<Word<'s>>,
}

/// `p(a, b) = v;`, `p(a);` or `~p(a);`
#[derive(Debug)]
pub(crate) struct Setting<'s> {
    pub(crate) name: Word<'s>,
    /// Items, with or without `@`.
    pub(crate) arguments: Vec<Word<'s>>,
    pub(crate) value: Constant<'s>,
    pub(crate) span: Span,
}

impl<'s> Node<'s> {
    /// Returns the direct subexpressions.
    pub(crate) fn parts(&self) -> Box<dyn Iterator<Item = &Expression<'s>> + '_> {
        match self {
            Self::Call(_, all) | Self::Function(_, all) => Box::new(all.iter()),
            Self::Vector(_, indices, parameters) => Box::new(indices.iter().chain(parameters)),
            Self::Binder(_, _, body) | Self::Matrix(_, _, body) | Self::Prefix(_, body) => {
                Box::new(std::iter::once(&**body))
            }
            Self::Infix(first, rest) => {
                Box::new(std::iter::once(&**first).chain(rest.iter().map(|link| &link.operand)))
            }
            Self::If(three) => Box::new(three.iter()),
            Self::Switch(subject, cases) => {
                let bodies = cases.iter().filter_map(|case| case.body.as_ref());
                Box::new(std::iter::once(&**subject).chain(bodies))
            }
            Self::Discrete(_, _, cases) => Box::new(cases.iter().filter_map(|case| case.body.as_ref())),
            _ => Box::new(std::iter::empty()),
        }
    }
}
