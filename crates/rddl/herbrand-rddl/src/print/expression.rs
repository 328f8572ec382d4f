//! Formats expressions with the minimum number of brackets.

use super::number;
use crate::model::{
    Binary, Case, Comparison, Connective, Domain, Expression, Formula, Lambda, Node, Range, Time, TypeId,
    Unary, Value, VariableId,
};

/// Operator precedence. An operand is bracketed if its precedence is lower than its position requires.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// No operator, or a body that extends as far to the right as possible.
    Open,
    Equivalent,
    Implies,
    Or,
    And,
    Compare,
    Add,
    Multiply,
    /// A prefix operator with its operand.
    Sign,
    /// An operand without an operator.
    Closed,
}

impl Strength {
    /// Returns the precedence that a right operand needs. All operators group to the left.
    const fn above(self) -> Self {
        match self {
            Self::Open => Self::Equivalent,
            Self::Equivalent => Self::Implies,
            Self::Implies => Self::Or,
            Self::Or => Self::And,
            Self::And => Self::Compare,
            Self::Compare => Self::Add,
            Self::Add => Self::Multiply,
            Self::Multiply => Self::Sign,
            Self::Sign | Self::Closed => Self::Closed,
        }
    }

    const fn of_connective(connective: Connective) -> Self {
        match connective {
            Connective::Equivalent => Self::Equivalent,
            Connective::Implies => Self::Implies,
            Connective::Or => Self::Or,
            Connective::And => Self::And,
        }
    }

    const fn of_binary(binary: Binary) -> Self {
        match binary {
            Binary::Add | Binary::Subtract => Self::Add,
            Binary::Multiply | Binary::Divide => Self::Multiply,
            _ => Self::Closed,
        }
    }
}

/// Formats one formula.
pub(super) struct Printer<'p> {
    domain: &'p Domain,
    formula: &'p Formula,
}

impl<'p> Printer<'p> {
    pub(super) const fn new(domain: &'p Domain, formula: &'p Formula) -> Self {
        Self { domain, formula }
    }

    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        self.write(&self.formula.body, Strength::Open, &mut out);
        out
    }

    /// Writes an expression at a position that requires precedence `needed`.
    fn write(&self, expression: &Expression, needed: Strength, out: &mut String) {
        let bracketed = self.strength(expression) < needed;
        if bracketed {
            out.push('(');
        }
        self.bare(expression, out);
        if bracketed {
            out.push(')');
        }
    }

    fn strength(&self, expression: &Expression) -> Strength {
        match &expression.node {
            Node::Connect(connective, _) => Strength::of_connective(*connective),
            Node::Compare(..) => Strength::Compare,
            Node::Binary(_, rest) => rest
                .first()
                .map_or(Strength::Closed, |(binary, _)| Strength::of_binary(*binary)),
            Node::Unary(unary, _) if unary.is_sign() => Strength::Sign,
            Node::If(_)
            | Node::Aggregate(..)
            | Node::Quantify(..)
            | Node::Extreme(..)
            | Node::Determinant(..)
            | Node::DiscreteOver(..) => Strength::Open,
            _ => Strength::Closed,
        }
    }

    fn bare(&self, expression: &Expression, out: &mut String) {
        match &expression.node {
            Node::Literal(value) => self.literal(*value, expression.range, out),
            Node::Variable(id) => self.variable(*id, out),
            Node::Fluent(id, time, arguments) => {
                out.push_str(self.domain.pvariable(*id).name.as_str());
                if *time == Time::Next {
                    out.push('\'');
                }
                if !arguments.is_empty() {
                    self.list("(", arguments, ")", out);
                }
            }
            Node::Unary(unary, operand) => self.unary(*unary, operand, out),
            Node::Binary(first, rest) => self.arithmetic(first, rest, out),
            Node::Compare(comparison, operands) => self.compare(*comparison, operands, out),
            Node::Connect(connective, operands) => {
                let strength = Strength::of_connective(*connective);
                let (first, rest) = operands.split_at(1);
                self.write(&first[0], strength, out);
                rest.iter()
                    .for_each(|operand| self.joined(connective.as_str(), operand, strength, out));
            }
            Node::If(parts) => {
                out.push_str("if (");
                self.write(&parts[0], Strength::Open, out);
                out.push_str(") then ");
                self.write(&parts[1], Strength::Equivalent, out);
                out.push_str(" else ");
                self.write(&parts[2], Strength::Open, out);
            }
            Node::Switch {
                subject,
                cases,
                default,
            } => self.switch(subject, cases, default.as_deref(), out),
            Node::Aggregate(aggregation, variables, body) => {
                self.binder(aggregation.as_str(), variables, body, out);
            }
            Node::Quantify(quantifier, variables, body) => {
                self.binder(quantifier.as_str(), variables, body, out);
            }
            Node::Extreme(extremum, variable, body) => {
                self.binder(extremum.as_str(), &[*variable], body, out);
            }
            Node::Determinant(variables, body) => self.binder("det", variables, body, out),
            Node::DiscreteOver(_, choice, variable, body) => {
                self.binder(choice.name(), &[*variable], body, out);
            }
            Node::Matrix(matrix, [row, column], lambda) => {
                out.push_str(matrix.as_str());
                out.push_str("[row=");
                self.variable(*row, out);
                out.push_str(", col=");
                self.variable(*column, out);
                out.push_str("][");
                self.write(&lambda.body, Strength::Open, out);
                out.push(']');
            }
            Node::KronDelta(value) => self.list("KronDelta(", std::slice::from_ref(value), ")", out),
            Node::DiracDelta(value) => self.list("DiracDelta(", std::slice::from_ref(value), ")", out),
            Node::Bernoulli(_, p) => self.list("Bernoulli(", std::slice::from_ref(p), ")", out),
            Node::Draw(_, family, parameters) => {
                out.push_str(family.name());
                self.list("(", parameters, ")", out);
            }
            Node::Discrete {
                choice,
                of,
                cases,
                otherwise,
                ..
            } => self.discrete(choice.name(), *of, cases, *otherwise, out),
            Node::Vector(_, vector, component, lambdas) => {
                out.push_str(vector.as_str());
                out.push('[');
                self.variable(*component, out);
                out.push_str("](");
                for (position, Lambda { body, .. }) in lambdas.iter().enumerate() {
                    if position > 0 {
                        out.push_str(", ");
                    }
                    self.write(body, Strength::Open, out);
                }
                out.push(')');
            }
        }
    }

    fn literal(&self, value: Value, range: Range, out: &mut String) {
        match (value, range) {
            (Value::Item(item), Range::Item(of)) => self.item(of, item, out),
            _ => out.push_str(&number(value)),
        }
    }

    /// Writes an enum value.
    fn item(&self, of: TypeId, item: u32, out: &mut String) {
        out.push('@');
        if let Some(values) = self.domain.type_of(of).values() {
            out.push_str(values[item as usize].as_str());
        }
    }

    fn variable(&self, id: VariableId, out: &mut String) {
        let name = self.formula.variable(id).name.as_str();
        if name != "_" {
            out.push('?');
        }
        out.push_str(name);
    }

    fn list<'e>(
        &self,
        open: &str,
        parts: impl IntoIterator<Item = impl AsRefExpression<'e>>,
        close: &str,
        out: &mut String,
    ) {
        out.push_str(open);
        for (position, part) in parts.into_iter().enumerate() {
            if position > 0 {
                out.push_str(", ");
            }
            self.write(part.expression(), Strength::Open, out);
        }
        out.push_str(close);
    }

    fn unary(&self, unary: Unary, operand: &Expression, out: &mut String) {
        out.push_str(unary.as_str());
        if unary.is_sign() {
            self.write(operand, Strength::Sign, out);
        } else {
            self.list("[", [operand], "]", out);
        }
    }

    fn arithmetic(&self, first: &Expression, rest: &[(Binary, Expression)], out: &mut String) {
        if let [(function, second)] = rest
            && !function.is_sign()
        {
            out.push_str(function.as_str());
            self.list("[", [first, second], "]", out);
            return;
        }
        for (index, (sign, operand)) in rest.iter().enumerate() {
            let strength = Strength::of_binary(*sign);
            if index == 0 {
                self.write(first, strength, out);
            }
            self.joined(sign.as_str(), operand, strength, out);
        }
    }

    fn compare(&self, comparison: Comparison, operands: &[Expression; 2], out: &mut String) {
        self.write(&operands[0], Strength::Compare, out);
        self.joined(comparison.as_str(), &operands[1], Strength::Compare, out);
    }

    /// Writes an operator and its right operand.
    fn joined(&self, sign: &str, operand: &Expression, strength: Strength, out: &mut String) {
        out.push(' ');
        out.push_str(sign);
        out.push(' ');
        self.write(operand, strength.above(), out);
    }

    /// `name_{?x : t, …} [body]`
    fn binder(&self, name: &str, variables: &[VariableId], body: &Expression, out: &mut String) {
        out.push_str(name);
        out.push_str("_{");
        for (position, &id) in variables.iter().enumerate() {
            if position > 0 {
                out.push_str(", ");
            }
            self.variable(id, out);
            out.push_str(" : ");
            let of = self.formula.variable(id).of;
            out.push_str(self.domain.type_of(of).name.as_str());
        }
        out.push_str("} [");
        self.write(body, Strength::Open, out);
        out.push(']');
    }

    fn switch(&self, subject: &Expression, cases: &[Case], default: Option<&Expression>, out: &mut String) {
        out.push_str("switch (");
        self.write(subject, Strength::Open, out);
        out.push_str(") { ");
        let mut is_first = true;
        let mut separate = |out: &mut String| {
            if !std::mem::take(&mut is_first) {
                out.push_str(", ");
            }
        };
        for case in cases {
            separate(out);
            out.push_str("case ");
            if let Range::Item(of) = subject.range {
                self.item(of, case.item, out);
            }
            out.push_str(" : ");
            self.write(&case.body, Strength::Open, out);
        }
        if let Some(default) = default {
            separate(out);
            out.push_str("default : ");
            self.write(default, Strength::Open, out);
        }
        out.push_str(" }");
    }

    fn discrete(&self, name: &str, of: TypeId, cases: &[Case], otherwise: Option<u32>, out: &mut String) {
        out.push_str(name);
        out.push('(');
        out.push_str(self.domain.type_of(of).name.as_str());
        for case in cases {
            out.push_str(", ");
            self.item(of, case.item, out);
            out.push_str(" : ");
            self.write(&case.body, Strength::Open, out);
        }
        if let Some(item) = otherwise {
            out.push_str(", ");
            self.item(of, item, out);
            out.push_str(" : otherwise");
        }
        out.push(')');
    }
}

/// An expression or a reference to one.
trait AsRefExpression<'e> {
    fn expression(&self) -> &'e Expression;
}

impl<'e> AsRefExpression<'e> for &'e Expression {
    fn expression(&self) -> &'e Expression {
        self
    }
}

impl<'e> AsRefExpression<'e> for &'e Box<Expression> {
    fn expression(&self) -> &'e Expression {
        self
    }
}
