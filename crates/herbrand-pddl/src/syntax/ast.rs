//! The syntax tree: what the text says, with places, before names are resolved.
//!
//! Arguments of all atoms of a file are in one flat list, so that an initial state of any size takes no allocation
//! of its own per fact.

use std::ops::Range;

use super::{Symbol, Word};
use crate::Span;

/// What a text defines.
#[derive(Default)]
pub(crate) struct File {
    pub(crate) domains: Vec<Domain>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) arguments: Vec<Argument>,
    /// Where a parenthesis is missing: the section, up to the place where that was noticed.
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
    /// Whether the syntax has faults, already reported.
    pub(crate) faulty: bool,
    pub(crate) requirements: Vec<Word>,
    pub(crate) types: TypedList,
    pub(crate) constants: TypedList,
    pub(crate) predicates: Vec<Signature>,
    pub(crate) functions: Vec<Signature>,
    pub(crate) derived: Vec<Derived>,
    pub(crate) actions: Vec<Action>,
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
    pub(crate) goal: Option<Formula>,
    pub(crate) goal_reward: Option<Literal>,
    pub(crate) metric: Option<Metric>,
}

/// Names with their types, group by group: `a b - t c`.
pub(crate) type TypedList = Vec<TypedGroup>;

/// `a b - (either t u)`
pub(crate) struct TypedGroup {
    pub(crate) names: Vec<Word>,
    /// Empty when no type is written.
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

/// A number, as written.
#[derive(Clone, Copy)]
pub(crate) struct Literal {
    pub(crate) span: Span,
}

pub(crate) enum Formula {
    Atom(Atom),
    Compare(crate::Comparison, Box<[Expression; 2]>, Span),
    Not(Box<Formula>, Span),
    And(Vec<Formula>),
    Or(Vec<Formula>, Span),
    Imply(Box<[Formula; 2]>, Span),
    Forall(TypedList, Box<Formula>, Span),
    Exists(TypedList, Box<Formula>, Span),
}

pub(crate) enum Expression {
    Number(Literal),
    /// A bare word: an object or variable under `=`, else a function without arguments.
    Term(Argument),
    Call(Atom),
    Apply(crate::Operator, Vec<Expression>),
}

pub(crate) enum Effect {
    And(Vec<Effect>),
    Add(Atom),
    Delete(Atom),
    Assign(Box<Assignment>),
    Forall(TypedList, Box<Effect>, Span),
    When(Formula, Box<Effect>, Span),
    Probabilistic(Vec<(Literal, Effect)>, Span),
}

pub(crate) struct Assignment {
    pub(crate) operator: crate::AssignOperator,
    pub(crate) target: Atom,
    pub(crate) value: Expression,
    pub(crate) span: Span,
}

/// An element of an initial state.
pub(crate) enum Initial {
    Fact(Atom),
    /// `(not (p a))`: what an initial state does not list is false anyway.
    Absent(Atom),
    Value(Atom, Literal),
    /// `(= a b)` of two objects.
    Same(Argument, Argument, Span),
    Chance(Vec<(Literal, Vec<Initial>)>, Span),
}

pub(crate) struct Metric {
    pub(crate) direction: crate::Direction,
    pub(crate) expression: Expression,
    pub(crate) span: Span,
}
