//! Parsing of typed lists and of declarations of predicates and functions.

use super::ast::{Signature, TypedGroup, TypedList};
use super::{Code, Kind, Known, List, Parser, Token, Word};
use crate::syntax::names::Symbol;
use herbrand_text::Span;

/// The kind of elements in a typed list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Name,
    Variable,
}

impl Parser<'_> {
    /// Parses `a b - t c - (either t u) d`, up to the end of `list`.
    pub(super) fn typed_list(&mut self, list: List, element: Element) -> TypedList {
        self.list_of(list, element, true)
    }

    /// Like [`typed_list`](Self::typed_list). If `reads_names`, a name in the place of a variable is read as the variable after
    /// its report; otherwise it is skipped.
    fn list_of(&mut self, list: List, element: Element, reads_names: bool) -> TypedList {
        let mut groups = TypedList::new();
        let mut names = Vec::new();
        while self.position < list.close {
            match (self.peek().kind, element) {
                (Kind::Variable, Element::Variable) | (Kind::Name | Kind::Number, Element::Name) => {
                    let word = self.word();
                    self.faults.push(&mut names, word);
                }
                (Kind::Dash, _) => {
                    self.position += 1;
                    let types = self.types(list);
                    let names = std::mem::take(&mut names);
                    self.faults.push(&mut groups, TypedGroup { names, types });
                }
                (Kind::Keyword, _)
                    if let Some(&last) = names.last()
                        && let Some(types) = self.types_behind_colon(list, last) =>
                {
                    let names = std::mem::take(&mut names);
                    self.faults.push(&mut groups, TypedGroup { names, types });
                }
                (Kind::Name, Element::Variable)
                    if let Some(last) = names.last_mut()
                        && let Some(variable) = self.without_dash(*last) =>
                {
                    *last = variable;
                    let names = std::mem::take(&mut names);
                    let types = vec![self.word()];
                    self.faults.push(&mut groups, TypedGroup { names, types });
                }
                (Kind::Name, Element::Variable) if reads_names => {
                    let span = self.peek().span;
                    let help = format!("write `?{}`", &self.text[span.range()]);
                    self.expected_with("a variable (`?name`)", |d| d.help(help));
                    let word = self.word();
                    self.faults.push(&mut names, word);
                }
                _ => {
                    self.expected(match element {
                        Element::Name => "a name",
                        Element::Variable => "a variable (`?name`)",
                    });
                    self.skip();
                }
            }
        }
        if !names.is_empty() {
            groups.push(TypedGroup {
                names,
                types: Vec::new(),
            });
        }
        groups
    }

    /// Reports a variable that the dash before its type belongs to, as in `?p- room`, and returns the variable without it.
    /// `None` if the variable does not end with a dash.
    fn without_dash(&mut self, last: Word) -> Option<Word> {
        let written = &self.text[last.span.range()];
        let variable = written.strip_suffix('-').filter(|variable| variable.len() > 1)?;
        let kind = &self.text[self.peek().span.range()];
        self.faults
            .report(Code::Unexpected, format!("`{written}` ends with a dash"), |d| {
                d.primary(last.span, "the dash is a part of the name")
                    .help(format!("write `{variable} - {kind}`"))
            });
        // The name has a symbol if it occurs elsewhere, without the dash.
        let same = |token: &&super::lexer::Token| {
            token.kind == Kind::Variable && self.text[token.span.range()].eq_ignore_ascii_case(variable)
        };
        let symbol = self
            .tokens
            .iter()
            .find(same)
            .map_or(last.symbol, |token| token.symbol());
        Some(Word { symbol, ..last })
    }

    /// Reports a colon in the place of the dash before a type, as in `?r : room` or `?r :room`, and returns the types behind
    /// it. `last` is the name before it. `None` if another keyword comes next.
    fn types_behind_colon(&mut self, list: List, last: Word) -> Option<Vec<Word>> {
        let colon = self.peek().span;
        let written = &self.text[colon.range()][1..];
        let next = self.position + 1;
        let is_apart = written.is_empty();
        let symbol = if is_apart {
            (next < list.close && matches!(self.tokens[next].kind, Kind::Name | Kind::Open))
                .then_some(None)?
        } else {
            Some(self.symbol_of(written)?)
        };
        if is_apart {
            self.position = next;
        }
        let kind = if is_apart {
            &self.text[self.span_of_element().range()]
        } else {
            written
        };
        let name = &self.text[last.span.range()];
        let mark = Span {
            end: colon.start + 1,
            ..colon
        };
        self.faults
            .report(Code::Unexpected, "a colon stands before a type", |d| {
                d.primary(mark, "a type follows `-`")
                    .help(format!("write `{name} - {kind}`"))
            });
        Some(match symbol {
            None => self.types(list),
            Some(symbol) => {
                self.position = next;
                let start = colon.start + 1;
                vec![Word {
                    symbol,
                    span: Span { start, ..colon },
                }]
            }
        })
    }

    /// Returns the symbol of a name if the name occurs as a word of its own. Looks only for the first few names, so that a
    /// text with many faults takes linear time.
    fn symbol_of(&self, name: &str) -> Option<Symbol> {
        const MOST: usize = 200;
        if self.faults.errors() >= MOST {
            return None;
        }
        let same = |token: &&Token| {
            token.kind == Kind::Name && self.text[token.span.range()].eq_ignore_ascii_case(name)
        };
        self.tokens.iter().find(same).map(|token| token.symbol())
    }

    /// Parses the variables of a quantifier or action: a typed list in parentheses.
    pub(super) fn variables(&mut self) -> Option<TypedList> {
        if self.peek().kind != Kind::Open {
            self.expected("a list of variables in parentheses");
            return None;
        }
        let list = self.enter();
        let variables = self.typed_list(list, Element::Variable);
        self.leave(list);
        Some(variables)
    }

    /// Parses the types after a dash: `t` or `(either t u)`.
    fn types(&mut self, list: List) -> Vec<Word> {
        if self.position == list.close {
            self.expected("a type");
            return Vec::new();
        }
        match self.peek().kind {
            Kind::Name | Kind::Number => vec![self.word()],
            Kind::Open => {
                let either = self.enter();
                let types = if self.peek_known(either, Known::Either) {
                    self.position += 1;
                    self.type_names(either)
                } else {
                    self.expected("`either`");
                    Vec::new()
                };
                self.leave(either);
                types
            }
            _ => {
                self.expected("a type");
                Vec::new()
            }
        }
    }

    fn type_names(&mut self, either: List) -> Vec<Word> {
        let mut types = Vec::new();
        while self.position < either.close {
            match self.name("a type") {
                Some(word) => self.faults.push(&mut types, word),
                None => self.skip(),
            }
        }
        types
    }

    /// Parses declarations `(p ?x - t)…` up to the end of `list`.
    pub(super) fn signatures(&mut self, list: List) -> Vec<Signature> {
        let mut signatures = Vec::new();
        while self.position < list.close {
            let signature = self.signature();
            self.keep(&mut signatures, signature);
        }
        signatures
    }

    /// Parses declarations `(f ?x - t)… - number` up to the end of `list`.
    pub(super) fn function_signatures(&mut self, list: List) -> Vec<Signature> {
        let mut signatures = Vec::new();
        while self.position < list.close {
            if self.peek().kind == Kind::Dash {
                self.position += 1;
                for word in self.types(list) {
                    if word.symbol != Known::Number.symbol() {
                        self.faults
                            .report(Code::ObjectFluents, "object fluents are not supported", |d| {
                                d.primary(word.span, "the value of a function is a `number`")
                                    .help("write an object fluent as a predicate with one more argument")
                            });
                    }
                }
            } else {
                let signature = self.signature();
                self.keep(&mut signatures, signature);
            }
        }
        signatures
    }

    /// Parses a declaration `(p ?x - t)`. A bare `p` has no parameters.
    pub(super) fn signature(&mut self) -> Option<Signature> {
        let start = self.peek();
        match start.kind {
            Kind::Name if self.is_call() => {
                let (name, list) = self.enter_call();
                let parameters = self.list_of(list, Element::Variable, true);
                self.leave(list);
                Some(Signature {
                    name,
                    parameters,
                    span: name.span.to(self.span(list)),
                })
            }
            Kind::Name => {
                if self.tokens[self.position + 1].kind == Kind::Variable
                    && let Some(list) = self.bare_signature()
                {
                    let signature = self.signature_in(list);
                    self.position = list.close;
                    return signature;
                }
                let name = self.word();
                Some(Signature {
                    name,
                    parameters: TypedList::new(),
                    span: name.span,
                })
            }
            Kind::Open => {
                let list = self.enter();
                let signature = self.signature_in(list);
                self.leave(list);
                signature
            }
            _ => {
                self.expected("a declaration such as `(on ?x ?y)`");
                self.skip();
                None
            }
        }
    }

    /// Reports a declaration without parentheses, such as `boat ?s - side`, and returns it.
    fn bare_signature(&mut self) -> Option<List> {
        let after_dash = std::cell::Cell::new(false);
        self.without_parentheses(|token| match token.kind {
            Kind::Variable => true,
            Kind::Dash => !after_dash.replace(true),
            Kind::Name => after_dash.replace(false),
            _ => false,
        })
    }

    fn signature_in(&mut self, list: List) -> Option<Signature> {
        if !matches!(self.peek().kind, Kind::Name | Kind::Number | Kind::Operator) {
            self.expected("a name");
            return None;
        }
        let name = self.word();
        // In `(at robot ?r)` the name is no variable; in `(on x)` it may be one.
        let has_variable = self.tokens[self.position..list.close]
            .iter()
            .any(|token| token.kind == Kind::Variable);
        let parameters = self.list_of(list, Element::Variable, !has_variable);
        Some(Signature {
            name,
            parameters,
            span: self.span(list),
        })
    }
}
