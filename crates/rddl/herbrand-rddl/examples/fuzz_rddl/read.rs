//! Properties that hold for every text, however broken.

use std::sync::Arc;

use herbrand_rddl::{Diagnostic, Domain, Instance, ReadOptions, Source, Style, format, read, tree};
use herbrand_text::fuzz::{assert_lossless, assert_same_but_layout};

/// Parses, checks and formats `text` in every way. An accepted text must give an equal model when it is printed and parsed again.
///
/// # Panics
/// If a property is violated.
pub fn exercise(text: &str) {
    let sources = [Source::new("fuzz.rddl", text)];
    let document = read(&sources, &ReadOptions::default());
    render(document.diagnostics());
    let before = tree(&sources[0]);
    assert_lossless(&before);
    if let Ok(formatted) = format(&sources[0]) {
        assert_same_but_layout(&before, &tree(&Source::new("formatted", &formatted)));
    }
    let mut models = Vec::new();
    for domain in document.domains().take(3) {
        let reading = domain.check();
        render(&reading.diagnostics);
        models.extend(reading.value);
    }
    for model in &models {
        let again = Domain::from_text(&model.to_rddl());
        assert!(
            again.as_ref() == Ok(model),
            "printed differently:\n{model}\n{again:?}"
        );
    }
    let empty = || Domain::from_text("domain d { reward = 0; }").expect("a domain");
    let domain = Arc::new(models.into_iter().next().unwrap_or_else(empty));
    for instance in document.instances().take(3) {
        let reading = instance.check(&domain);
        render(&reading.diagnostics);
        if let Some(model) = reading.value {
            let text = model.to_rddl();
            let again = Instance::parse(&[Source::new("printed", &text)], &domain);
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
