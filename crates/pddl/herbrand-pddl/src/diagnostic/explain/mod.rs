//! The explanations of the codes, each with a faulty and a corrected example.

pub(super) mod features;
pub(super) mod formulas;
pub(super) mod names;
pub(super) mod text;
pub(super) mod warnings;

use super::{Code, Explanation};

#[cfg(test)]
mod tests {
    use crate::{
        Code, Diagnostic, Domain, Explanation, ReadOptions, Severity, Source, doubts, never_true, read,
        start_doubts, undefined_values, unread,
    };

    #[test]
    fn every_code_is_explained_once() {
        let explained: Vec<Code> = Code::EXPLANATIONS
            .iter()
            .copied()
            .flatten()
            .map(Explanation::code)
            .collect();
        assert_eq!(explained, Code::ALL);
    }

    /// Returns all diagnostics of a text. Its problems are checked against its first domain.
    fn diagnostics(text: &str) -> Vec<Diagnostic> {
        let source = Source::new("example.pddl", text);
        let document = read(&source, &ReadOptions::default());
        let mut all = document.diagnostics().to_vec();
        let mut first = None;
        for domain in document.domains() {
            let mut reading = domain.check();
            all.append(&mut reading.diagnostics);
            first = first.or(reading.value);
        }
        all.extend(first.iter().flat_map(|domain| doubts(domain, false)));
        let domain = first.unwrap_or_else(|| Domain::from_text("(define (domain d))").expect("a domain"));
        for problem in document.problems() {
            let mut reading = problem.check(&domain);
            all.append(&mut reading.diagnostics);
            all.extend(problem.missing_sections());
            if let Some(problem) = &reading.value {
                all.extend(undefined_values(&domain, problem, false));
                all.extend(start_doubts(&domain, problem, false));
                all.extend(never_true(&domain, problem, false));
            }
        }
        all.extend(unread(&[(&source, &document.mentions())], false));
        let asked_for_one = Domain::parse(&source);
        all.extend(
            asked_for_one
                .err()
                .into_iter()
                .flat_map(|faults| faults.diagnostics().to_vec()),
        );
        all
    }

    #[test]
    fn the_wrong_examples_are_wrong_and_the_right_ones_are_not() {
        for explanation in Code::EXPLANATIONS.iter().copied().flatten() {
            let code = explanation.code();
            // `herbrand-ground` reports these, and tests their examples.
            let is_ground = matches!(code, Code::NeverApplicable | Code::NeverHolds);
            if !is_ground && !explanation.wrong().is_empty() {
                let found = diagnostics(explanation.wrong());
                assert!(found.iter().any(|d| d.code() == code), "{code}: {found:?}");
                let right = diagnostics(explanation.right());
                assert!(
                    right
                        .iter()
                        .all(|d| d.code() != code && d.severity() == Severity::Warning),
                    "{code}: {right:?}"
                );
            }
        }
    }
}
