//! The syntax tree: a text with spans, before names are resolved.
//!
//! The arguments of all atoms of a file are in one flat list, so the facts of an initial state need no allocation of their
//! own.

use std::ops::Range;

use super::lexer::{Kind, Token};
use super::{Symbol, Word};
use herbrand_text::Span;

/// The definitions of a text.
#[derive(Default)]
pub(crate) struct File {
    pub(crate) domains: Vec<Domain>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) arguments: Vec<Argument>,
    /// The sections in which a parenthesis is missing, each up to the point where this was noticed.
    pub(crate) doubtful: Vec<Span>,
}

impl File {
    pub(crate) fn arguments(&self, atom: &Atom) -> &[Argument] {
        &self.arguments[atom.arguments.start as usize..atom.arguments.end as usize]
    }
}

/// `(define (domain …) …)`
pub(crate) struct Domain {
    pub(crate) name: Word,
    /// Whether the definition has syntax faults, which have been reported already.
    pub(crate) faulty: bool,
    /// Whether all its syntax faults are in actions and rules, apart from missing parentheses.
    pub(crate) declares: bool,
    /// The sections that declare types, constants, predicates and functions.
    pub(crate) declarations: Vec<Span>,
    pub(crate) requirements: Vec<Word>,
    pub(crate) types: TypedList,
    pub(crate) constants: TypedList,
    pub(crate) predicates: Vec<Signature>,
    pub(crate) functions: Vec<Signature>,
    pub(crate) derived: Vec<Derived>,
    pub(crate) actions: Vec<Action>,
    pub(crate) durative_actions: Vec<DurativeAction>,
    /// The names of the agent's actions (PDDLGym's dialect).
    pub(crate) agent_actions: Vec<Word>,
}

/// `(define (problem …) …)`
pub(crate) struct Problem {
    pub(crate) name: Word,
    pub(crate) domain_name: Option<Word>,
    pub(crate) faulty: bool,
    pub(crate) requirements: Vec<Word>,
    pub(crate) objects: TypedList,
    pub(crate) init: Vec<Initial>,
    /// Whether there is a section `:init`.
    pub(crate) has_init: bool,
    pub(crate) goal: Option<Formula>,
    pub(crate) goal_reward: Option<Literal>,
    pub(crate) metric: Option<Metric>,
}

/// A list of names with types, as groups: `a b - t c`.
pub(crate) type TypedList = Vec<TypedGroup>;

/// `a b - (either t u)`
pub(crate) struct TypedGroup {
    pub(crate) names: Vec<Word>,
    /// The types of the group; empty if none are written.
    pub(crate) types: Vec<Word>,
}

/// `(p ?x ?y - t)` in a declaration.
pub(crate) struct Signature {
    pub(crate) name: Word,
    pub(crate) parameters: TypedList,
    pub(crate) span: Span,
}

/// `(:derived (p ?x) body)`
pub(crate) struct Derived {
    pub(crate) head: Signature,
    pub(crate) body: Formula,
    pub(crate) span: Span,
}

/// `(:action …)`
pub(crate) struct Action {
    pub(crate) name: Word,
    pub(crate) parameters: TypedList,
    pub(crate) precondition: Option<Formula>,
    pub(crate) effect: Option<Effect>,
    pub(crate) span: Span,
}

/// `(:durative-action …)`
pub(crate) struct DurativeAction {
    pub(crate) name: Word,
    pub(crate) parameters: TypedList,
    pub(crate) duration: Option<Formula>,
    pub(crate) condition: Option<Formula>,
    pub(crate) effect: Option<Effect>,
    pub(crate) span: Span,
}

/// `(name argument…)`: an atom or a function term.
pub(crate) struct Atom {
    pub(crate) name: Word,
    pub(crate) arguments: Range<u32>,
    pub(crate) span: Span,
}

/// A variable or a name in the place of an argument.
#[derive(Clone, Copy)]
pub(crate) struct Argument {
    pub(crate) symbol: Symbol,
    pub(crate) span: Span,
    pub(crate) is_variable: bool,
}

impl Argument {
    /// Returns the argument that a variable, name or number is.
    pub(crate) fn of(token: Token) -> Self {
        Self {
            symbol: token.symbol(),
            span: token.span,
            is_variable: token.kind == Kind::Variable,
        }
    }
}

/// A number, as a span of the text.
#[derive(Clone, Copy)]
pub(crate) struct Literal {
    pub(crate) span: Span,
}

pub(crate) enum Formula {
    Atom(Atom),
    Compare(crate::model::Comparison, Box<[Expression; 2]>, Span),
    Not(Box<Formula>, Span),
    And(Vec<Formula>),
    Or(Vec<Formula>, Span),
    Imply(Box<[Formula; 2]>, Span),
    Forall(TypedList, Box<Formula>, Span),
    Exists(TypedList, Box<Formula>, Span),
    /// `(at start formula)`
    At(crate::model::TimeSpecifier, Box<Formula>, Span),
}

pub(crate) enum Expression {
    /// A number, which may be the name of an object as an operand of `=`.
    Number(Argument),
    /// A bare word: an object or variable as an operand of `=`, else a function without arguments.
    Term(Argument),
    Call(Atom),
    Apply(crate::model::ArithmeticOperator, Vec<Expression>),
}

pub(crate) enum Effect {
    And(Vec<Effect>),
    Add(Atom),
    Delete(Atom),
    Assign(Box<Assignment>),
    Forall(TypedList, Box<Effect>, Span),
    When(Formula, Box<Effect>, Span),
    Probabilistic(Vec<(Literal, Effect)>, Span),
    /// `(at end effect)`
    At(crate::model::TimeSpecifier, Box<Effect>, Span),
}

pub(crate) struct Assignment {
    pub(crate) operator: crate::model::AssignOperator,
    pub(crate) target: Atom,
    pub(crate) value: Expression,
    pub(crate) span: Span,
}

/// An element of an initial state.
pub(crate) enum Initial {
    Fact(Atom),
    /// `(not (p a))`, which is redundant because unlisted atoms are false.
    Absent(Atom),
    Value(Atom, Literal),
    /// `(= a b)` for two objects.
    Same(Argument, Argument, Span),
    Chance(Vec<(Literal, Vec<Initial>)>, Span),
    /// `(at 9 (p a))`
    At(Literal, Vec<Initial>, Span),
}

pub(crate) struct Metric {
    pub(crate) direction: crate::model::MetricDirection,
    pub(crate) expression: Expression,
    pub(crate) span: Span,
}
