//! Checks pages of the documentation: `docs/reference/diagnostics-rddl.md` equals the text generated from the code,
//! and the examples in `docs/tutorials/rddl.md` are read as it says.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use herbrand_rddl::{Code, Diagnostic, Domain, Instance, ReadOptions, Severity, Source, read};

/// Returns the diagnostics of an example, whose instances belong to its domain.
fn diagnostics(text: &str) -> Vec<Diagnostic> {
    let sources = [Source::new("example.rddl", text)];
    let document = read(&sources, &ReadOptions::default());
    let instances = document.instances().count();
    match Domain::parse_with_warnings(&sources) {
        Err(faults) => faults.diagnostics().to_vec(),
        Ok((_, warnings)) if instances == 0 => warnings,
        Ok((domain, mut all)) => {
            let domain = Arc::new(domain);
            for instance in document.instances() {
                all.extend(instance.check(&domain).diagnostics);
            }
            let loaded = Instance::parse(&sources, &domain);
            all.extend(
                loaded
                    .err()
                    .iter()
                    .flat_map(|faults| faults.diagnostics())
                    .cloned(),
            );
            all
        }
    }
}

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../docs")
        .join(name)
}

#[test]
fn the_wrong_examples_are_wrong_and_the_right_ones_are_not() {
    for &code in Code::ALL {
        let explanation = code.explanation();
        if !explanation.wrong.is_empty() {
            let found = diagnostics(explanation.wrong);
            assert!(found.iter().any(|one| one.code() == code), "{code}: {found:?}");
            let right = diagnostics(explanation.right);
            let is_right = |one: &Diagnostic| one.code() != code && one.severity() == Severity::Warning;
            assert!(right.iter().all(is_right), "{code}: {right:?}");
        }
    }
}

#[test]
fn the_list_of_diagnostics_is_up_to_date() {
    let text = herbrand_text::reference::<Code>(
        "# Diagnostics of RDDL\n\n\
         Look up a fault in RDDL by its code. Codes never change. `herbrand explain CODE` prints the same text. A code with \
         `E` is an error: the text is rejected. A code with `W` is a warning: the text is accepted. `herbrand check \
         --strict` treats warnings as errors. The codes of PDDL are on [another page](diagnostics.md).\n",
        "rddl",
        diagnostics,
    );
    snapbox::assert_data_eq!(
        text,
        snapbox::file!("../../../../../docs/reference/diagnostics-rddl.md").raw()
    );
}

#[test]
fn the_examples_of_the_page_are_read() {
    let text = fs::read_to_string(page("tutorials/rddl.md")).unwrap();
    let blocks: Vec<&str> = text
        .split("```rddl\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(blocks.len() >= 2);
    let sources: Vec<Source> = blocks
        .iter()
        .map(|block| Source::new("docs/tutorials/rddl.md", block))
        .collect();
    let instance = Instance::load(&sources).unwrap();
    assert_eq!(instance.domain.name.as_str(), "lights");
}
