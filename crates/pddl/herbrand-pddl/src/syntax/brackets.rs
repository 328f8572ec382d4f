//! An iterative matcher of parentheses that runs along with the lexer.
//!
//! A section (`(:init …`) is always directly inside a `(define …`, and a `(define …` is never inside another list. So a
//! missing or surplus parenthesis is noticed at the next section at the latest. The matcher repairs it there and continues:
//! the token list that it returns is always balanced.

use super::lexer::{Kind, Token};
use super::names::Known;
use super::unclosed::{is_plain, missing_closes};
use herbrand_text::Span;

use crate::diagnostic::{Code, Diagnostics};

/// The maximum nesting depth of parentheses. Real files stay below 30. Recursion over formulas relies on this limit.
pub(crate) const NESTING_LIMIT: usize = 250;

/// The keywords that always begin a section. Other keywords, such as `:serial` in `(:serial 3)`, may occur inside one.
const SECTIONS: &[&str] = &[
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":derived",
    ":action",
    ":actions",
    ":durative-action",
    ":domain",
    ":objects",
    ":init",
    ":goal",
    ":goal-reward",
    ":metric",
    ":length",
    ":constraints",
];

/// The longest text that a help repeats, in bytes.
const LONGEST: usize = 60;

/// The words that begin a part of an action, and nothing else.
const PARTS: &[&str] = &[
    ":parameters",
    ":precondition",
    ":effect",
    ":duration",
    ":condition",
];

fn is_among(words: &[&str], keyword: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(keyword))
}

/// Returns the greatest number of lists that can be around a list with this first word, if the word tells.
pub(super) fn greatest_depth(head: &str) -> Option<usize> {
    if is_among(SECTIONS, head) {
        Some(1)
    } else {
        head.eq_ignore_ascii_case(Known::Define.text()).then_some(0)
    }
}

pub(super) struct Brackets<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    /// The token positions of the open parentheses, outermost first.
    open: Vec<u32>,
    /// The token position at which the last complete outermost list begins.
    last_form: Option<u32>,
    /// The sections in which a missing parenthesis was found, each up to that point. Their contents may be nested in the
    /// wrong way.
    doubtful: Vec<Span>,
    /// The number of open parentheses beyond the nesting limit. Their tokens are dropped.
    too_deep: usize,
    reported_depth: bool,
    /// The last place whose line was counted, with the line. The next count begins there.
    counted: (usize, usize),
}

impl<'t> Brackets<'t> {
    /// Creates a matcher for the tokens of `text`, with room for `count` of them.
    pub(super) fn with_capacity(text: &'t str, count: usize, faults: &mut Diagnostics) -> Self {
        let mut tokens = Vec::new();
        faults.meter().reserve(&mut tokens, count);
        Self {
            text,
            tokens,
            open: Vec::new(),
            last_form: None,
            doubtful: Vec::new(),
            too_deep: 0,
            reported_depth: false,
            counted: (0, 1),
        }
    }

    pub(super) fn open(&mut self, span: Span, faults: &mut Diagnostics) {
        if self.open.len() == NESTING_LIMIT {
            // The dropped list is replaced by an empty list, which parses as a formula that always holds and causes no
            // further faults.
            if self.too_deep == 0 {
                self.report_depth(span, faults);
                let mut open = Token::open(span);
                open.set_mate(self.tokens.len() + 1);
                faults.push(&mut self.tokens, open);
                faults.push(&mut self.tokens, Token::close(span));
            }
            self.too_deep += 1;
            return;
        }
        self.open.push(self.tokens.len() as u32);
        faults.push(&mut self.tokens, Token::open(span));
    }

    pub(super) fn close(&mut self, span: Span, faults: &mut Diagnostics) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else if let Some(position) = self.open.pop() {
            let end = self.tokens.len();
            self.tokens[position as usize].set_mate(end);
            faults.push(&mut self.tokens, Token::close(span));
            if self.open.is_empty() {
                self.last_form = Some(position);
            }
        } else {
            faults.report_repaired(
                Code::UnmatchedParenthesis,
                "unmatched `)`",
                "read as if it were not there",
                |d| {
                    d.primary(span, "no `(` is open here")
                        .help("remove a `)` here or above, or add the missing `(`")
                },
            );
        }
    }

    pub(super) fn word(&mut self, token: Token, text: &str, faults: &mut Diagnostics) {
        if self.too_deep == 0 && !self.follows_open() {
            if token.kind == Kind::Keyword && is_among(PARTS, text) && self.open.len() > 2 {
                self.close_part(text, token.span, faults);
            } else if match self.open.len() {
                0 => token.kind == Kind::Name && token.symbol() == Known::Define.symbol(),
                1 => token.kind == Kind::Keyword && is_among(SECTIONS, text),
                _ => false,
            } {
                self.add_open(text, token.span, faults);
            }
        } else if self.too_deep == 0 {
            if token.kind == Kind::Keyword && is_among(SECTIONS, text) {
                self.begin_section(text, token.span, faults);
            } else if token.symbol() == Known::Define.symbol()
                && self.open.len() > 1
                && self.begins_definition(token.span)
            {
                self.close_down_to(0, "`define`", token.span, faults);
            }
        }
        if self.too_deep == 0 {
            faults.push(&mut self.tokens, token);
        }
    }

    /// Closes all open parentheses. Returns the tokens and the doubtful spans of the text.
    pub(super) fn finish(mut self, faults: &mut Diagnostics) -> (Vec<Token>, Vec<Span>) {
        let end = self.tokens.last().map_or(Span { start: 0, end: 0 }, |t| t.span);
        if self.too_deep == 0 {
            self.close_inside(0, faults);
        }
        if let Some(&position) = self.open.last() {
            let span = self.tokens[position as usize].span;
            let count = self.open.len() + self.too_deep;
            let assumed = match count {
                1 => "read as if one `)` stood at the end of the text".to_owned(),
                n => format!("read as if {n} `)` stood at the end of the text"),
            };
            let message = format!("{} missing at the end of the text", missing(count));
            faults.report_repaired(Code::UnclosedParenthesis, message, &assumed, |d| {
                d.primary(span, "this `(` is never closed")
            });
        }
        self.close_silently(
            0,
            Span {
                start: end.end,
                end: end.end,
            },
        );
        (self.tokens, self.doubtful)
    }

    /// Returns the line of a place, from 1.
    fn line(&mut self, place: u32) -> usize {
        let ((from, line), to) = (self.counted, place as usize);
        let ends = |text: &str| text.bytes().filter(|&byte| byte == b'\n').count();
        let line = if from <= to {
            line + ends(&self.text[from..to])
        } else {
            line - ends(&self.text[to..from])
        };
        self.counted = (to, line);
        line
    }

    /// Returns whether a list follows the word `define`. Otherwise it is a name, as in `(define)`.
    fn begins_definition(&self, word: Span) -> bool {
        self.text[word.end as usize..].trim_start().starts_with('(')
    }

    fn follows_open(&self) -> bool {
        self.open
            .last()
            .is_some_and(|&p| p as usize + 1 == self.tokens.len())
    }

    /// Handles the keyword of a section right after `(`, which must be directly inside a definition.
    fn begin_section(&mut self, section: &str, span: Span, faults: &mut Diagnostics) {
        match self.open.len() {
            2 => {}
            1 => self.reopen_definition(section, span, faults),
            _ => self.close_down_to(1, &format!("`{section}`"), span, faults),
        }
    }

    /// Reopens the last definition if it was closed right before this section, which means that there is a surplus `)`.
    fn reopen_definition(&mut self, section: &str, span: Span, faults: &mut Diagnostics) {
        let Some(open) = self.last_form else {
            return; // Outside of any definition: the parser reports this.
        };
        let close = self.tokens[open as usize].mate();
        if self.tokens[open as usize + 1].symbol() != Known::Define.symbol() || close + 2 != self.tokens.len()
        {
            return;
        }
        let end = self.tokens[close].span;
        faults.report_repaired(
            Code::UnmatchedParenthesis,
            format!("section `{section}` stands outside of any definition"),
            "read as if the definition did not end before this section",
            |d| {
                d.primary(span, "a section belongs inside `(define …)`")
                    .label(end, "the definition ends here already")
                    .help("there is one `)` too many above this section")
            },
        );
        let section_open = self.tokens[close + 1];
        self.tokens.truncate(close);
        self.tokens.push(section_open);
        self.open = vec![open, close as u32];
    }

    /// Closes the lists that are open above `depth`, before the `(` that was just read.
    fn close_down_to(&mut self, depth: usize, what: &str, span: Span, faults: &mut Diagnostics) {
        let Some(last) = self.tokens.pop() else { return };
        self.open.pop();
        self.close_inside(depth, faults);
        if self.open.len() > depth {
            self.report_unclosed(depth, what, span, faults);
        }
        self.close_silently(
            depth,
            Span {
                start: last.span.start,
                end: last.span.start,
            },
        );
        self.open.push(self.tokens.len() as u32);
        self.tokens.push(last);
    }

    /// Closes the lists inside the last section whose `)` is missing, if the lists in them tell which ones they are. Lists
    /// above `depth` are open that should not be.
    fn close_inside(&mut self, depth: usize, faults: &mut Diagnostics) {
        let Some(section) = self.last_section() else {
            return;
        };
        let count = self.open.len() - depth;
        let places = missing_closes(self.text, &self.tokens, section, count);
        let mut rest = Vec::new();
        if places.is_empty() || !faults.meter().reserve(&mut rest, self.tokens.len() - section) {
            return;
        }
        rest.extend_from_slice(&self.tokens[section..]);
        self.tokens.truncate(section);
        self.open.truncate(1);
        let mut places = places.into_iter().peekable();
        for (position, &token) in (section..).zip(&rest) {
            let mut count = 0;
            while places.next_if_eq(&position).is_some() {
                count += 1;
            }
            if count > 0 {
                let first = rest[position - section + 1].span;
                self.report_inside(count, token.span.to(first), faults);
                let end = self.tokens.last().map_or(token.span.start, |last| last.span.end);
                for _ in 0..count {
                    self.close(Span { start: end, end }, faults);
                }
            }
            match token.kind {
                Kind::Open => self.open(token.span, faults),
                Kind::Close => self.close(token.span, faults),
                _ => faults.push(&mut self.tokens, token),
            }
        }
    }

    /// Returns the position of the last list directly inside the definition that is open.
    fn last_section(&self) -> Option<usize> {
        if let Some(&section) = self.open.get(1) {
            return Some(section as usize);
        }
        let mut position = *self.open.first()? as usize + 1;
        let mut last = None;
        while let Some(token) = self.tokens.get(position) {
            if token.kind == Kind::Open {
                last = Some(position);
                position = token.mate();
            }
            position += 1;
        }
        last
    }

    /// Reports that the innermost open list lacks its `)`, and that the lists around it lack theirs if `count` is more than
    /// one. `next` is the `(` of the next list with its first word.
    fn report_inside(&mut self, count: usize, next: Span, faults: &mut Diagnostics) {
        let Some(&position) = self.open.last() else { return };
        let unclosed = self.tokens[position as usize].span;
        let end = self.tokens.last().map_or(unclosed, |last| last.span);
        let span = unclosed.to(end);
        let written = &self.text[span.range()];
        let written = if written.len() > LONGEST || written.contains([';', '\n', '\r']) {
            let head = self
                .tokens
                .get(position as usize + 1)
                .map_or(unclosed, |head| head.span);
            format!("({} …", &self.text[head.range()])
        } else {
            written.to_owned()
        };
        let what = &self.text[next.range()];
        let assumed = match count {
            1 => format!("read as if a `)` stood before `{what}`"),
            n => format!("read as if {n} `)` stood before `{what}`"),
        };
        let line = self.line(end.start);
        let message = format!("{} missing after `{written}` in line {line}", missing(count));
        report_missing(message, &assumed, unclosed, end, faults);
        if !is_plain(&self.tokens, position as usize) {
            self.doubtful.push(span);
        }
    }

    /// Closes the formula in which a part of an action begins: parts are directly inside a section.
    fn close_part(&mut self, part: &str, span: Span, faults: &mut Diagnostics) {
        self.report_unclosed(2, &format!("`{part}`"), span, faults);
        self.close_silently(
            2,
            Span {
                start: span.start,
                end: span.start,
            },
        );
    }

    /// Reports that the innermost open parenthesis is not closed before `what` begins.
    fn report_unclosed(&mut self, depth: usize, what: &str, span: Span, faults: &mut Diagnostics) {
        let Some(&position) = self.open.last() else { return };
        let unclosed = self.tokens[position as usize].span;
        let end = self.tokens.last().map_or(unclosed, |last| last.span);
        let assumed = format!("read as if the parentheses were closed before {what}");
        let (count, line) = (self.open.len() - depth, self.line(span.start));
        let message = format!("{} missing before {what} in line {line}", missing(count));
        report_missing(message, &assumed, unclosed, end, faults);
    }

    /// Adds the missing `(` before a word that begins a section or a definition.
    fn add_open(&mut self, text: &str, span: Span, faults: &mut Diagnostics) {
        let message = format!("`{text}` stands without its `(`");
        faults.report_repaired(
            Code::Unexpected,
            message,
            "read as if a `(` stood before it",
            |d| {
                d.primary(span, "a `(` is missing before this")
                    .help(format!("write `({text} …)`"))
            },
        );
        let place = Span {
            start: span.start,
            end: span.start,
        };
        self.open(place, faults);
    }

    fn close_silently(&mut self, depth: usize, span: Span) {
        // The second open list is the section; the first is the definition.
        if let Some(&section) = self.open.get(1) {
            let section = self.tokens[section as usize].span;
            self.doubtful.push(section.to(span));
        }
        while self.open.len() > depth {
            if let Some(position) = self.open.pop() {
                let end = self.tokens.len();
                self.tokens[position as usize].set_mate(end);
                self.tokens.push(Token::close(span));
            }
        }
    }

    fn report_depth(&mut self, span: Span, faults: &mut Diagnostics) {
        if !self.reported_depth {
            self.reported_depth = true;
            faults.report(Code::NestedTooDeep, "nested too deep", |d| {
                d.primary(
                    span,
                    format!("more than {NESTING_LIMIT} parentheses are open here"),
                )
                .help("name a part of the formula by a derived predicate")
            });
        }
    }
}

/// Reports that parentheses are missing behind the token `end`, first that of the list at `unclosed`.
fn report_missing(message: String, assumed: &str, unclosed: Span, end: Span, faults: &mut Diagnostics) {
    faults.report_repaired(Code::UnclosedParenthesis, message, assumed, |d| {
        d.primary(end, "missing behind this")
            .label(unclosed, "this `(` is not closed")
    });
}

fn missing(count: usize) -> String {
    match count {
        1 => "one `)` is".to_owned(),
        n => format!("{n} `)` are"),
    }
}
