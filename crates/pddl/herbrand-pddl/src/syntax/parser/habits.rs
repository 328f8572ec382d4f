//! Reports for the notation of other languages: operators between their operands, and names before parentheses.

use super::super::ast::Atom;
use super::{Code, Kind, Known, List, Parser, Word};
use herbrand_text::{Span, nearest};

/// The longest text that a help repeats, in bytes.
pub(super) const LONGEST: usize = 60;

impl Parser<'_> {
    /// Reports an operator that stands between its operands, as in `(fuel < 3)`, or that PDDL does not have, as in
    /// `(!= ?a ?b)`. Returns whether there is one in the list that was just entered. `is_effect` says whether the list
    /// is an effect.
    pub(super) fn refuse_operator(&mut self, list: List, is_effect: bool) -> bool {
        let first = self.position;
        let is_operator = |position: usize| matches!(self.tokens[position].kind, Kind::Operator | Kind::Dash);
        let (left, operator) = if is_operator(first) {
            (first + 1, first)
        } else {
            (first, self.behind(first))
        };
        let is_word = self.tokens[first].kind == Kind::Open
            && self.tokens[operator].kind == Kind::Name
            && matches!(
                Known::of(self.tokens[operator].symbol()),
                Some(Known::And | Known::Or | Known::Imply)
            );
        if operator >= list.close || !(is_operator(operator) || is_word) {
            return false;
        }
        let right = if operator == first {
            self.behind(left)
        } else {
            operator + 1
        };
        let word = &self.text[self.tokens[operator].span.range()];
        let is_foreign = matches!(word, "!=" | "<>" | "==" | "+=" | "-=" | "&&" | "||");
        let is_prefix = operator == first;
        if (is_prefix && !is_foreign)
            || left >= list.close
            || right >= list.close
            || self.behind(right) != list.close
        {
            return false;
        }
        let written = self.prefix_form(word, left, right, is_effect);
        let message = if is_foreign {
            format!("`{word}` is not an operator of PDDL")
        } else {
            format!("`{word}` stands between its operands")
        };
        let span = self.tokens[operator].span;
        self.faults.report(Code::Unexpected, message, |d| {
            let d = d.primary(span, "an operator is the first word of its list");
            if written.len() > LONGEST || written.contains([';', '\n']) {
                d
            } else {
                d.help(format!("write `{written}`"))
            }
        });
        self.position = list.close;
        true
    }

    /// Returns how an operator with the operands at these positions is written.
    fn prefix_form(&self, word: &str, left: usize, right: usize, is_effect: bool) -> String {
        let text = |position: usize| &self.text[self.element_at(position).range()];
        let is_name = |position: usize| self.tokens[position].kind == Kind::Name;
        // A name is a predicate, a function or, beside another name or a variable, an object.
        let list = |position: usize| match text(position) {
            name if is_name(position) => format!("({name})"),
            other => other.to_owned(),
        };
        let is_term = |position: usize| is_name(position) || self.tokens[position].kind == Kind::Variable;
        let same = if is_term(left) && is_term(right) {
            format!("(= {} {})", text(left), text(right))
        } else {
            format!("(= {} {})", list(left), list(right))
        };
        let truth = match text(right) {
            right if right.eq_ignore_ascii_case("true") => Some(true),
            right if right.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        };
        let (left, right) = (list(left), list(right));
        match (word, truth) {
            ("=" | "==", Some(true)) | ("!=" | "<>", Some(false)) => left,
            ("=" | "==", Some(false)) | ("!=" | "<>", Some(true)) => format!("(not {left})"),
            ("=" | "==", None) if is_effect => format!("(assign {left} {right})"),
            ("=" | "==", None) => same,
            ("!=" | "<>", None) => format!("(not {same})"),
            ("+=", _) => format!("(increase {left} {right})"),
            ("-=", _) => format!("(decrease {left} {right})"),
            ("&&", _) => format!("(and {left} {right})"),
            ("||", _) => format!("(or {left} {right})"),
            _ => format!("({word} {left} {right})"),
        }
    }

    /// Returns whether a name is followed by its arguments in parentheses, as in `on(?a ?b)`. A list of names may be an
    /// atom, so only a variable shows that it is not.
    pub(super) fn is_call(&self) -> bool {
        let next = self.tokens[self.position + 1];
        self.peek().kind == Kind::Name
            && next.kind == Kind::Open
            && next.span.start == self.peek().span.end
            && self.tokens[self.position + 2].kind == Kind::Variable
    }

    /// Reports a name before its arguments ([`is_call`](Self::is_call)), and enters the list of the arguments.
    pub(super) fn enter_call(&mut self) -> (Word, List) {
        let name = self.word();
        let span = name.span.to(self.span_of_element());
        let list = self.enter();
        let (first, last) = (self.tokens[list.open].span, self.tokens[list.close].span);
        let (word, inner) = (
            &self.text[name.span.range()],
            &self.text[first.end as usize..last.start as usize],
        );
        let written = if inner.len() > LONGEST || inner.contains([';', '\n']) {
            format!("({word} …)")
        } else {
            format!("({word} {})", inner.trim().replace(',', ""))
        };
        let message = format!("`{word}` stands before its parentheses");
        self.faults.report(Code::Unexpected, message, |d| {
            d.primary(span, "the name belongs inside").write(&written)
        });
        (name, list)
    }

    /// Parses the arguments behind a name.
    pub(super) fn call(&mut self) -> Option<Atom> {
        let (name, list) = self.enter_call();
        let atom = self.atom(name, list);
        self.leave(list);
        atom
    }

    /// Returns the reserved word that `head` is. A list or a number as its first operand shows that it is no predicate:
    /// then the word of `words` that is meant is reported and returned; for `if`, that is `conditional`. `xor` is not read
    /// as `or`: it has a message of its own.
    pub(super) fn meant_word(&mut self, head: Word, words: &[Known], conditional: Known) -> Option<Known> {
        let known = Known::of(head.symbol);
        let is_number = self.peek().kind == Kind::Number;
        if known.is_some() || !(is_number || self.peek().kind == Kind::Open) {
            return known;
        }
        // Only the alternatives of a draw begin with a number.
        let words = if !is_number {
            words
        } else if words.contains(&Known::Probabilistic) {
            &[Known::Probabilistic]
        } else {
            return None;
        };
        if self.is_exclusive_or(head) {
            return None;
        }
        let text = &self.text[head.span.range()];
        let is_conditional = ["if", "implies"]
            .iter()
            .any(|word| word.eq_ignore_ascii_case(text));
        let meant = if is_conditional {
            conditional
        } else {
            let near = nearest(text, words.iter().map(|word| word.text()))?;
            *words.iter().find(|word| word.text() == near)?
        };
        self.faults
            .report(Code::UnknownPredicate, format!("unknown word `{text}`"), |d| {
                d.primary(head.span, format!("read as `{}`", meant.text()))
                    .suggest(Some(meant.text()))
            });
        Some(meant)
    }

    fn is_exclusive_or(&self, head: Word) -> bool {
        self.text[head.span.range()].eq_ignore_ascii_case("xor")
    }

    /// Reports an argument in parentheses of its own, as in `(on (a))`, and enters its list. `list` is the atom with the
    /// name `head`. `None` if another list is here, or if the name tells an unsupported feature.
    pub(super) fn enter_argument(&mut self, head: Word, list: List) -> Option<List> {
        let is_feature = match Known::of(head.symbol) {
            Some(Known::At) => self.begins_with_time(list),
            known => known.is_some() || self.is_exclusive_or(head),
        };
        let is_word = |open: usize| {
            matches!(
                self.tokens[open + 1].kind,
                Kind::Name | Kind::Variable | Kind::Number
            ) && self.tokens[open].mate() == open + 2
        };
        if is_feature || !is_word(self.position) || !self.is_name(head) {
            return None;
        }
        let tokens = &self.tokens[list.open + 1..list.close];
        let words = tokens
            .iter()
            .filter(|token| !matches!(token.kind, Kind::Open | Kind::Close));
        let words: Vec<_> = words
            .take(LONGEST)
            .map(|token| &self.text[token.span.range()])
            .collect();
        let span = self.span_of_element();
        let is_flat = tokens
            .iter()
            .enumerate()
            .all(|(at, token)| token.kind != Kind::Open || is_word(list.open + 1 + at));
        let written = format!("({})", words.join(" "));
        self.faults
            .report(Code::Unexpected, "an argument is in parentheses", |d| {
                let d = d.primary(span, "an argument is a variable or an object");
                if is_flat && written.len() <= LONGEST {
                    d.write(&written)
                } else {
                    d
                }
            });
        Some(self.enter())
    }

    /// Returns whether a word has only characters that a name may have. Another word is reported by the lexer.
    pub(super) fn is_name(&self, word: Word) -> bool {
        let text = &self.text[word.span.range()];
        text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '#')
    }

    /// Returns the position behind the element at `position`.
    fn behind(&self, position: usize) -> usize {
        match self.tokens[position].kind {
            Kind::Open => self.tokens[position].mate() + 1,
            _ => position + 1,
        }
    }

    fn element_at(&self, position: usize) -> Span {
        let token = self.tokens[position];
        match token.kind {
            Kind::Open => token.span.to(self.tokens[token.mate()].span),
            _ => token.span,
        }
    }
}
