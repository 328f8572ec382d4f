//! `docs/diagnostics.md` says what the code says. `UPDATE_DOCS=1 cargo test -p herbrand-pddl --test docs` writes it anew.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use herbrand_pddl::{Code, Diagnostic, Domain, ReadOptions, Source, read};

/// What is said about an example, whose problems are for its first domain.
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
    for problem in document.problems() {
        all.extend(first.iter().flat_map(|domain| problem.check(domain).diagnostics));
    }
    all.extend(
        Domain::parse(&source)
            .err()
            .into_iter()
            .flat_map(|faults| faults.diagnostics().to_vec()),
    );
    all
}

fn section(code: Code) -> String {
    let explanation = code.explanation();
    let mut text = format!("\n## {code}: {}\n\n{}\n", code.summary(), explanation.text());
    if !explanation.wrong().is_empty() {
        let found = diagnostics(explanation.wrong());
        let shown = found.iter().find(|d| d.code() == code).unwrap();
        write!(
            text,
            "\n```pddl\n{}\n```\n\n```text\n{shown}\n```\n\nWithout the fault:\n\n```pddl\n{}\n```\n",
            explanation.wrong(),
            explanation.right()
        )
        .unwrap();
    }
    text
}

#[test]
fn the_list_of_diagnostics_is_up_to_date() {
    let mut text = String::from(
        "# Diagnostics\n\n\
         Every fault that is found in a text has a code that does not change. `herbrand explain CODE` prints what stands \
         here. Codes that begin with `E` are errors: the text is not accepted. Those with `W` are warnings, unless \
         reading is strict.\n\n\
         | Code | Fault |\n|---|---|\n",
    );
    for code in Code::ALL {
        let anchor: String = format!("{code}-{}", code.summary())
            .to_ascii_lowercase()
            .chars()
            .filter_map(|c| match c {
                ' ' => Some('-'),
                c if c.is_ascii_alphanumeric() || c == '-' => Some(c),
                _ => None,
            })
            .collect();
        writeln!(text, "| [{code}](#{anchor}) | {} |", code.summary()).unwrap();
    }
    for code in Code::ALL {
        text.push_str(&section(*code));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == text,
        "docs/diagnostics.md is out of date: run this test with UPDATE_DOCS=1"
    );
}
