//! A recursive descent parser.
//!
//! A fault inside an item (which ends with `;`) is reported once. Parsing continues after that item, so that all faults of a
//! text are found together.

mod domain;
mod expression;
mod instance;
mod refused;

pub use domain::DOMAIN_SECTIONS;
pub use instance::INSTANCE_SECTIONS;

use std::collections::BTreeSet;

use herbrand_text::{Draft, Source, Span, nearest};

use super::ast::{Constant, ConstantKind, File, Word};
use super::lexer::{Kind, Token, tokenize};
use crate::diagnostic::{Code, Diagnostics};

/// Parses all definitions of `source`. Reports faults and marks the affected definitions as faulty.
pub(crate) fn parse<'s>(source: &'s Source, faults: &mut Diagnostics) -> File<'s> {
    let tokens = tokenize(source, faults);
    let lexical_faults = faults.errors();
    let mut parser = Parser {
        text: source.text(),
        tokens: &tokens,
        position: 0,
        level: 0,
        is_unclosed: false,
        declares: false,
        skipped: BTreeSet::new(),
        faults,
    };
    let mut file = File::default();
    parser.file(&mut file);
    // A stray character may have corrupted any definition.
    if lexical_faults > 0 {
        file.domains.iter_mut().for_each(|one| one.faulty = true);
        let blocks = file.non_fluents.iter_mut().chain(&mut file.instances);
        blocks.for_each(|one| one.faulty = true);
    }
    file
}

/// A fault that has been reported.
struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Parser<'s, 'p> {
    text: &'s str,
    tokens: &'p [Token],
    position: usize,
    /// The nesting level of the current expression.
    level: u16,
    /// Whether the missing `}` at the end of the text has been reported.
    is_unclosed: bool,
    /// Whether the items of the current section declare names.
    declares: bool,
    /// The words of declarations with faults in the current domain, without `@`.
    skipped: BTreeSet<&'s str>,
    faults: &'p mut Diagnostics,
}

impl<'s> Parser<'s, '_> {
    fn file(&mut self, file: &mut File<'s>) {
        while self.peek().kind != Kind::End {
            if self.accept(Kind::Semicolon) {
                continue;
            }
            match self.block_word() {
                Some("domain") => {
                    if let Some(domain) = self.domain() {
                        self.faults.push(&mut file.domains, domain);
                    }
                }
                Some("non-fluents") => {
                    if let Some(instance) = self.instance() {
                        self.faults.push(&mut file.non_fluents, instance);
                    }
                }
                Some(_) => {
                    if let Some(instance) = self.instance() {
                        self.faults.push(&mut file.instances, instance);
                    }
                }
                None => self.skip_block(),
            }
        }
        if file.domains.is_empty()
            && file.non_fluents.is_empty()
            && file.instances.is_empty()
            && self.faults.errors() == 0
        {
            let end = self.peek().span;
            self.faults
                .report(Code::NoDefinition, "the text defines nothing", |d| {
                    d.primary(end, "the text ends here")
                        .help("a domain is written `domain NAME { … }`, a problem `instance NAME { … }`")
                });
        }
    }

    /// `NAME {`
    fn block_head(&mut self, what: &str) -> Parsed<Word<'s>> {
        let name = self.identifier(what)?;
        self.expect(Kind::OpenBrace, "`{`")?;
        Ok(name)
    }

    /// Parses the sections of a block up to its `}`, whose `{` was the previous token. After a fault, continues at the next
    /// section. If another block begins before the `}`, reports that it is missing.
    fn sections(&mut self, read: impl FnMut(&mut Self) -> Parsed<()>) {
        let open = self.previous_span();
        if !self.items_until(Self::begins_block, true, read) {
            self.unclosed_since(open);
        }
    }

    /// Parses the items of a section up to its `}`, whose `{` was the previous token, and the `;` after it. After a fault,
    /// continues at the next item. If another section or block begins before the `}`, reports that it is missing.
    fn section_items(
        &mut self,
        begins_section: impl Fn(&Self) -> bool,
        read: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> Parsed<()> {
        let open = self.previous_span();
        let ends = |parser: &Self| begins_section(parser) || parser.begins_block();
        if !self.items_until(ends, false, read) {
            self.unclosed_since(open);
            return Ok(());
        }
        // If the block around the section is not closed either, one of both lacks its `}`, and no `;` is missing.
        if self.begins_block() || self.peek().kind == Kind::End {
            return Ok(());
        }
        self.end_of_item()
    }

    /// Parses items up to a `}`, or until `ends` holds. Returns `false` in the second case. `has_sections` tells whether the
    /// items have items of their own.
    fn items_until(
        &mut self,
        ends: impl Fn(&Self) -> bool,
        has_sections: bool,
        mut read: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> bool {
        while !ends(self) {
            match self.peek().kind {
                Kind::CloseBrace => {
                    self.advance();
                    return true;
                }
                Kind::End => {
                    self.unclosed();
                    return true;
                }
                Kind::Semicolon => self.advance(),
                _ => {
                    let start = self.position;
                    if read(self).is_err() {
                        self.skip_item(start, &ends, has_sections);
                        self.note_skipped(start);
                    }
                }
            }
        }
        false
    }

    /// Notes the words of a declaration that began at `start` and was skipped.
    fn note_skipped(&mut self, start: usize) {
        if !self.declares {
            return;
        }
        for token in &self.tokens[start..self.position] {
            let is_word = matches!(token.kind, Kind::Identifier | Kind::Enum);
            if is_word && self.faults.charge(4 * size_of::<&str>()) {
                self.skipped
                    .insert(self.text[token.span.range()].trim_start_matches('@'));
            }
        }
    }

    /// Returns whether a block begins here that can follow another one. Domains come first.
    fn begins_block(&self) -> bool {
        self.peek().kind == Kind::Identifier
            && self.peek_second() == Kind::Identifier
            && matches!(self.word_here().text, "instance" | "non-fluents")
    }

    /// Reports once that the text ends inside braces.
    fn unclosed(&mut self) {
        if std::mem::replace(&mut self.is_unclosed, true) {
            return;
        }
        let end = self.peek().span;
        self.faults
            .report(Code::UnclosedBrace, "a `{` is not closed", |d| {
                d.primary(end, "the text ends here")
                    .help("add a `}`, or look for a superfluous `{` above")
            });
    }

    /// Reports that the `{` at `open` should have been closed before the next token.
    fn unclosed_since(&mut self, open: Span) {
        let before = self.previous_span();
        self.faults
            .report(Code::UnclosedBrace, "a `{` is not closed", |d| {
                d.primary(before, "a `}` is missing after this")
                    .label(open, "opened here")
            });
    }

    /// Skips to the end of the item that began at `start`: past its `;`, to the `}` around it, or to where `ends` holds.
    fn skip_item(&mut self, start: usize, ends: impl Fn(&Self) -> bool, has_sections: bool) {
        // The fault may be inside braces that the item opened.
        let opened = |token: &Token| i64::from(token.kind == Kind::OpenBrace);
        let closed = |token: &Token| i64::from(token.kind == Kind::CloseBrace);
        let passed = &self.tokens[start..self.position];
        let mut depth: i64 = passed.iter().map(|token| opened(token) - closed(token)).sum();
        let is_assignment = self
            .tokens
            .get(start + 1)
            .is_some_and(|token| token.kind == Kind::Assign);
        let has_items = has_sections && !is_assignment;
        while !ends(self) {
            match self.peek().kind {
                Kind::End => return,
                Kind::OpenBrace => depth += 1,
                Kind::CloseBrace if depth <= 0 => return,
                Kind::CloseBrace => depth -= 1,
                // Without items of its own, an item has no `;` in its braces: one of them is not closed.
                Kind::Semicolon if depth <= 0 || !has_items => {
                    self.advance();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Parses the `;` at the end of an item. If it is missing and the next item begins on a new line, reports that and
    /// continues.
    fn end_of_item(&mut self) -> Parsed<()> {
        if self.peek().kind == Kind::Semicolon {
            self.advance();
            return Ok(());
        }
        let previous = self.previous_span();
        let between = &self.text[previous.end as usize..self.peek().span.start as usize];
        let found = self.describe();
        let here = self.peek().span;
        let is_next_line = between.contains('\n')
            && matches!(self.peek().kind, Kind::Identifier | Kind::CloseBrace | Kind::End);
        let after = Span {
            start: previous.end.saturating_sub(1),
            end: previous.end,
        };
        self.faults
            .report(Code::Unexpected, format!("expected `;`, found {found}"), |d| {
                if is_next_line {
                    d.primary(after, "a `;` is missing after this")
                } else {
                    d.primary(here, "expected `;`")
                }
            });
        if is_next_line { Ok(()) } else { Err(Reported) }
    }

    /// Parses `a, b, …` up to and including the token `close`.
    fn list<T>(&mut self, close: Kind, mut read: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = Vec::new();
        if self.accept(close) {
            return Ok(list);
        }
        loop {
            let item = read(self)?;
            self.faults.push(&mut list, item);
            if self.accept(close) {
                return Ok(list);
            }
            let sign = match close {
                Kind::CloseParenthesis => "`,` or `)`",
                Kind::CloseBracket => "`,` or `]`",
                _ => "`,` or `}`",
            };
            self.expect(Kind::Comma, sign)?;
        }
    }

    /// Parses a constant: a number, a bool, an infinity or an item.
    fn constant(&mut self) -> Parsed<Constant<'s>> {
        self.skip_dollar();
        let start = self.peek().span;
        let negative = self.accept(Kind::Minus);
        let mut word = self.word_here();
        let (kind, flipped) = match (self.peek().kind, word.text) {
            (Kind::Int, _) => (ConstantKind::Int, false),
            (Kind::Real, _) => (ConstantKind::Real, false),
            (Kind::Identifier, "pos-inf") => (ConstantKind::Infinity, false),
            (Kind::Identifier, "neg-inf") => (ConstantKind::Infinity, true),
            (Kind::Identifier, "true") if !negative => (ConstantKind::Bool(true), false),
            (Kind::Identifier, "false") if !negative => (ConstantKind::Bool(false), false),
            (Kind::Identifier | Kind::Enum, _) if !negative => (ConstantKind::Item, false),
            _ => return Err(self.unexpected("a constant")),
        };
        self.advance();
        word.span = start.to(word.span);
        Ok(Constant {
            kind,
            negative: negative != flipped,
            word,
        })
    }

    /// Reports and skips the `$` before an object, as other tools write it.
    fn skip_dollar(&mut self) {
        let sign = self.word_here();
        if sign.text == "$" && self.peek_second() == Kind::Identifier {
            self.faults
                .report(Code::Unexpected, "expected a name, found `$`", |d| {
                    d.primary(sign.span, "expected a name")
                        .help("leave out the `$`: objects are written as they are declared")
                });
            self.advance();
        }
    }

    fn identifier(&mut self, what: &str) -> Parsed<Word<'s>> {
        self.word_of(Kind::Identifier, what)
    }

    fn word_of(&mut self, kind: Kind, what: &str) -> Parsed<Word<'s>> {
        if self.peek().kind != kind {
            return Err(self.unexpected(what));
        }
        let word = self.word_here();
        self.advance();
        Ok(word)
    }

    // The cursor.

    fn peek(&self) -> Token {
        self.tokens[self.position]
    }

    /// Returns the kind of the token after the next one.
    fn peek_second(&self) -> Kind {
        self.tokens
            .get(self.position + 1)
            .map_or(Kind::End, |token| token.kind)
    }

    fn word_here(&self) -> Word<'s> {
        let span = self.peek().span;
        Word {
            text: &self.text[span.range()],
            span,
        }
    }

    /// Returns whether the next token is the word `text`.
    fn is_word(&self, text: &str) -> bool {
        self.peek().kind == Kind::Identifier && self.word_here().text == text
    }

    /// Advances to the next token, but not beyond the end. If the budget is exhausted, jumps to the end.
    fn advance(&mut self) {
        if !self.faults.charge(0) {
            self.position = self.tokens.len() - 1;
        } else if self.peek().kind != Kind::End {
            self.position += 1;
        }
    }

    fn accept(&mut self, kind: Kind) -> bool {
        let found = self.peek().kind == kind;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, kind: Kind, what: &str) -> Parsed<()> {
        if self.accept(kind) || kind == Kind::Assign && self.foreign_assign() {
            Ok(())
        } else {
            Err(self.unexpected(what))
        }
    }

    /// Like [`expect`](Self::expect), but continues after the report as if the token were there, if the next token is one
    /// that can follow it.
    fn expect_before(&mut self, kind: Kind, what: &str, following: &[Kind]) -> Parsed<()> {
        let follows = following.contains(&self.peek().kind);
        self.expect(kind, what)
            .or_else(|reported| if follows { Ok(()) } else { Err(reported) })
    }

    /// Parses the word `text`. If a similar word is in its place, reports that and continues.
    fn expect_word(&mut self, text: &str) -> Parsed<()> {
        if self.is_word(text) {
            self.advance();
            return Ok(());
        }
        let word = self.word_here().text;
        let meant = nearest(word, [text]).filter(|_| self.peek().kind == Kind::Identifier);
        let error = self.misspelt(&format!("`{text}`"), meant);
        meant.ok_or(error)?;
        self.advance();
        Ok(())
    }

    fn previous_span(&self) -> Span {
        self.tokens[self.position.saturating_sub(1)].span
    }

    /// Reports that something else is expected here.
    fn unexpected(&mut self, what: &str) -> Reported {
        self.expected(what, |d| d)
    }

    /// Reports a word that is perhaps a misspelt `meant`.
    fn misspelt(&mut self, what: &str, meant: Option<&str>) -> Reported {
        self.expected(what, |d| d.suggest(meant))
    }

    /// Reports that something else is expected here. `cure` adds help.
    fn expected(&mut self, what: &str, cure: impl FnOnce(Draft<'_, Code>) -> Draft<'_, Code>) -> Reported {
        let found = self.describe();
        let span = self.peek().span;
        self.faults
            .report(Code::Unexpected, format!("expected {what}, found {found}"), |d| {
                cure(d.primary(span, format!("expected {what}")))
            });
        Reported
    }

    /// Returns a description of the next token.
    fn describe(&self) -> String {
        match self.peek().kind {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.word_here().text),
        }
    }
}
