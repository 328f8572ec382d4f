//! Checks names, literals, operators and control flow.

use super::formula::Context;
use super::{constant, lint};
use crate::diagnostic::Code;
use crate::model::{Comparison, Connective, Expression, Node, Range, TypeId, Unary, Value};
use crate::syntax::ast::{self, Infix, Link, Node as Syntax};

impl Context<'_, '_> {
    /// Checks an expression. Returns `None` after reporting faults. `hint` is the enum that a bare value is expected to
    /// belong to.
    pub(super) fn expression(
        &mut self,
        syntax: &ast::Expression<'_>,
        hint: Option<TypeId>,
    ) -> Option<Expression> {
        // The checked expression is moved between lists, so its size is charged several times.
        if !self.faults.charge(3 * size_of::<Expression>()) {
            return None;
        }
        match &syntax.node {
            Syntax::Bool(value) => Some(Self::at(syntax, Node::Literal(Value::Bool(*value)), Range::Bool)),
            Syntax::Int(digits) => {
                let value = constant::int(digits, false, syntax.span, self.faults)?;
                Some(Self::at(syntax, Node::Literal(Value::Int(value)), Range::Int))
            }
            Syntax::Real(digits) => {
                lint::exponent(digits, syntax.span, self.faults);
                let value = constant::real(digits, syntax.span, self.faults)?;
                Some(Self::at(syntax, Node::Literal(Value::Real(value)), Range::Real))
            }
            Syntax::Variable(word) => {
                let id = self.variable(*word)?;
                let of = self.type_of_variable(id);
                Some(Self::at(syntax, Node::Variable(id), Range::Item(of)))
            }
            Syntax::Enum(word) => self.enum_value(syntax, &word.text[1..], hint),
            Syntax::Underscore => self.misplaced_underscore(syntax),
            Syntax::Name(word) => self.name(syntax, *word, hint),
            Syntax::Call(word, arguments) => self.call(syntax, *word, arguments, hint),
            Syntax::Function(word, operands) => self.function(syntax, *word, operands),
            Syntax::Binder(word, variables, body) => self.binder(syntax, *word, variables, body),
            Syntax::Prefix(sign, operand) => self.prefix(syntax, *sign, operand),
            Syntax::Infix(first, rest) => self.infix(syntax, first, rest),
            Syntax::If(parts) => self.conditional(syntax, parts, hint),
            Syntax::Switch(subject, cases) => self.switch(syntax, subject, cases, hint),
            Syntax::Discrete(word, of, cases) => self.discrete(syntax, *word, *of, cases),
            Syntax::Vector(word, indices, parameters) => self.vector(syntax, *word, indices, parameters),
            Syntax::Matrix(word, indices, body) => self.matrix(syntax, *word, *indices, body),
        }
    }

    /// `~`, `-` or `+`.
    fn prefix(
        &mut self,
        syntax: &ast::Expression<'_>,
        sign: Unary,
        operand: &ast::Expression<'_>,
    ) -> Option<Expression> {
        let operand = match sign {
            Unary::Not => self.needed(operand, Range::Bool)?,
            _ => self.number(operand)?,
        };
        let range = match sign {
            Unary::Not => Range::Bool,
            _ => operand.range.max(Range::Int),
        };
        Some(Self::at(syntax, Node::Unary(sign, Box::new(operand)), range))
    }

    /// Checks an expression that must be a bool, int or real.
    pub(super) fn number(&mut self, syntax: &ast::Expression<'_>) -> Option<Expression> {
        self.needed(syntax, Range::Real)
    }

    fn infix(
        &mut self,
        syntax: &ast::Expression<'_>,
        first: &ast::Expression<'_>,
        rest: &[Link<'_>],
    ) -> Option<Expression> {
        if let [link] = rest
            && let Infix::Compare(comparison) = link.operator
        {
            return self.compare(syntax, comparison, [first, &link.operand]);
        }
        if let [link] = rest
            && link.operator == Infix::Connect(Connective::Implies)
        {
            return self.implies(syntax, first, link);
        }
        // Checks all operands, so that all faults are reported.
        let mut joined = match rest.first() {
            Some(link) if is_power(link.operator, &link.operand) => self.expression(first, None),
            Some(link) if matches!(link.operator, Infix::Connect(_)) => self.needed(first, Range::Bool),
            _ => self.number(first),
        };
        for link in rest {
            joined = match link.operator {
                Infix::Connect(connective) => self.connect(syntax, connective, joined, &link.operand),
                Infix::Compare(_) => None,
                Infix::Arithmetic(binary) => {
                    let operand = self.number(&link.operand);
                    joined
                        .zip(operand)
                        .map(|(joined, operand)| Self::binary(syntax, binary, joined, operand))
                }
            };
        }
        joined
    }

    /// Checks an implication. Between numbers, `=>` was probably meant as a comparison.
    fn implies(
        &mut self,
        syntax: &ast::Expression<'_>,
        first: &ast::Expression<'_>,
        link: &Link<'_>,
    ) -> Option<Expression> {
        let (a, b) = (self.expression(first, None), self.expression(&link.operand, None));
        let (a, b) = (a?, b?);
        if matches!(a.range, Range::Int | Range::Real) && b.range.is_numeric() {
            self.faults
                .report(Code::TypeMismatch, "`=>` takes bools, not numbers", |d| {
                    d.primary(link.sign, "between numbers")
                        .help("`=>` is implies; did you mean `>=`?")
                });
            return None;
        }
        let (a, b) = (
            self.widened(first, a, Range::Bool),
            self.widened(&link.operand, b, Range::Bool),
        );
        Some(Self::connected(syntax, Connective::Implies, a?, b?))
    }

    fn connect(
        &mut self,
        syntax: &ast::Expression<'_>,
        connective: Connective,
        joined: Option<Expression>,
        operand: &ast::Expression<'_>,
    ) -> Option<Expression> {
        if is_power(Infix::Connect(connective), operand) {
            self.faults.report(Code::TypeMismatch, "`^` takes bools", |d| {
                d.primary(operand.span, "expected a bool")
                    .help("a power is written `pow[x, y]`")
            });
            return None;
        }
        let (joined, operand) = joined.zip(self.needed(operand, Range::Bool))?;
        Some(Self::connected(syntax, connective, joined, operand))
    }

    /// Applies a connective. A left operand with the same connective is extended, whether or not it had brackets.
    fn connected(
        syntax: &ast::Expression<'_>,
        connective: Connective,
        left: Expression,
        right: Expression,
    ) -> Expression {
        let operands = match left.node {
            Node::Connect(before, mut operands) if before == connective => {
                operands.push(right);
                operands
            }
            node => vec![Expression { node, ..left }, right],
        };
        Self::at(syntax, Node::Connect(connective, operands), Range::Bool)
    }

    fn compare(
        &mut self,
        syntax: &ast::Expression<'_>,
        comparison: Comparison,
        operands: [&ast::Expression<'_>; 2],
    ) -> Option<Expression> {
        lint::tight_not(operands[0], comparison, self.faults);
        lint::chained_comparison(operands[0], comparison, self.faults);
        // The type of a bare enum value follows from the other operand.
        let is_value = matches!(operands[0].node, Syntax::Enum(_) | Syntax::Name(_));
        let hint = |side: &Option<Expression>| match side.as_ref().map(|side| side.range) {
            Some(Range::Item(of)) => Some(of),
            _ => None,
        };
        let (a, b) = if is_value && !matches!(operands[1].node, Syntax::Enum(_)) {
            let b = self.expression(operands[1], None);
            (self.expression(operands[0], hint(&b)), b)
        } else {
            let a = self.expression(operands[0], None);
            let b = self.expression(operands[1], hint(&a));
            (a, b)
        };
        let (a, b) = (a?, b?);
        if a.range.join(b.range).is_none() {
            let names = [&a, &b].map(|side| self.domain.range_name(side.range).to_owned());
            self.faults.report(
                Code::TypeMismatch,
                format!("a value of `{}` is compared with one of `{}`", names[0], names[1]),
                |d| {
                    d.primary(operands[1].span, format!("of `{}`", names[1]))
                        .label(operands[0].span, format!("of `{}`", names[0]))
                },
            );
            return None;
        }
        let is_order = !matches!(comparison, Comparison::Equal | Comparison::Unequal);
        if is_order && !a.range.is_numeric() {
            let name = self.domain.range_name(a.range).to_owned();
            self.faults.report(
                Code::TypeMismatch,
                format!("the items of `{name}` have no order"),
                |d| {
                    d.primary(syntax.span, "compared by size")
                        .help("items are compared with `==` and `~=`")
                },
            );
            return None;
        }
        let node = Node::Compare(comparison, Box::new([a, b]));
        Some(Self::at(syntax, node, Range::Bool))
    }
}

/// Returns whether `^` is followed by a number: then a power is probably meant.
const fn is_power(operator: Infix, operand: &ast::Expression<'_>) -> bool {
    matches!(
        (operator, &operand.node),
        (Infix::Connect(Connective::And), Syntax::Int(_) | Syntax::Real(_))
    )
}
