//! Comparison of the features that a text uses with the requirement flags that it declares.

use herbrand_text::{Span, nearest};

use crate::diagnostic::{Code, Diagnostics};
use crate::requirements::{Requirement, Requirements};
use crate::syntax::Word;

/// The features used, as the narrowest flags that permit them, each with the span of its first use.
#[derive(Default)]
pub(super) struct Features {
    first_use: [Option<Span>; Requirement::ALL.len()],
}

impl Features {
    /// Notes a use of a feature. The use that comes first in the text is kept, independently of the order of the calls.
    pub(super) fn note(&mut self, feature: Requirement, span: Span) {
        let first = self.first_use[feature as usize].get_or_insert(span);
        if span.range().start < first.range().start {
            *first = span;
        }
    }

    /// Reports each used feature that none of the `declared` flags permits.
    /// `has_line` is whether the text has a line `(:requirements …)`; if it has none, the first report tells the line to add.
    pub(super) fn report_missing(&self, declared: Requirements, has_line: bool, faults: &mut Diagnostics) {
        let missing = |&feature: &Requirement| {
            self.first_use[feature as usize].is_some() && !declared.iter().any(|flag| flag.allows(feature))
        };
        let missing: Vec<_> = Requirement::ALL.into_iter().filter(missing).collect();
        for (index, &feature) in missing.iter().enumerate() {
            let Some(span) = self.first_use[feature as usize] else {
                continue;
            };
            let keyword = feature.keyword();
            let help = if has_line || index > 0 {
                format!("add `{keyword}` to `(:requirements …)`")
            } else {
                let keywords: Vec<_> = missing.iter().map(|feature| feature.keyword()).collect();
                format!("add the line `(:requirements {})`", keywords.join(" "))
            };
            faults.report(
                Code::MissingRequirement,
                format!("`{keyword}` is not declared"),
                |d| {
                    let d = d.primary(span, "this needs it").help(help);
                    match feature {
                        Requirement::Rewards => d.note(
                            "without it, `reward` is a number like any other, and entering the goal pays 1",
                        ),
                        _ => d,
                    }
                },
            );
        }
    }

    /// Reports each flag that the domain does not use, if no problem can use it either. Flags for conditions and
    /// probabilities are never reported, because goals may have any form and initial states may be probabilistic.
    pub(super) fn report_unused(&self, declared: &[(Requirement, Span)], faults: &mut Diagnostics) {
        for &(flag, span) in declared {
            let concerns_the_domain = matches!(
                flag,
                Requirement::Typing
                    | Requirement::ConditionalEffects
                    | Requirement::Fluents
                    | Requirement::NumericFluents
                    | Requirement::ActionCosts
                    | Requirement::DerivedPredicates
            );
            let is_used = || {
                Requirement::ALL
                    .into_iter()
                    .any(|feature| self.first_use[feature as usize].is_some() && flag.allows(feature))
            };
            if concerns_the_domain && !is_used() {
                let keyword = flag.keyword();
                faults.report(
                    Code::UnusedRequirement,
                    format!("`{keyword}` is not needed"),
                    |d| d.primary(span, "nothing here uses it"),
                );
            }
        }
    }
}

/// Returns the declared flags with their spans. Unknown flags are reported.
pub(super) fn declared(words: &[Word], text: &str, faults: &mut Diagnostics) -> Vec<(Requirement, Span)> {
    let mut flags = Vec::new();
    for word in words {
        let keyword = text[word.span.range()].to_ascii_lowercase();
        match Requirement::from_keyword(&keyword) {
            Some(flag) => flags.push((flag, word.span)),
            None if REFUSED.contains(&keyword.as_str()) => {
                faults.report(
                    Code::RefusedRequirement,
                    format!("`{keyword}` is not supported"),
                    |d| d.primary(word.span, "the text must not use this feature"),
                );
            }
            None => {
                let meant = nearest(&keyword, Requirement::ALL.into_iter().map(Requirement::keyword));
                faults.report(
                    Code::UnknownRequirement,
                    format!("unknown requirement `{keyword}`"),
                    |d| d.primary(word.span, "not a known requirement").suggest(meant),
                );
            }
        }
    }
    flags
}

/// Flags of unsupported features. The features are reported where they are used.
const REFUSED: &[&str] = &[
    ":continuous-effects",
    ":timed-effects",
    ":preferences",
    ":constraints",
    ":object-fluents",
    ":time",
    ":non-deterministic",
    ":domain-axioms",
    ":action-expansions",
    ":foreach-expansions",
    ":dag-expansions",
    ":subgoal-through-axioms",
    ":safety-constraints",
    ":expression-evaluation",
    ":open-world",
    ":true-negation",
    ":ucpop",
    ":hierarchy",
    ":htn",
    ":multi-agent",
    ":unfactored-privacy",
    ":factored-privacy",
    ":partial-observability",
];
