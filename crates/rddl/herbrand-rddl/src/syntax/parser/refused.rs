//! Reports of unsupported language constructs and unknown words.

use herbrand_text::nearest;

use super::super::ast::Word;
use super::super::lexer::Kind;
use super::{Parsed, Parser, Reported};
use crate::diagnostic::Code;

impl<'s> Parser<'s, '_> {
    /// Reports a word that does not begin a block, and skips to the next block.
    pub(super) fn refuse_block(&mut self, word: Word<'s>) {
        if word.text == "policy" {
            self.faults
                .report(Code::PolicyBlock, "policy blocks are not supported", |d| {
                    d.primary(word.span, "a policy")
                        .help("choose actions in a program instead")
                });
        } else {
            let found = self.describe();
            let meant = nearest(word.text, ["domain", "non-fluents", "instance"]);
            self.faults.report(
                Code::NoDefinition,
                format!("{found} does not begin a block"),
                |d| {
                    d.primary(word.span, "expected `domain`, `non-fluents` or `instance`")
                        .suggest(meant)
                },
            );
        }
        self.advance();
        self.skip_block();
    }

    /// Skips the braces of a block, or to a word that begins one.
    fn skip_block(&mut self) {
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
                Kind::Identifier
                    if depth == 0
                        && matches!(self.word_here().text, "domain" | "instance" | "non-fluents") =>
                {
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Reports an unknown section.
    pub(super) fn refuse_section(&mut self, block: &str, known: &[&'static str]) -> Reported {
        let word = self.word_here();
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
        Reported
    }

    /// Reports a repeated section.
    pub(super) fn repeated(&mut self, word: Word<'s>) {
        self.faults.report(
            Code::RepeatedSection,
            format!("`{}` is given twice", word.text),
            |d| d.primary(word.span, "given again"),
        );
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
