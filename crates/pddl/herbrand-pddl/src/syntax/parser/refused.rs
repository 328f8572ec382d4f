//! Reports for unsupported features of other PDDL versions and planning languages, which are recognised by name.

use super::{Code, Kind, Known, List, Parser, Word};
use herbrand_text::nearest;

const PARTS: &[&str] = &[":parameters", ":precondition", ":effect"];

impl Parser<'_> {
    /// Reports a section that is not supported, with a specific message if its feature is recognised. `known` lists the
    /// supported sections, for suggestions.
    pub(super) fn refuse_section(&mut self, keyword: &str, head: Word, section: List, known: &[&str]) {
        self.position = section.close;
        let (code, message) = match keyword {
            ":durative-action" => (
                Code::DurativeActions,
                "durative actions are not supported".to_owned(),
            ),
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
                let meant = nearest(keyword, known.iter().copied());
                self.faults.report(
                    Code::UnknownSection,
                    format!("unknown section `{keyword}`"),
                    |d| {
                        d.primary(head.span, "there is no such section here")
                            .suggest(meant)
                    },
                );
                return;
            }
        };
        self.faults.report(code, message, |d| {
            d.primary(head.span, "this feature is not supported")
        });
    }

    /// Reports a part that actions do not have, and skips it.
    pub(super) fn refuse_part(&mut self, keyword: Word, list: List) {
        let text = self.text[keyword.span.range()].to_ascii_lowercase();
        let (code, label) = match text.as_str() {
            ":duration" | ":condition" => (Code::DurativeActions, "this belongs to durative actions"),
            ":vars" | ":agent" | ":expansion" | ":maintain" | ":only-in-expansions" => {
                (Code::OtherLanguage, "this feature is not supported")
            }
            _ => (Code::UnknownSection, "there is no such part"),
        };
        let meant = nearest(&text, PARTS.iter().copied()).filter(|_| code == Code::UnknownSection);
        self.faults
            .report(code, format!("`{text}` is not part of an action"), |d| {
                d.primary(keyword.span, label)
                    .help("an action has `:parameters`, `:precondition` and `:effect`")
                    .suggest(meant)
            });
        while self.position < list.close && self.peek().kind != Kind::Keyword {
            self.skip();
        }
    }

    /// Reports a list in the position of an argument. The name before it tells which unsupported feature it belongs to.
    pub(super) fn refuse_nested_argument(&mut self, head: Word, list: List) {
        let nested = self.peek().span;
        self.position = list.close;
        let name = &self.text[head.span.range()];
        let (code, message) = match Known::of(head.symbol) {
            Some(Known::Preference) => (Code::Preferences, "preferences are not supported".to_owned()),
            Some(Known::At | Known::Over) if self.begins_with_time(list) => (
                Code::TimedLiterals,
                format!("timed conditions and literals (`{name}`) are not supported"),
            ),
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

    /// Returns whether the first word of `list` is followed by a time: `(at 5 …`, `(at start …`, `(over all …`.
    fn begins_with_time(&self, list: List) -> bool {
        let token = self.tokens[list.open + 2];
        let word = &self.text[token.span.range()];
        let is_moment = ["start", "end", "all"]
            .iter()
            .any(|moment| word.eq_ignore_ascii_case(moment));
        token.kind == Kind::Number || (token.kind == Kind::Name && is_moment)
    }
}
