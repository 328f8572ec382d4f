//! Detailed explanations of all codes, each with a faulty and a correct example.

pub(super) mod instances;
pub(super) mod names;
pub(super) mod structure;
pub(super) mod text;
pub(super) mod types;
pub(super) mod warnings;

use super::{Code, Explanation};

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use herbrand_text::{ReadOptions, Severity, Source};

    use crate::diagnostic::{Code, Diagnostic, Explanation};
    use crate::model::{Domain, Instance};
    use crate::read::read;

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

    /// Returns all diagnostics of a text: of its domain, and of its instance if it has one.
    fn diagnostics(text: &str) -> Vec<Diagnostic> {
        let sources = [Source::new("example.rddl", text)];
        let document = read(&sources, &ReadOptions::default());
        let instances = document.instances().count();
        match Domain::parse_with_warnings(&sources) {
            Err(faults) => faults.diagnostics().to_vec(),
            Ok((domain, warnings)) if instances == 0 => {
                drop(domain);
                warnings
            }
            Ok((domain, mut all)) => {
                let domain = Arc::new(domain);
                for instance in document.instances() {
                    all.extend(instance.check(&domain).diagnostics);
                }
                all.extend(
                    Instance::parse(&sources, &domain)
                        .err()
                        .into_iter()
                        .flat_map(|faults| faults.diagnostics().to_vec()),
                );
                all
            }
        }
    }

    #[test]
    fn the_wrong_examples_are_wrong_and_the_right_ones_are_not() {
        for explanation in Code::EXPLANATIONS.iter().copied().flatten() {
            let code = explanation.code();
            if !explanation.wrong().is_empty() {
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
