//! Parses expressions by precedence climbing. All operators group to the left.
//!
//! A construct whose body has no closing token (`if`, quantifiers, aggregations) may be used as any operand. Its body
//! extends as far to the right as possible.

use herbrand_text::Span;

use super::super::DEPTH_LIMIT;
use super::super::ast::{Case, CaseLabel, Expression, Infix, Link, Node, TypedVariable, Word};
use super::super::lexer::{Kind, Token, report_foreign};
use super::{Parsed, Parser, Reported};
use crate::diagnostic::Code;
use crate::model::{
    Aggregation, Binary, Comparison, Connective, Extremum, Matrix, Quantifier, Unary, Vector,
};

/// Returns the operator and its precedence. A higher number binds tighter.
fn infix(kind: Kind) -> Option<(Infix, u8)> {
    Some(match kind {
        Kind::Equivalent => (Infix::Connect(Connective::Equivalent), 1),
        Kind::Implies => (Infix::Connect(Connective::Implies), 2),
        Kind::Or => (Infix::Connect(Connective::Or), 3),
        Kind::And => (Infix::Connect(Connective::And), 4),
        Kind::Equal | Kind::Assign => (Infix::Compare(Comparison::Equal), 5),
        Kind::Unequal => (Infix::Compare(Comparison::Unequal), 5),
        Kind::Less => (Infix::Compare(Comparison::Less), 5),
        Kind::LessOrEqual => (Infix::Compare(Comparison::LessOrEqual), 5),
        Kind::Greater => (Infix::Compare(Comparison::Greater), 5),
        Kind::GreaterOrEqual => (Infix::Compare(Comparison::GreaterOrEqual), 5),
        Kind::Plus => (Infix::Arithmetic(Binary::Add), 6),
        Kind::Minus => (Infix::Arithmetic(Binary::Subtract), 6),
        Kind::Times => (Infix::Arithmetic(Binary::Multiply), 7),
        Kind::Divide => (Infix::Arithmetic(Binary::Divide), 7),
        Kind::Modulo => (Infix::Arithmetic(Binary::Mod), 7),
        Kind::Power => (Infix::Arithmetic(Binary::Pow), 8),
        _ => return None,
    })
}

/// The operators that other languages write as words, with how RDDL writes them.
const WORDS: [(&str, Kind, &str); 6] = [
    ("and", Kind::And, "^"),
    ("or", Kind::Or, "|"),
    ("xor", Kind::Unequal, "~="),
    ("implies", Kind::Implies, "=>"),
    ("iff", Kind::Equivalent, "<=>"),
    ("is", Kind::Equal, "=="),
];

/// Returns whether a word before `_{…}` binds variables.
fn binds_variables(name: &str) -> bool {
    Aggregation::find(name).is_some() || Quantifier::find(name).is_some() || Extremum::find(name).is_some()
}

impl<'s> Parser<'s, '_> {
    pub(super) fn expression(&mut self) -> Parsed<Expression<'s>> {
        let expression = self.climb(0)?;
        if self.accept(Kind::Question) {
            return self.nested(|parser| parser.question(expression));
        }
        Ok(expression)
    }

    /// `then : otherwise` of `condition ? then : otherwise`, which is reported.
    fn question(&mut self, condition: Expression<'s>) -> Parsed<Expression<'s>> {
        let then = self.expression()?;
        self.expect(Kind::Colon, "`:`")?;
        let otherwise = self.expression()?;
        let span = condition.span.to(otherwise.span);
        let [if_text, then_text, else_text] =
            [&condition, &then, &otherwise].map(|part| &self.text[part.span.range()]);
        let written = format!("if ({if_text}) then {then_text} else {else_text}");
        self.report_written("`? :` is not an operator of RDDL", span, &written);
        self.tree(Node::If(Box::new([condition, then, otherwise])), span)
    }

    /// Reports a construct of another language, for which RDDL has `written`.
    fn report_written(&mut self, message: &str, span: Span, written: &str) {
        self.faults.report(Code::ForeignOperator, message, |d| {
            d.primary(span, "of another language").write(written)
        });
    }

    /// Returns the operator that is next, with its precedence. One written as a word is reported once it is parsed.
    fn infix_here(&self) -> Option<(Infix, u8)> {
        let kind = self.peek().kind;
        if kind != Kind::Identifier {
            return infix(kind);
        }
        match self.word_here().text {
            // The name at the beginning of an item; the `;` before it is missing.
            _ if self.peek_second() == Kind::Assign => None,
            "div" => Some((Infix::Arithmetic(Binary::Div), 7)),
            "mod" => infix(Kind::Modulo),
            word => infix(WORDS.iter().find(|(theirs, ..)| *theirs == word)?.1),
        }
    }

    /// Reports an operator that RDDL does not write like this.
    fn report_infix(&mut self, operator: Infix, sign: Token, left: Span, right: Span) {
        let word = &self.text[sign.span.range()];
        match (operator, sign.kind) {
            (_, Kind::Assign) => self.report_assign(sign.span),
            (Infix::Arithmetic(function), Kind::Power | Kind::Modulo | Kind::Identifier) => {
                let [mut a, b] = [left, right].map(|span| &self.text[span.range()]);
                if function == Binary::Pow && a.starts_with('-') {
                    // Other languages negate the power.
                    a = "…";
                }
                let written = format!("{}[{a}, {b}]", function.as_str());
                let message = format!("`{word}` is not an operator of RDDL");
                self.report_written(&message, left.to(right), &written);
            }
            (_, Kind::Identifier) => {
                if let Some((_, _, ours)) = WORDS.iter().find(|(theirs, ..)| *theirs == word) {
                    report_foreign(word, ours, sign.span, self.faults);
                }
            }
            _ => {}
        }
    }

    /// Parses operands joined by operators that bind tighter than `floor`.
    fn climb(&mut self, floor: u8) -> Parsed<Expression<'s>> {
        let mut left = self.operand()?;
        // The precedence of the operators in `left`, if this call joined them and more operands may be appended without
        // nesting.
        let mut joined = None;
        while let Some((operator, strength)) = self.infix_here()
            && strength > floor
        {
            let sign = self.peek();
            self.advance();
            let operand = self.climb(strength)?;
            self.report_infix(operator, sign, left.span, operand.span);
            let span = left.span.to(operand.span);
            let link = Link {
                operator,
                sign: sign.span,
                operand,
            };
            left = match left {
                Expression {
                    node: Node::Infix(first, mut rest),
                    depth,
                    bracketed,
                    ..
                } if joined == Some(strength) => {
                    let depth = depth.max(1 + link.operand.depth);
                    self.faults.push(&mut rest, link);
                    self.checked(Expression {
                        node: Node::Infix(first, rest),
                        span,
                        depth,
                        bracketed,
                    })?
                }
                left => self.tree(Node::Infix(Box::new(left), vec![link]), span)?,
            };
            // Comparisons do not chain: each has two operands.
            joined = (!matches!(operator, Infix::Compare(_))).then_some(strength);
        }
        Ok(left)
    }

    fn report_assign(&mut self, span: Span) {
        self.faults
            .report(Code::ForeignOperator, "`=` does not compare", |d| {
                d.primary(span, "expected an operator").write("==")
            });
    }

    /// Parses an operand with optional prefix operators.
    fn operand(&mut self) -> Parsed<Expression<'s>> {
        self.nested(Self::operand_within_limit)
    }

    /// Calls `read` one level deeper, unless that is too deep.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.level >= DEPTH_LIMIT {
            return Err(self.too_deep(self.peek().span));
        }
        self.level += 1;
        let found = read(self);
        self.level -= 1;
        found
    }

    fn operand_within_limit(&mut self) -> Parsed<Expression<'s>> {
        let start = self.peek().span;
        let sign = match self.peek().kind {
            Kind::Not => Unary::Not,
            Kind::Minus => Unary::Minus,
            Kind::Plus => Unary::Plus,
            Kind::Identifier if self.is_word("not") && self.second_begins_operand() => {
                report_foreign("not", "~", start, self.faults);
                Unary::Not
            }
            _ => return self.primary(),
        };
        self.advance();
        let operand = self.operand()?;
        let span = start.to(operand.span);
        self.tree(Node::Prefix(sign, Box::new(operand)), span)
    }

    /// Returns whether the next token but one begins an operand, other than with a parenthesis, which may be arguments.
    fn second_begins_operand(&self) -> bool {
        let second = self.peek_second();
        matches!(second, Kind::Not | Kind::OpenBracket | Kind::Variable)
            || second == Kind::Identifier
                && self.tokens.get(self.position + 1).is_some_and(|token| {
                    let word = &self.text[token.span.range()];
                    !matches!(word, "then" | "else") && WORDS.iter().all(|(theirs, ..)| *theirs != word)
                })
    }

    /// Parses an operand without operators.
    fn primary(&mut self) -> Parsed<Expression<'s>> {
        let token = self.peek();
        let word = self.word_here();
        let node = match token.kind {
            Kind::OpenParenthesis => return self.group(Kind::CloseParenthesis, "`)`"),
            Kind::OpenBracket => return self.group(Kind::CloseBracket, "`]`"),
            Kind::Identifier => return self.named(word),
            Kind::Int => Node::Int(word.text),
            Kind::Real => Node::Real(word.text),
            Kind::Variable => Node::Variable(Word {
                text: &word.text[1..],
                span: word.span,
            }),
            Kind::Enum => Node::Enum(word),
            Kind::Underscore => Node::Underscore,
            Kind::Dollar => return self.refuse_external(),
            _ => return Err(self.unexpected("an expression")),
        };
        self.advance();
        self.tree(node, token.span)
    }

    fn group(&mut self, close: Kind, sign: &str) -> Parsed<Expression<'s>> {
        let start = self.peek().span;
        self.advance();
        let mut inner = self.expression()?;
        self.expect(close, sign)?;
        inner.span = start.to(self.previous_span());
        inner.bracketed = true;
        Ok(inner)
    }

    /// Parses an operand that begins with a name or a keyword.
    fn named(&mut self, word: Word<'s>) -> Parsed<Expression<'s>> {
        self.advance();
        let node = match (word.text, self.peek().kind) {
            ("if", _) => self.conditional()?,
            ("switch", _) => self.switch()?,
            ("true", _) => Node::Bool(true),
            ("false", _) => Node::Bool(false),
            ("then" | "else" | "case" | "default" | "otherwise", _) => {
                self.position -= 1;
                return Err(self.unexpected("an expression"));
            }
            (_, Kind::Underscore) if self.peek_second() == Kind::OpenBrace => {
                self.advance();
                self.binder(word, Kind::CloseBrace)?
            }
            (name, Kind::OpenBrace | Kind::Underscore) if binds_variables(name) => {
                self.binder_without_underscore(word)?
            }
            ("Discrete" | "UnnormDiscrete", Kind::OpenParenthesis) => self.discrete(word)?,
            (_, Kind::OpenParenthesis) => {
                self.advance();
                Node::Call(word, self.list(Kind::CloseParenthesis, Self::expression)?)
            }
            (name, Kind::OpenBracket) if Matrix::find(name).is_some() => self.matrix(word)?,
            (name, Kind::OpenBracket) if Vector::find(name).is_some() => self.vector(word)?,
            (_, Kind::OpenBracket) => {
                self.advance();
                Node::Function(word, self.list(Kind::CloseBracket, Self::expression)?)
            }
            _ => Node::Name(word),
        };
        let span = word.span.to(self.previous_span());
        self.tree(node, span)
    }

    /// `if (condition) then a else b`, after the first word. `elif (condition) then a` is reported.
    fn conditional(&mut self) -> Parsed<Node<'s>> {
        let mut branches = Vec::new();
        loop {
            if !self.accept(Kind::OpenParenthesis) {
                return Err(self.expected("`(`", |d| d.help("write `if (condition) then a else b`")));
            }
            let condition = self.expression()?;
            self.expect(Kind::CloseParenthesis, "`)`")?;
            self.expect_word("then")?;
            let then = self.expression()?;
            self.faults.push(&mut branches, (condition, then));
            if !matches!(self.word_here().text, "elif" | "elseif" | "elsif") {
                break;
            }
            self.expected("`else`", |d| d.write("else if"));
            self.advance();
        }
        self.expect_word("else")?;
        let mut node = self.expression()?;
        let (condition, then) = branches.swap_remove(0);
        while let Some((condition, then)) = branches.pop() {
            let span = condition.span.to(node.span);
            node = self.tree(Node::If(Box::new([condition, then, node])), span)?;
        }
        Ok(Node::If(Box::new([condition, then, node])))
    }

    /// `switch (subject) { case @a : x, default : y }`, after the first word.
    fn switch(&mut self) -> Parsed<Node<'s>> {
        self.expect(Kind::OpenParenthesis, "`(`")?;
        let subject = self.expression()?;
        self.expect(Kind::CloseParenthesis, "`)`")?;
        self.expect(Kind::OpenBrace, "`{`")?;
        let cases = self.list(Kind::CloseBrace, |parser| {
            let start = parser.peek().span;
            let label = if parser.is_word("default") {
                parser.advance();
                CaseLabel::Default
            } else {
                parser.expect_word("case")?;
                CaseLabel::Item(parser.enum_value()?)
            };
            parser.expect(Kind::Colon, "`:`")?;
            let body = Some(parser.expression()?);
            let span = start.to(parser.previous_span());
            Ok(Case { label, body, span })
        })?;
        Ok(Node::Switch(Box::new(subject), cases))
    }

    /// `@red`, or `red`, about which the checker warns.
    fn enum_value(&mut self) -> Parsed<Word<'s>> {
        match self.peek().kind {
            Kind::Identifier if !matches!(self.word_here().text, "true" | "false") => {
                self.identifier("a value")
            }
            _ => self.word_of(Kind::Enum, "a value such as `@red`"),
        }
    }

    /// `forall {` and `forall_(` in place of `forall_{`, after the name.
    fn binder_without_underscore(&mut self, word: Word<'s>) -> Parsed<Node<'s>> {
        self.expected("`_{`", |d| d.help(format!("write `{}_{{?x : t}} …`", word.text)));
        self.accept(Kind::Underscore);
        match self.peek().kind {
            Kind::OpenBrace => self.binder(word, Kind::CloseBrace),
            Kind::OpenParenthesis => self.binder(word, Kind::CloseParenthesis),
            _ => Err(Reported),
        }
    }

    /// `{?x : t, …} body` of `name_{?x : t, …} body`. `close` ends the list of variables.
    fn binder(&mut self, word: Word<'s>, close: Kind) -> Parsed<Node<'s>> {
        self.advance();
        let variables = self.list(close, |parser| {
            let variable = parser.variable()?;
            if !parser.accept(Kind::Colon) {
                return Err(parser.expected("`:` and a type", |d| {
                    d.help(format!("write `?{} : t` for a type `t`", variable.text))
                }));
            }
            let of = parser.identifier("a type")?;
            Ok(TypedVariable { variable, of })
        })?;
        let body = Box::new(self.expression()?);
        Ok(Node::Binder(word, variables, body))
    }

    /// `(t, @a : p, …)` of `Discrete`, after the name.
    fn discrete(&mut self, word: Word<'s>) -> Parsed<Node<'s>> {
        self.advance();
        let of = self.identifier("an enum type")?;
        self.expect(Kind::Comma, "`,`")?;
        let cases = self.list(Kind::CloseParenthesis, |parser| {
            let value = parser.enum_value()?;
            parser.expect(Kind::Colon, "`:`")?;
            let body = if parser.is_word("otherwise") {
                parser.advance();
                None
            } else {
                Some(parser.expression()?)
            };
            let span = value.span.to(parser.previous_span());
            Ok(Case {
                label: CaseLabel::Item(value),
                body,
                span,
            })
        })?;
        Ok(Node::Discrete(word, of, cases))
    }

    /// `[?i](a, b)` of a distribution of a vector, after the name.
    fn vector(&mut self, word: Word<'s>) -> Parsed<Node<'s>> {
        self.advance();
        let indices = self.list(Kind::CloseBracket, Self::expression)?;
        self.expect(Kind::OpenParenthesis, "`(`")?;
        let parameters = self.list(Kind::CloseParenthesis, Self::expression)?;
        Ok(Node::Vector(word, indices, parameters))
    }

    /// `[row=?i, col=?j][body]` of a function of a matrix, after the name.
    fn matrix(&mut self, word: Word<'s>) -> Parsed<Node<'s>> {
        self.advance();
        self.expect_word("row")?;
        self.expect(Kind::Assign, "`=`")?;
        let row = self.variable()?;
        self.expect(Kind::Comma, "`,`")?;
        self.expect_word("col")?;
        self.expect(Kind::Assign, "`=`")?;
        let column = self.variable()?;
        self.expect(Kind::CloseBracket, "`]`")?;
        self.expect(Kind::OpenBracket, "`[`")?;
        let body = Box::new(self.expression()?);
        self.expect(Kind::CloseBracket, "`]`")?;
        Ok(Node::Matrix(word, [row, column], body))
    }

    /// Creates a tree with this root, unless it is too high.
    fn tree(&mut self, node: Node<'s>, span: Span) -> Parsed<Expression<'s>> {
        self.faults.charge(size_of::<Expression<'_>>());
        let depth = 1 + node.parts().map(|part| part.depth).max().unwrap_or(0);
        self.checked(Expression {
            node,
            span,
            depth,
            bracketed: false,
        })
    }

    /// Returns the expression, unless it is too high.
    fn checked(&mut self, expression: Expression<'s>) -> Parsed<Expression<'s>> {
        if expression.depth > DEPTH_LIMIT {
            return Err(self.too_deep(expression.span));
        }
        Ok(expression)
    }

    fn too_deep(&mut self, span: Span) -> Reported {
        self.faults.report(Code::NestedTooDeep, "nested too deep", |d| {
            d.primary(
                span,
                format!("more than {DEPTH_LIMIT} operations are nested here"),
            )
            .help("define an interm-fluent for a part of the expression")
        });
        Reported
    }
}
