//! Parsing of the times of conditions, effects and literals: `(at start …)`, `(over all …)`, `(at 9 …)`.
//!
//! Domains may have a predicate `at`, so `at` and `over` begin a time only before `start`, `end`, `all` or a number, and a list.

use super::{Kind, Known, List, Parser};
use crate::model::TimeSpecifier;

impl Parser<'_> {
    /// Returns the moment that a list begins with, whose first word `head` was just read; `None` if it is an atom.
    pub(super) fn moment(&self, head: Option<Known>, list: List) -> Option<TimeSpecifier> {
        let head = head.filter(|head| matches!(head, Known::At | Known::Over))?;
        let [time, body] = self.tokens.get(list.open + 2..list.open + 4)? else {
            return None;
        };
        let is = |word: &str| self.text[time.span.range()].eq_ignore_ascii_case(word);
        match head {
            _ if body.kind != Kind::Open => None,
            Known::At if is("start") => Some(TimeSpecifier::Start),
            Known::At if is("end") => Some(TimeSpecifier::End),
            Known::Over if is("all") => Some(TimeSpecifier::OverAll),
            _ => None,
        }
    }

    /// Parses the only element behind the words of a moment.
    pub(super) fn timed<T>(&mut self, list: List, element: impl Fn(&mut Self) -> Option<T>) -> Option<T> {
        self.position += 1;
        let body = element(self);
        if self.position < list.close {
            let words = self.tokens[list.open + 1]
                .span
                .to(self.tokens[list.open + 2].span);
            let words = &self.text[words.range()];
            self.wrong_operand_count(list, words, 1, 2);
        }
        body
    }

    /// Returns whether the first word of a list is followed by a time, or by a word of another time: `(over start (p))`.
    pub(super) fn begins_with_time(&self, list: List) -> bool {
        let token = self.tokens[list.open + 2];
        let is = |word: &&str| self.text[token.span.range()].eq_ignore_ascii_case(word);
        token.kind == Kind::Number || (token.kind == Kind::Name && ["start", "end", "all"].iter().any(is))
    }

    /// Returns whether the list whose first word was just read is a timed literal such as `(at 9 (open))`.
    pub(super) fn is_timed_literal(&self, list: List) -> bool {
        let tokens = &self.tokens[list.open + 1..list.close];
        matches!(tokens, [_, time, body, ..] if time.kind == Kind::Number && body.kind == Kind::Open)
    }
}
