//! Parsing of formulas and numeric expressions.

use super::ast::{Argument, Expression, Formula};
use super::{Code, Kind, Known, List, Parser};
use herbrand_text::Span;

use crate::model::{ArithmeticOperator, Comparison};

/// The words that begin formulas with parts in parentheses.
const WORDS: &[Known] = &[
    Known::And,
    Known::Or,
    Known::Not,
    Known::Imply,
    Known::Forall,
    Known::Exists,
];

impl Parser<'_> {
    /// Parses a formula. A bare word is an atom without arguments; `()` always holds.
    pub(super) fn formula(&mut self) -> Option<Formula> {
        match self.peek().kind {
            Kind::Open => {
                let list = self.enter();
                let formula = self.formula_in(list);
                self.leave(list);
                formula
            }
            Kind::Name => match self.bare_connective() {
                Some(list) => self.formula_of(list),
                None => {
                    self.note_bare_atom();
                    Some(Formula::Atom(self.bare_atom()?))
                }
            },
            _ => {
                self.expected("a formula");
                self.skip();
                None
            }
        }
    }

    /// Parses the only formula of a part, such as a goal or a precondition.
    pub(super) fn only_formula(&mut self) -> Option<Formula> {
        match self.bare_application() {
            Some(list) => self.formula_of(list),
            None => self.formula(),
        }
    }

    /// Parses a formula whose parentheses are missing.
    fn formula_of(&mut self, list: List) -> Option<Formula> {
        let formula = self.formula_in(list);
        self.position = list.close;
        formula
    }

    fn formula_in(&mut self, list: List) -> Option<Formula> {
        if self.position == list.close {
            return Some(Formula::And(Vec::new()));
        }
        if self.refuse_operator(list, false) {
            return None;
        }
        if !matches!(self.peek().kind, Kind::Name | Kind::Operator | Kind::Number) {
            self.no_head("conditions");
            return None;
        }
        let head = self.word();
        let span = self.span(list);
        let known = self.meant_word(head, WORDS, Known::Imply);
        if let Some(moment) = self.moment(known, list) {
            let body = self.timed(list, Self::formula)?;
            return Some(Formula::At(moment, self.boxed(body), span));
        }
        match known {
            Some(Known::And) => Some(Formula::And(self.formulas(list))),
            Some(Known::Or) => Some(Formula::Or(self.formulas(list), span)),
            Some(Known::Not) => {
                let formula = match self.bare_application() {
                    Some(inner) => self.formula_of(inner)?,
                    None => {
                        let [formula] = self.operands(list, "not")?;
                        formula
                    }
                };
                Some(Formula::Not(self.boxed(formula), span))
            }
            Some(Known::Imply) => {
                let operands = self.operands(list, "imply")?;
                Some(Formula::Imply(self.boxed(operands), span))
            }
            Some(Known::Forall) => {
                let (variables, body) = self.quantified(list, "forall", Self::formula)?;
                Some(Formula::Forall(variables, self.boxed(body), span))
            }
            Some(Known::Exists) => {
                let (variables, body) = self.quantified(list, "exists", Self::formula)?;
                Some(Formula::Exists(variables, self.boxed(body), span))
            }
            Some(Known::Equal) => self.comparison(Comparison::Equal, list),
            Some(Known::Less) => self.comparison(Comparison::Less, list),
            Some(Known::LessOrEqual) => self.comparison(Comparison::LessOrEqual, list),
            Some(Known::Greater) => self.comparison(Comparison::Greater, list),
            Some(Known::GreaterOrEqual) => self.comparison(Comparison::GreaterOrEqual, list),
            Some(known) if known.is_reserved() => {
                self.misplaced(head.span, "a condition");
                None
            }
            _ => Some(Formula::Atom(self.atom(head, list)?)),
        }
    }

    /// Reports a list of formulas or effects that does not begin with a word.
    pub(super) fn no_head(&mut self, what: &str) {
        let several = self.peek().kind == Kind::Open;
        self.expected_with("a predicate or a word such as `and`", |d| {
            if several {
                d.help(several_need_and(what))
            } else {
                d
            }
        });
    }

    /// Reports several formulas or effects in a row where one is expected. Skips all lists and words up to a keyword or the
    /// end of the enclosing list.
    pub(super) fn one_too_many(&mut self, what: &str, expected: &str) {
        self.expected_with(expected, |d| d.help(several_need_and(what)));
        while matches!(self.peek().kind, Kind::Open | Kind::Name) {
            self.skip();
        }
    }

    /// Parses formulas up to the end of `list`.
    fn formulas(&mut self, list: List) -> Vec<Formula> {
        let mut formulas = Vec::new();
        while self.position < list.close {
            let formula = self.formula();
            self.keep(&mut formulas, formula);
        }
        formulas
    }

    /// Parses exactly `N` formulas up to the end of `list`.
    fn operands<const N: usize>(&mut self, list: List, word: &str) -> Option<[Formula; N]> {
        let errors = self.faults.errors();
        let formulas = self.formulas(list);
        if self.faults.errors() > errors {
            return None;
        }
        let count = formulas.len();
        let operands = formulas.try_into().ok();
        if operands.is_none() {
            self.wrong_operand_count(list, word, N, count);
        }
        operands
    }

    /// Parses the variables and the body of a quantifier: `(?x - t …) body)`.
    pub(super) fn quantified<T>(
        &mut self,
        list: List,
        word: &str,
        body: impl Fn(&mut Self) -> Option<T>,
    ) -> Option<(super::ast::TypedList, T)> {
        if self.position == list.close {
            self.wrong_operand_count(list, word, 2, 0);
            return None;
        }
        let variables = self.variables()?;
        if self.position == list.close {
            self.wrong_operand_count(list, word, 2, 1);
            return None;
        }
        let body = body(self);
        if self.position < list.close {
            self.wrong_operand_count(list, word, 2, 3);
        }
        Some((variables, body?))
    }

    fn comparison(&mut self, comparison: Comparison, list: List) -> Option<Formula> {
        let operands = self.expressions(list)?;
        let count = operands.len();
        match <[Expression; 2]>::try_from(operands) {
            Ok(operands) => Some(Formula::Compare(
                comparison,
                self.boxed(operands),
                self.span(list),
            )),
            Err(_) => {
                let word = self.tokens[list.open + 1].span.range();
                self.wrong_operand_count(list, &self.text[word], 2, count);
                None
            }
        }
    }

    /// Parses expressions up to the end of `list`; `None` if one of them has a fault.
    fn expressions(&mut self, list: List) -> Option<Vec<Expression>> {
        let mut expressions = Some(Vec::new());
        while self.position < list.close {
            match (self.expression(), &mut expressions) {
                (Some(expression), Some(list)) => self.faults.push(list, expression),
                _ => expressions = None,
            }
        }
        expressions
    }

    /// Parses a numeric expression, or a term as an operand of `=`.
    pub(super) fn expression(&mut self) -> Option<Expression> {
        let token = self.peek();
        match token.kind {
            Kind::Number => {
                self.position += 1;
                Some(Expression::Number(Argument::of(token)))
            }
            Kind::Name if token.symbol() == Known::ContinuousTime.symbol() => {
                self.position += 1;
                self.faults.report(
                    Code::ContinuousEffects,
                    "continuous effects (`#t`) are not supported",
                    |d| d.primary(token.span, "this feature is not supported"),
                );
                None
            }
            Kind::Name if self.is_call() => Some(Expression::Call(self.call()?)),
            Kind::Name | Kind::Variable => {
                self.position += 1;
                Some(Expression::Term(Argument::of(token)))
            }
            Kind::Open => {
                let list = self.enter();
                let expression = self.expression_in(list);
                self.leave(list);
                expression
            }
            _ => {
                self.expected("a number, a function or an object");
                self.skip();
                None
            }
        }
    }

    fn expression_in(&mut self, list: List) -> Option<Expression> {
        if self.position < list.close && self.refuse_operator(list, false) {
            return None;
        }
        if !matches!(self.peek().kind, Kind::Name | Kind::Operator | Kind::Dash) {
            self.expected("a function or an arithmetic operator");
            return None;
        }
        let head = self.word();
        let operator = match Known::of(head.symbol) {
            Some(Known::Plus) => ArithmeticOperator::Add,
            Some(Known::Minus) => ArithmeticOperator::Subtract,
            Some(Known::Times) => ArithmeticOperator::Multiply,
            Some(Known::Divide) => ArithmeticOperator::Divide,
            Some(known) if known.is_reserved() => {
                self.misplaced(head.span, "a numeric expression");
                return None;
            }
            _ => return Some(Expression::Call(self.atom(head, list)?)),
        };
        let operands = self.expressions(list)?;
        match (operator, operands.len()) {
            (ArithmeticOperator::Subtract, 1) => {
                Some(Expression::Apply(ArithmeticOperator::Negate, operands))
            }
            (_, 2..) => Some(Expression::Apply(operator, operands)),
            (_, count) => {
                let word = &self.text[head.span.range()];
                self.wrong_operand_count(list, word, 2, count);
                None
            }
        }
    }

    pub(super) fn wrong_operand_count(&mut self, list: List, word: &str, expected: usize, found: usize) {
        let span = self.span(list);
        self.position = list.close;
        let message = match found {
            _ if found > expected => format!("too many operands of `{word}`"),
            _ => format!("too few operands of `{word}`"),
        };
        let operands = if expected == 1 {
            "one operand"
        } else {
            "two operands"
        };
        let groups = matches!(word, "not" | "forall" | "exists" | "when" | "imply");
        self.faults.report(Code::OperandCount, message, |d| {
            let d = d.primary(span, format!("`{word}` takes {operands}"));
            if found > expected && groups {
                d.help("to pass several parts as one operand, wrap them in `(and …)`")
            } else {
                d
            }
        });
    }

    /// Reports a keyword that is not allowed in `context`.
    pub(super) fn misplaced(&mut self, head: Span, context: &str) {
        let word = &self.text[head.range()];
        self.faults.report(
            Code::MisplacedOperator,
            format!("`{word}` is not allowed in {context}"),
            |d| d.primary(head, format!("this cannot be used in {context}")),
        );
    }
}

/// Returns the help for several conditions or effects where one is expected.
fn several_need_and(what: &str) -> String {
    format!("wrap several {what} in `(and …)`")
}
