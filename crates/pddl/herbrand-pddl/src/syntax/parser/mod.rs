//! A recursive-descent parser over tokens with matched brackets.
//!
//! Each parsing function moves the position behind its element, whether the element is valid or not. After a fault, parsing
//! continues with the next element, so one run finds all faults of a text.

mod domain;
mod effect;
mod formula;
mod habits;
mod problem;
mod refused;
mod time;
mod typed;

pub use domain::DOMAIN_SECTIONS;
pub use problem::PROBLEM_SECTIONS;

use super::ast::{self, Argument, Atom, File, Literal};
use super::lexer::{self, Kind, Token, Word};
use super::names::{Known, Names};
use herbrand_text::{Source, Span, nearest};

use crate::diagnostic::{Code, Diagnostics, Draft};

/// Parses all definitions of `source` and reports faults to `faults`. Definitions with faults are marked as faulty.
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
    // After a missing parenthesis, any element may be in the wrong list.
    if lexical_faults > 0 {
        file.domains.iter_mut().for_each(|domain| domain.faulty = true);
        file.problems.iter_mut().for_each(|problem| problem.faulty = true);
    }
    (file, names)
}

/// The note of lenient parsing on an element that is skipped because no definition may contain it.
const IGNORED: &str = "read as if it were not there";

struct Parser<'p> {
    text: &'p str,
    tokens: &'p [Token],
    markers: &'p [Word],
    position: usize,
    arguments: Vec<Argument>,
    faults: &'p mut Diagnostics,
}

/// A list `( … )`, as the token positions of its parentheses.
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
                .report(Code::NoDefinition, "the text defines nothing", |d| {
                    d.primary(end, "the text ends here")
                        .help(
                            "a domain is written `(define (domain NAME) …)`, a problem `(define (problem NAME) …)`",
                        )
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
                    d.primary(head, "this is not a definition")
                        .help("a text consists of `(define (domain NAME) …)` and `(define (problem NAME) …)`")
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

    /// Calls `read` for each section of a definition, with the position after the section's keyword. The keyword may lack
    /// its colon if it is one of `known`.
    fn sections(
        &mut self,
        list: List,
        known: &[&'static str],
        mut read: impl FnMut(&mut Self, &str, Word, List),
    ) {
        let example = if known.contains(&":init") {
            ":init"
        } else {
            ":action"
        };
        let what = format!("a section such as `({example} …)`");
        while self.position < list.close {
            if self.peek().kind == Kind::Open {
                let section = self.enter();
                let head = self.peek();
                let keyword = match head.kind {
                    Kind::Keyword | Kind::Name => self.text[head.span.range()].to_ascii_lowercase(),
                    _ => String::new(),
                };
                if head.kind == Kind::Keyword
                    || (head.kind == Kind::Name && with_colon(&keyword, known).is_some())
                {
                    self.position += 1;
                    let word = Word {
                        symbol: head.symbol(),
                        span: head.span,
                    };
                    read(self, &keyword, word, section);
                } else {
                    self.ignored(&what);
                }
                self.leave(section);
            } else {
                self.ignored(&what);
                self.position += 1;
            }
        }
    }

    /// Parses the arguments of an atom or function term whose name was just read: `argument…)`.
    fn atom(&mut self, name: Word, list: List) -> Option<Atom> {
        let start = self.arguments.len() as u32;
        while self.position < list.close {
            let token = self.peek();
            match token.kind {
                Kind::Variable | Kind::Name | Kind::Number => {}
                Kind::Open => {
                    let Some(inner) = self.enter_argument(name, list) else {
                        self.refuse_nested_argument(name, list);
                        return None;
                    };
                    let token = self.peek();
                    self.faults.push(&mut self.arguments, Argument::of(token));
                    self.leave(inner);
                    continue;
                }
                _ => {
                    self.expected("a variable or an object");
                    self.position = list.close;
                    return None;
                }
            }
            self.faults.push(&mut self.arguments, Argument::of(token));
            self.position += 1;
        }
        Some(Atom {
            name,
            arguments: start..self.arguments.len() as u32,
            span: self.span(list),
        })
    }

    /// Parses a bare word as an atom without arguments.
    fn bare_atom(&mut self) -> Option<Atom> {
        if self.is_call() {
            return self.call();
        }
        let word = self.word();
        let end = self.arguments.len() as u32;
        Some(Atom {
            name: word,
            arguments: end..end,
            span: word.span,
        })
    }

    /// Reports a formula, effect or declaration whose parentheses are missing, such as `full ?c`, and returns it as a list
    /// whose first word comes next; the caller then moves to `close`. `takes` selects the tokens behind the first word that
    /// belong to it.
    fn without_parentheses(&mut self, takes: impl Fn(Token) -> bool) -> Option<List> {
        let open = self.position;
        let mut close = open + 1;
        let mut last = open;
        while takes(self.tokens[close]) {
            last = match self.tokens[close].kind {
                Kind::Open => self.tokens[close].mate(),
                _ => close,
            };
            close = last + 1;
        }
        if last == open {
            return None;
        }
        let span = self.tokens[open].span.to(self.tokens[last].span);
        let (word, text) = (
            &self.text[self.tokens[open].span.range()],
            &self.text[span.range()],
        );
        let written = if text.len() > 60 || text.contains([';', '\n']) {
            format!("({word} …)")
        } else {
            format!("({text})")
        };
        let message = format!("`{word}` stands without parentheses");
        self.faults.report(Code::Unexpected, message, |d| {
            d.primary(span, "these words belong together").write(&written)
        });
        Some(List { open, close })
    }

    /// Reports `not`, `and` or another connective that is not the first word of a list, and returns it with its operands.
    /// `None` if another word comes next.
    fn bare_connective(&mut self) -> Option<List> {
        let most = match Known::of(self.peek().symbol())? {
            Known::Not => 1,
            Known::And | Known::Or => usize::MAX,
            Known::Imply | Known::When | Known::Forall | Known::Exists => 2,
            _ => return None,
        };
        let taken = std::cell::Cell::new(0);
        self.without_parentheses(|token| {
            taken.set(taken.get() + 1);
            token.kind == Kind::Open && taken.get() <= most
        })
    }

    /// Reports a predicate and its arguments that stand without parentheses where one formula or effect is expected, such as
    /// `(:goal full mug)`. `None` if something else comes next.
    fn bare_application(&mut self) -> Option<List> {
        let token = self.peek();
        if token.kind != Kind::Name || Known::of(token.symbol()).is_some_and(Known::is_reserved) {
            return None;
        }
        self.without_parentheses(|token| matches!(token.kind, Kind::Name | Kind::Variable | Kind::Number))
    }

    /// Warns of a name without parentheses where a formula, an effect or a fact is expected, such as `(:goal burning)`.
    fn note_bare_atom(&mut self) {
        let token = self.peek();
        let is_reserved = Known::of(token.symbol()).is_some_and(Known::is_reserved);
        if token.kind != Kind::Name || is_reserved || self.is_call() {
            return;
        }
        let word = &self.text[token.span.range()];
        let message = format!("`{word}` stands without parentheses");
        self.faults.report(Code::LooseNotation, message, |d| {
            d.primary(token.span, "read as an atom, but other planners may reject it")
                .write(&format!("({word})"))
        });
    }

    /// Parses a number.
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

    /// Parses a name, which may consist of digits.
    fn name(&mut self, what: &str) -> Option<Word> {
        if matches!(self.peek().kind, Kind::Name | Kind::Number) {
            return Some(self.word());
        }
        self.expected(what);
        None
    }

    // Movement over the tokens.

    fn peek(&self) -> Token {
        self.tokens[self.position]
    }

    /// Returns whether the first word of `list` is `known`.
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

    /// Enters the list that begins here. Once the budget is exhausted, every list is treated as empty.
    fn enter(&mut self) -> List {
        let open = self.position;
        let close = self.tokens[open].mate();
        self.position = if self.faults.charge(0) { open + 1 } else { close };
        List { open, close }
    }

    /// Adds an item to a list if it was parsed without faults.
    fn keep<T>(&mut self, list: &mut Vec<T>, item: Option<T>) {
        if let Some(item) = item {
            self.faults.push(list, item);
        }
    }

    /// Moves a part of the tree to the heap and charges its memory.
    fn boxed<T>(&mut self, part: T) -> Box<T> {
        self.faults.charge(size_of::<T>());
        Box::new(part)
    }

    /// Moves behind `list`.
    fn leave(&mut self, list: List) {
        self.position = list.close + 1;
    }

    /// Moves behind the element that begins here. Does not move at a `)`.
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

    /// Reports that `what` is expected here.
    fn expected(&mut self, what: &str) {
        self.expected_with(what, |d| d);
    }

    /// Reports that `what` is expected here. In lenient mode, the element is skipped with a warning.
    fn ignored(&mut self, what: &str) {
        let found = self.describe(self.position);
        let span = self.peek().span;
        let message = format!("expected {what}, found {found}");
        self.faults
            .report_repaired(Code::Unexpected, message, IGNORED, |d| {
                d.primary(span, format!("expected {what}"))
            });
    }

    /// Reports that `what` is expected here. `add` extends the report.
    fn expected_with(&mut self, what: &str, add: impl FnOnce(Draft<'_>) -> Draft<'_>) {
        let found = self.describe(self.position);
        let span = self.peek().span;
        self.faults
            .report(Code::Unexpected, format!("expected {what}, found {found}"), |d| {
                add(d.primary(span, format!("expected {what}")))
            });
    }

    /// Describes the element at `position` for a message.
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

/// Returns the keyword of `known` that is meant by a word without a colon.
fn with_colon(word: &str, known: &[&'static str]) -> Option<&'static str> {
    nearest(&format!(":{word}"), known.iter().copied())
}
