//! Guards: conditions over non-fluents without which the body of an aggregation contributes nothing.

use herbrand_rddl::{
    Comparison, Connective, Domain, Expression, Node, PvariableId, PvariableKind, Range, Value, VariableId,
};

/// A condition over non-fluents.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Guard {
    /// A bool non-fluent is true for these arguments.
    Holds(PvariableId, Vec<Argument>),
    /// Two arguments are equal.
    Same(Argument, Argument),
    /// Two arguments differ.
    Distinct(Argument, Argument),
}

/// An argument of a guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Argument {
    /// The item bound to a variable.
    Variable(VariableId),
    /// An enum value, with its type.
    Item(herbrand_rddl::TypeId, u32),
}

impl Guard {
    pub(super) fn arguments(&self) -> Vec<Argument> {
        match self {
            Self::Holds(_, arguments) => arguments.clone(),
            Self::Same(a, b) | Self::Distinct(a, b) => vec![*a, *b],
        }
    }
}

/// Returns conditions that hold whenever `body` is true. A conjunct counts only if no conjunct before it can fail, because
/// evaluation goes from left to right and stops at the first false conjunct.
pub(super) fn needed_for_truth(domain: &Domain, body: &Expression) -> Vec<Guard> {
    let mut guards = Vec::new();
    conjuncts(domain, body, &mut guards);
    guards
}

/// Returns conditions that hold whenever `body` is false.
pub(super) fn needed_for_falsehood(domain: &Domain, body: &Expression) -> Vec<Guard> {
    match &body.node {
        Node::Connect(Connective::Implies, parts) if parts.len() == 2 => needed_for_truth(domain, &parts[0]),
        Node::Connect(Connective::Or, parts) => match &parts[0].node {
            Node::Unary(herbrand_rddl::Unary::Not, inner) => needed_for_truth(domain, inner),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Returns conditions that hold whenever the number `body` is not 0. A product of reals may be NaN, so only products of
/// bools and ints have guards.
pub(super) fn needed_for_weight(domain: &Domain, body: &Expression) -> Vec<Guard> {
    match &body.node {
        _ if body.range == Range::Bool => needed_for_truth(domain, body),
        Node::Binary(_, rest)
            if rest.iter().all(|(op, _)| *op == herbrand_rddl::Binary::Multiply)
                && body.range == Range::Int
                && cannot_fail(body) =>
        {
            let factors = body.children().into_iter();
            factors.flat_map(|part| needed_for_weight(domain, part)).collect()
        }
        Node::If(parts) if is_zero(&parts[2]) => needed_for_truth(domain, &parts[0]),
        _ => Vec::new(),
    }
}

/// Collects the guards among the conjuncts. Returns `false` if a conjunct can fail.
fn conjuncts(domain: &Domain, body: &Expression, guards: &mut Vec<Guard>) -> bool {
    match &body.node {
        Node::Connect(Connective::And, parts) => parts.iter().all(|part| conjuncts(domain, part, guards)),
        _ => {
            guards.extend(guard(domain, body));
            cannot_fail(body)
        }
    }
}

fn guard(domain: &Domain, part: &Expression) -> Option<Guard> {
    match &part.node {
        Node::Fluent(id, _, arguments) if domain.pvariable(*id).kind == PvariableKind::NonFluent => {
            let arguments: Option<Vec<Argument>> = arguments.iter().map(argument).collect();
            arguments.map(|arguments| Guard::Holds(*id, arguments))
        }
        Node::Compare(comparison, parts) => {
            let (a, b) = (argument(&parts[0])?, argument(&parts[1])?);
            match comparison {
                Comparison::Equal => Some(Guard::Same(a, b)),
                Comparison::Unequal => Some(Guard::Distinct(a, b)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn argument(expression: &Expression) -> Option<Argument> {
    match (&expression.node, expression.range) {
        (Node::Variable(id), _) => Some(Argument::Variable(*id)),
        (Node::Literal(Value::Item(item)), Range::Item(of)) => Some(Argument::Item(of, *item)),
        _ => None,
    }
}

/// Returns conditions that hold whenever the factor `body` is not 1.
pub(super) fn needed_for_factor(domain: &Domain, body: &Expression) -> Vec<Guard> {
    match &body.node {
        Node::If(parts) if is_one(&parts[2]) => needed_for_truth(domain, &parts[0]),
        _ => Vec::new(),
    }
}

fn is_one(expression: &Expression) -> bool {
    match expression.node {
        Node::Literal(Value::Bool(value)) => value,
        Node::Literal(Value::Int(value)) => value == 1,
        Node::Literal(Value::Real(value)) => value == 1.0,
        _ => false,
    }
}

fn is_zero(expression: &Expression) -> bool {
    match expression.node {
        Node::Literal(Value::Bool(value)) => !value,
        Node::Literal(Value::Int(value)) => value == 0,
        Node::Literal(Value::Real(value)) => value == 0.0 && value.is_sign_positive(),
        _ => false,
    }
}

/// Returns whether an expression has a value in every state, judged by its syntax.
pub(super) fn cannot_fail(expression: &Expression) -> bool {
    let itself = match &expression.node {
        Node::Literal(_)
        | Node::Variable(_)
        | Node::Fluent(..)
        | Node::Compare(..)
        | Node::Connect(..)
        | Node::If(_)
        | Node::Quantify(..)
        | Node::KronDelta(_)
        | Node::DiracDelta(_) => true,
        Node::Binary(_, rest) => rest.iter().all(|(op, _)| match op {
            herbrand_rddl::Binary::Div | herbrand_rddl::Binary::Mod | herbrand_rddl::Binary::Pow => false,
            herbrand_rddl::Binary::Fmod => expression.range != Range::Int,
            _ => true,
        }),
        Node::Unary(op, _) => !matches!(
            op,
            herbrand_rddl::Unary::Round
                | herbrand_rddl::Unary::Floor
                | herbrand_rddl::Unary::Ceil
                | herbrand_rddl::Unary::Sign
        ),
        _ => false,
    };
    itself && expression.children().into_iter().all(cannot_fail)
}
