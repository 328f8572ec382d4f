//! Recursive descent over tokens with matched brackets.
//!
//! Every function that reads an element leaves the position right after it, whatever it holds: where a fault was
//! reported, the next element is read as if nothing had happened, so that all faults of a text are found at once.

mod domain;
mod effect;
mod formula;
mod problem;
mod refused;
mod typed;

use super::ast::{self, Argument, Atom, File, Literal};
use super::lexer::{self, Kind, Token, Word};
use super::names::{Known, Names};
use crate::diagnostic::{Code, Diagnostics, Draft};
use crate::{Source, Span};

/// Reads everything that `source` defines. The faults found go to `faults`; what has some is marked faulty.
pub(crate) fn parse<'t>(source: &'t Source, faults: &mut Diagnostics) -> (File, Names<'t>) {
    let lexer::Tokens {
        tokens,
        names,
        markers,
        doubtful,
    } = lexer::tokenize(source, faults);
    let mut file = File {
        doubtful,
        ..File::default()
    };
    let mut arguments = Vec::new();
    if !faults.meter().reserve(&mut arguments, tokens.len() / 2) {
        return (file, names);
    }
    let lexical_faults = faults.errors();
    let mut parser = Parser {
        text: source.text(),
        tokens: &tokens,
        markers: &markers,
        position: 0,
        arguments,
        faults,
    };
    parser.file(&mut file);
    file.arguments = parser.arguments;
    // A missing parenthesis may have put anything anywhere.
    if lexical_faults > 0 {
        file.domains.iter_mut().for_each(|domain| domain.faulty = true);
        file.problems.iter_mut().for_each(|problem| problem.faulty = true);
    }
    (file, names)
}

/// The assumption of lenient reading about an element that no definition can have.
const IGNORED: &str = "read as if it were not there";

struct Parser<'p> {
    text: &'p str,
    tokens: &'p [Token],
    markers: &'p [Word],
    position: usize,
    arguments: Vec<Argument>,
    faults: &'p mut Diagnostics,
}

/// A list `( … )` by the positions of its parentheses.
#[derive(Clone, Copy)]
struct List {
    open: usize,
    close: usize,
}

impl<'p> Parser<'p> {
    fn file(&mut self, file: &mut File) {
        while let Some(&token) = self.tokens.get(self.position) {
            if token.kind == Kind::Open {
                let list = self.enter();
                self.definition(list, file);
                self.leave(list);
            } else {
                self.ignored("`(define …)`");
                self.position = self.next_list();
            }
        }
        if self.tokens.is_empty() && self.faults.errors() == 0 {
            let end = Span::from(self.text.len()..self.text.len());
            self.faults
                .report(Code::NoDefinition, "nothing is defined in this text", |d| {
                    d.primary(end, "the text ends here")
                        .help("a domain is written `(define (domain NAME) …)`")
                });
        }
    }

    /// `(define (domain NAME) …)` or `(define (problem NAME) …)`
    fn definition(&mut self, list: List, file: &mut File) {
        if !self.peek_known(list, Known::Define) {
            let span = self.span(list);
            let head = Span {
                end: self.tokens[list.open + 1].span.end,
                ..span
            };
            self.faults
                .report_repaired(Code::NoDefinition, "expected `(define …)`", IGNORED, |d| {
                    d.primary(head, "this is no definition")
                        .help("a text is made of `(define (domain NAME) …)` and `(define (problem NAME) …)`")
                });
            return;
        }
        self.position += 1;
        let errors = self.faults.errors();
        let Some((kind, name)) = self.title(list) else {
            return;
        };
        match kind {
            Known::Domain => {
                let mut domain = self.domain(list, name);
                domain.faulty = self.faults.errors() > errors;
                self.faults.push(&mut file.domains, domain);
            }
            _ => {
                let mut problem = self.problem(list, name);
                problem.faulty = self.faults.errors() > errors;
                self.faults.push(&mut file.problems, problem);
            }
        }
    }

    /// `(domain NAME)` or `(problem NAME)`
    fn title(&mut self, list: List) -> Option<(Known, Word)> {
        const WHAT: &str = "`(domain NAME)` or `(problem NAME)`";
        if self.position == list.close || self.peek().kind != Kind::Open {
            self.expected(WHAT);
            return None;
        }
        let title = self.enter();
        let kind = match Known::of(self.peek().symbol()) {
            Some(kind @ (Known::Domain | Known::Problem)) if self.peek().kind == Kind::Name => kind,
            _ => {
                self.expected(WHAT);
                return None;
            }
        };
        self.position += 1;
        let name = self.name("a name")?;
        if self.position != title.close {
            self.expected("`)`");
        }
        self.leave(title);
        Some((kind, name))
    }

    /// Calls `read` at the head of each section of a definition, after its keyword.
    fn sections(&mut self, list: List, mut read: impl FnMut(&mut Self, &str, Word, List)) {
        while self.position < list.close {
            if self.peek().kind == Kind::Open {
                let section = self.enter();
                let head = self.peek();
                if head.kind == Kind::Keyword {
                    self.position += 1;
                    let keyword = self.text[head.span.range()].to_ascii_lowercase();
                    read(
                        self,
                        &keyword,
                        Word {
                            symbol: head.symbol(),
                            span: head.span,
                        },
                        section,
                    );
                } else {
                    self.ignored("a section such as `(:init …)`");
                }
                self.leave(section);
            } else {
                self.ignored("a section such as `(:init …)`");
                self.position += 1;
            }
        }
    }

    /// `argument…)`: the rest of an atom or function term whose name was just read.
    fn atom(&mut self, name: Word, list: List) -> Option<Atom> {
        let start = self.arguments.len() as u32;
        while self.position < list.close {
            let token = self.peek();
            let is_variable = match token.kind {
                Kind::Variable => true,
                Kind::Name | Kind::Number => false,
                Kind::Open => {
                    self.refuse_nested_argument(name, list);
                    return None;
                }
                _ => {
                    self.expected("a variable or an object");
                    self.position = list.close;
                    return None;
                }
            };
            let argument = Argument {
                symbol: token.symbol(),
                span: token.span,
                is_variable,
            };
            self.faults.push(&mut self.arguments, argument);
            self.position += 1;
        }
        Some(Atom {
            name,
            arguments: start..self.arguments.len() as u32,
            span: self.span(list),
        })
    }

    /// A bare word that stands for an atom without arguments.
    fn bare_atom(&mut self) -> Atom {
        let word = self.word();
        let end = self.arguments.len() as u32;
        Atom {
            name: word,
            arguments: end..end,
            span: word.span,
        }
    }

    /// A number, as a literal.
    fn number(&mut self, code: Code, what: &str) -> Option<Literal> {
        let token = self.peek();
        if token.kind == Kind::Number {
            self.position += 1;
            return Some(Literal { span: token.span });
        }
        let found = self.describe(self.position);
        let span = self.span_of_element();
        self.faults
            .report(code, format!("expected {what}, found {found}"), |d| {
                d.primary(span, format!("expected {what}"))
            });
        self.skip();
        None
    }

    /// A name; digits will do.
    fn name(&mut self, what: &str) -> Option<Word> {
        if matches!(self.peek().kind, Kind::Name | Kind::Number) {
            return Some(self.word());
        }
        self.expected(what);
        None
    }

    // The cursor.

    fn peek(&self) -> Token {
        self.tokens[self.position]
    }

    /// Whether the first word of `list` is `known`.
    fn peek_known(&self, list: List, known: Known) -> bool {
        let token = self.tokens[list.open + 1];
        token.kind == Kind::Name && token.symbol() == known.symbol()
    }

    fn word(&mut self) -> Word {
        let token = self.peek();
        self.position += 1;
        Word {
            symbol: token.symbol(),
            span: token.span,
        }
    }

    /// Goes into the list that begins here. Once the budget is spent, every list reads as an empty one.
    fn enter(&mut self) -> List {
        let open = self.position;
        let close = self.tokens[open].mate();
        self.position = if self.faults.charge(0) { open + 1 } else { close };
        List { open, close }
    }

    /// Adds what was read to a list, if it could be read.
    fn keep<T>(&mut self, list: &mut Vec<T>, item: Option<T>) {
        if let Some(item) = item {
            self.faults.push(list, item);
        }
    }

    /// A part of a tree in a place of its own.
    fn boxed<T>(&mut self, part: T) -> Box<T> {
        self.faults.charge(size_of::<T>());
        Box::new(part)
    }

    /// Goes to what follows `list`.
    fn leave(&mut self, list: List) {
        self.position = list.close + 1;
    }

    /// Goes past the element that begins here; stays at a `)`.
    fn skip(&mut self) {
        match self.peek().kind {
            Kind::Open => self.position = self.peek().mate() + 1,
            Kind::Close => {}
            _ => self.position += 1,
        }
    }

    fn next_list(&self) -> usize {
        let rest = &self.tokens[self.position..];
        self.position
            + rest
                .iter()
                .position(|t| t.kind == Kind::Open)
                .unwrap_or(rest.len())
    }

    fn span(&self, list: List) -> Span {
        self.tokens[list.open].span.to(self.tokens[list.close].span)
    }

    fn span_of_element(&self) -> Span {
        let token = self.peek();
        match token.kind {
            Kind::Open => token.span.to(self.tokens[token.mate()].span),
            _ => token.span,
        }
    }

    /// Reports that something else is here.
    fn expected(&mut self, what: &str) {
        self.expected_with(what, |d| d);
    }

    /// Reports that something else is here, without which the text can be read.
    fn ignored(&mut self, what: &str) {
        let found = self.describe(self.position);
        let span = self.peek().span;
        let message = format!("expected {what}, found {found}");
        self.faults
            .report_repaired(Code::Unexpected, message, IGNORED, |d| {
                d.primary(span, format!("expected {what}"))
            });
    }

    /// Reports that something else is here, with what `add` adds.
    fn expected_with(&mut self, what: &str, add: impl FnOnce(Draft<'_>) -> Draft<'_>) {
        let found = self.describe(self.position);
        let span = self.peek().span;
        self.faults
            .report(Code::Unexpected, format!("expected {what}, found {found}"), |d| {
                add(d.primary(span, format!("expected {what}")))
            });
    }

    /// What is at `position`, in words.
    fn describe(&self, position: usize) -> String {
        let token = self.tokens[position];
        match token.kind {
            Kind::Close => "`)`".to_owned(),
            Kind::Open => match self.tokens[position + 1] {
                next if matches!(next.kind, Kind::Close) => "`()`".to_owned(),
                next if matches!(next.kind, Kind::Open) => "`((`".to_owned(),
                next => format!("`({} …`", &self.text[next.span.range()]),
            },
            _ => format!("`{}`", &self.text[token.span.range()]),
        }
    }
}
