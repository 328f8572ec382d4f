//! Reports of unsupported language constructs and unknown words.

use herbrand_text::nearest;

use super::super::ast::Word;
use super::super::lexer::Kind;
use super::{Parsed, Parser, Reported};
use crate::diagnostic::Code;

/// The words that begin blocks.
const BLOCKS: [&str; 3] = ["domain", "non-fluents", "instance"];

impl<'s> Parser<'s, '_> {
    /// Parses the word that begins a block. Reports any other word; returns the one that was probably meant.
    pub(super) fn block_word(&mut self) -> Option<&'static str> {
        let word = self.word_here();
        let is_name = self.peek().kind == Kind::Identifier;
        let known = BLOCKS.into_iter().find(|known| is_name && *known == word.text);
        if known.is_some() {
            self.advance();
            return known;
        }
        if word.text == "policy" {
            self.faults
                .report(Code::PolicyBlock, "policy blocks are not supported", |d| {
                    d.primary(word.span, "a policy")
                        .help("choose actions in a program instead")
                });
            self.advance();
            return None;
        }
        let found = self.describe();
        let meant = nearest(word.text, BLOCKS);
        self.faults.report(
            Code::NoDefinition,
            format!("{found} does not begin a block"),
            |d| {
                d.primary(word.span, "expected `domain`, `non-fluents` or `instance`")
                    .suggest(meant)
            },
        );
        self.advance();
        meant.filter(|_| self.peek().kind == Kind::Identifier && self.peek_second() == Kind::OpenBrace)
    }

    /// Skips the braces of a block, or to a word that begins one.
    pub(super) fn skip_block(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek().kind {
                Kind::End => return,
                Kind::OpenBrace => depth += 1,
                Kind::CloseBrace if depth <= 1 => {
                    self.advance();
                    return;
                }
                Kind::CloseBrace => depth -= 1,
                Kind::Identifier if depth == 0 && BLOCKS.contains(&self.word_here().text) => {
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Parses the word that begins a section, one of `known`. Reports any other word, and continues with the section that
    /// was probably meant.
    pub(super) fn section_word(&mut self, block: &str, known: &[&'static str]) -> Parsed<Word<'s>> {
        let word = self.word_here();
        if self.peek().kind == Kind::Identifier && known.contains(&word.text) {
            self.advance();
            return Ok(word);
        }
        let meant = nearest(word.text, known.iter().copied());
        let found = self.describe();
        self.faults.report(
            Code::UnknownSection,
            format!("{found} is not a section of {block}"),
            |d| {
                d.primary(word.span, "no such section")
                    .note(format!("the sections are {}", known.join(", ")))
                    .suggest(meant)
            },
        );
        self.advance();
        let begins = matches!(self.peek().kind, Kind::OpenBrace | Kind::Assign);
        let text = meant.filter(|_| begins).ok_or(Reported)?;
        Ok(Word { text, ..word })
    }

    /// Reports a repeated section.
    pub(super) fn repeated(&mut self, word: Word<'s>) {
        self.faults.report(
            Code::RepeatedSection,
            format!("`{}` is given twice", word.text),
            |d| d.primary(word.span, "given again"),
        );
    }

    /// Parses `==` or `:=` in place of the `=` of a definition, and reports it. Returns `false` if neither is next.
    pub(super) fn foreign_assign(&mut self) -> bool {
        let start = self.peek().span;
        if self.peek().kind == Kind::Colon && self.peek_second() == Kind::Assign {
            self.advance();
        } else if self.peek().kind != Kind::Equal {
            return false;
        }
        let span = start.to(self.peek().span);
        self.advance();
        let written = &self.text[span.range()];
        self.faults.report(
            Code::ForeignOperator,
            format!("`{written}` does not define"),
            |d| d.primary(span, "expected `=`").write("="),
        );
        true
    }

    /// `$function[…]`
    pub(super) fn refuse_external<T>(&mut self) -> Parsed<T> {
        let span = self.peek().span;
        self.faults.report(
            Code::ExternalFunction,
            "external functions are not supported",
            |d| {
                d.primary(span, "a function of the program that reads the domain")
                    .help("write the function in RDDL")
            },
        );
        Err(Reported)
    }

    /// `terminate-when (…)`
    pub(super) fn refuse_terminate_when<T>(&mut self) -> Parsed<T> {
        let span = self.peek().span;
        self.faults
            .report(Code::TerminateWhen, "`terminate-when` is not supported", |d| {
                d.primary(span, "a condition instead of a number of steps")
                    .help("write the condition in the section `termination` of the domain, and a number here")
            });
        Err(Reported)
    }
}
