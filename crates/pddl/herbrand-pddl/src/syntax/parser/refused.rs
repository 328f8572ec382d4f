//! Reports for unsupported features of other PDDL versions and planning languages, which are recognised by name.

use super::domain::DOMAIN_SECTIONS;
use super::habits::LONGEST;
use super::problem::PROBLEM_SECTIONS;
use super::{Code, Draft, Kind, Known, List, Parser, Token, Word, with_colon};
use crate::syntax::names::Symbol;
use herbrand_text::nearest;

/// The parts of an action.
pub(super) const PARTS: &[&str] = &[":parameters", ":precondition", ":effect"];

/// The parts of a durative action.
pub(super) const DURATIVE_PARTS: &[&str] = &[":parameters", ":duration", ":condition", ":effect"];

impl Parser<'_> {
    /// Returns the keyword of a section. A misspelt one is reported, and read as the one of `known` that is meant.
    pub(super) fn meant<'k>(&mut self, keyword: &'k str, head: Word, known: &[&'static str]) -> &'k str {
        if !keyword.starts_with(':') {
            let Some(meant) = with_colon(keyword, known) else {
                return keyword;
            };
            let message = format!("`{keyword}` does not begin a section");
            self.faults.report(Code::UnknownSection, message, |d| {
                d.primary(head.span, "the keyword of a section begins with a colon")
                    .suggest(Some(meant))
            });
            return meant;
        }
        let is_among = |keywords: &[&str]| keywords.contains(&keyword);
        if is_among(DOMAIN_SECTIONS) || is_among(PROBLEM_SECTIONS) || is_among(&[":actions", ":constraints"])
        {
            return keyword;
        }
        let Some(meant) = nearest(keyword, known.iter().copied()) else {
            return keyword;
        };
        self.report_unknown_section(keyword, head, |d| d.suggest(Some(meant)));
        meant
    }

    fn report_unknown_section(
        &mut self,
        keyword: &str,
        head: Word,
        help: impl FnOnce(Draft<'_>) -> Draft<'_>,
    ) {
        self.faults.report(
            Code::UnknownSection,
            format!("unknown section `{keyword}`"),
            |d| help(d.primary(head.span, "there is no such section here")),
        );
    }

    /// Reports a section that is not supported, with a specific message if its feature is recognised. `elsewhere` lists the
    /// sections of the other kind of definition.
    pub(super) fn refuse_section(&mut self, keyword: &str, head: Word, section: List, elsewhere: &[&str]) {
        self.position = section.close;
        let (code, message) = match keyword {
            ":constraints" => (
                Code::TrajectoryConstraints,
                "trajectory constraints are not supported".to_owned(),
            ),
            ":process" | ":event" => (
                Code::ContinuousEffects,
                format!("`{keyword}` of PDDL+ is not supported"),
            ),
            ":timeless" | ":axiom" | ":safety" | ":extends" | ":method" | ":task" | ":htn" | ":situation"
            | ":domain-variables" | ":class" | ":addendum" | ":observe" | ":sensing-action" => {
                (Code::OtherLanguage, format!("`{keyword}` is not supported"))
            }
            _ => {
                let owner = if elsewhere.contains(&":init") {
                    "problem"
                } else {
                    "domain"
                };
                let is_elsewhere = elsewhere.contains(&keyword);
                self.report_unknown_section(keyword, head, |d| {
                    if is_elsewhere {
                        d.help(format!("`{keyword}` belongs in the {owner}"))
                    } else {
                        d
                    }
                });
                return;
            }
        };
        let rule = (keyword == ":axiom").then(|| self.as_derived(section));
        self.faults.report(code, message, |d| {
            let d = d.primary(head.span, "this feature is not supported");
            match rule {
                Some(rule) => d.help(format!("write `{rule}`")),
                None => d,
            }
        });
    }

    /// Returns an axiom of an older PDDL, `(:axiom :vars (…) :context (…) :implies (…))`, as PDDL 2.2 writes it.
    fn as_derived(&self, section: List) -> String {
        let list = |keyword: &str| {
            let mut places = section.open + 1..section.close;
            let is_keyword =
                |at: usize| self.text[self.tokens[at].span.range()].eq_ignore_ascii_case(keyword);
            let open = places.find(|&at| is_keyword(at))? + 1;
            (self.tokens[open].kind == Kind::Open).then(|| &self.tokens[open..=self.tokens[open].mate()])
        };
        let text = |tokens: &[Token]| {
            let text = &self.text[tokens[0].span.to(tokens[tokens.len() - 1].span).range()];
            (text.len() <= LONGEST && !text.contains([';', '\n'])).then_some(text)
        };
        let parts = list(":implies").zip(list(":context"));
        let Some((Some(head), Some(body))) = parts.map(|(head, body)| (text(head), text(body))) else {
            return "(:derived (head ?x) (body ?x))".to_owned();
        };
        let bound: Vec<_> = parts
            .iter()
            .flat_map(|(head, _)| *head)
            .map(|token| token.span)
            .collect();
        let is_bound = |word: &str| {
            bound
                .iter()
                .any(|span| self.text[span.range()].eq_ignore_ascii_case(word))
        };
        let variables = list(":vars").unwrap_or_default();
        let words = variables.iter().map(|token| &self.text[token.span.range()]);
        // Variables that the head lacks are bound by a quantifier, with the type that follows them.
        let mut others = Vec::new();
        let mut is_kept = false;
        for word in words.filter(|word| !["(", ")"].contains(word)) {
            if word.starts_with('?') {
                is_kept = !is_bound(word);
            }
            if is_kept {
                others.push(word);
            }
        }
        if others.is_empty() {
            format!("(:derived {head} {body})")
        } else {
            format!("(:derived {head} (exists ({}) {body}))", others.join(" "))
        }
    }

    /// Reports a part that lacks its colon, as in `effect (and …)`, if one comes next. Returns its index in `known`.
    pub(super) fn part_without_colon(&mut self, known: &[&'static str]) -> Option<usize> {
        let token = self.peek();
        let word = &self.text[token.span.range()];
        let meant = with_colon(word, known).filter(|_| token.kind == Kind::Name)?;
        self.faults.report(
            Code::UnknownSection,
            format!("`{word}` does not begin a part"),
            |d| {
                d.primary(token.span, "the keyword of a part begins with a colon")
                    .write(meant)
            },
        );
        known.iter().position(|&part| part == meant)
    }

    /// Reports a part that an action with the parts `known` does not have. Returns the index in `known` of the part that is
    /// probably meant. If no name is near, skips the part.
    pub(super) fn refuse_part(&mut self, keyword: Word, list: List, known: &[&'static str]) -> Option<usize> {
        let text = self.text[keyword.span.range()].to_ascii_lowercase();
        let (code, label) = match text.as_str() {
            ":duration" | ":condition" => (Code::Duration, "this belongs to a `:durative-action`"),
            ":vars" | ":agent" | ":expansion" | ":maintain" | ":only-in-expansions" => {
                (Code::OtherLanguage, "this feature is not supported")
            }
            _ => (Code::UnknownSection, "there is no such part"),
        };
        let meant = nearest(&text, known.iter().copied()).filter(|_| code == Code::UnknownSection);
        let (kind, help) = if known == DURATIVE_PARTS {
            (
                "a durative action",
                "a durative action has `:parameters`, `:duration`, `:condition` and `:effect`",
            )
        } else {
            (
                "an action",
                "an action has `:parameters`, `:precondition` and `:effect`",
            )
        };
        self.faults
            .report(code, format!("`{text}` is not part of {kind}"), |d| {
                d.primary(keyword.span, label).help(help).suggest(meant)
            });
        if let Some(meant) = meant {
            return known.iter().position(|&part| part == meant);
        }
        while self.position < list.close && self.peek().kind != Kind::Keyword {
            self.skip();
        }
        None
    }

    /// Reports a list in the position of an argument. The name before it tells which unsupported feature it belongs to.
    pub(super) fn refuse_nested_argument(&mut self, head: Word, list: List) {
        let nested = self.peek().span;
        let inner = self.tokens[self.position + 1];
        self.position = list.close;
        let name = &self.text[head.span.range()];
        if !self.is_name(head) {
            return;
        }
        let (code, message) = match Known::of(head.symbol) {
            Some(Known::At | Known::Over) if self.begins_with_time(list) => {
                self.faults
                    .report(Code::MisplacedTime, format!("`{name}` is not followed by its time"), |d| {
                        d.primary(head.span, "the words before a condition or effect are a time")
                            .help("the times are `at start`, `over all` and `at end`; a timed literal is `(at 9 (p))`")
                    });
                return;
            }
            Some(Known::Preference) => (Code::Preferences, "preferences are not supported".to_owned()),
            Some(
                Known::Always
                | Known::Sometime
                | Known::Within
                | Known::AtMostOnce
                | Known::SometimeAfter
                | Known::SometimeBefore
                | Known::AlwaysWithin
                | Known::HoldDuring
                | Known::HoldAfter,
            ) => (
                Code::TrajectoryConstraints,
                format!("trajectory constraints (`{name}`) are not supported"),
            ),
            Some(Known::Oneof) => (
                Code::NonDeterminism,
                "non-deterministic effects (`oneof`) are not supported".to_owned(),
            ),
            _ if name.eq_ignore_ascii_case("xor") => {
                self.faults
                    .report(Code::UnknownPredicate, format!("unknown word `{name}`"), |d| {
                        d.primary(head.span, "there is no exclusive or")
                            .help("write `(or (and a (not b)) (and (not a) b))` for two formulas `a` and `b`")
                    });
                return;
            }
            _ if inner.kind == Kind::Name && begins_formula_or_effect(inner.symbol()) => {
                let word = &self.text[inner.span.range()];
                self.faults
                    .report(Code::Unexpected, format!("`{word}` begins no argument"), |d| {
                        d.primary(nested, "an argument is a variable or an object")
                            .label(head.span, "an argument of this")
                            .help("a `)` may be missing before this")
                    });
                return;
            }
            _ => {
                self.faults
                    .report(Code::ObjectFluents, "object fluents are not supported", |d| {
                        d.primary(nested, "an argument is a variable or an object, not a term")
                            .label(head.span, "an argument of this")
                            .help("write an object fluent as a predicate with one more argument")
                    });
                return;
            }
        };
        let span = self.span(list);
        self.faults.report(code, message, |d| {
            d.primary(span, "this feature is not supported")
        });
    }
}

/// Returns whether a name is a reserved word before a formula or an effect. Predicates may have the other reserved words
/// as their names.
fn begins_formula_or_effect(symbol: Symbol) -> bool {
    matches!(
        Known::of(symbol),
        Some(
            Known::And
                | Known::Or
                | Known::Not
                | Known::Imply
                | Known::Forall
                | Known::Exists
                | Known::When
                | Known::Increase
                | Known::Decrease
                | Known::Assign
        )
    )
}
