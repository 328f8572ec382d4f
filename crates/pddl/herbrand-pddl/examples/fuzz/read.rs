//! The invariants of parsing that hold for every text, valid or not.

use herbrand_pddl::{Diagnostic, Domain, Problem, ReadOptions, Source, Style, format, read, tree};
use herbrand_text::fuzz::{assert_lossless, assert_same_but_layout};

/// Parses, checks, formats and prints `text`. Each accepted model must parse to an equal one after printing.
///
/// # Panics
/// If an invariant is violated.
pub fn exercise(text: &str) {
    let source = Source::new("fuzz.pddl", text);
    let document = read(&source, &ReadOptions::default());
    render(document.diagnostics());
    let before = tree(&source);
    assert_lossless(&before);
    if let Ok(formatted) = format(&source) {
        assert_same_but_layout(&before, &tree(&Source::new("formatted", &formatted)));
    }
    let mut models = Vec::new();
    for domain in document.domains().take(3) {
        let reading = domain.check();
        render(&reading.diagnostics);
        models.extend(reading.value);
    }
    for model in &models {
        let again = Domain::from_text(&model.to_pddl());
        assert!(
            again.as_ref() == Ok(model),
            "printed differently:\n{model}\n{again:?}"
        );
    }
    let empty = || Domain::from_text("(define (domain d) (:predicates (p ?x) (q)))").expect("a domain");
    let domain = models.into_iter().next().unwrap_or_else(empty);
    for problem in document.problems().take(3) {
        let reading = problem.check(&domain);
        render(&reading.diagnostics);
        if let Some(model) = reading.value {
            let text = model.to_pddl(&domain);
            let again = Problem::from_text(&text, &domain);
            assert!(
                again.as_ref() == Ok(&model),
                "printed differently:\n{text}\n{again:?}"
            );
        }
    }
}

fn render(diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics.iter().take(20) {
        assert!(!diagnostic.render(Style::Plain).is_empty());
        for label in diagnostic.labels() {
            assert!(label.start() <= label.end());
        }
    }
}
