//! Tests that `docs/reference/diagnostics.md` agrees with the code.

use herbrand_ground::unreachable;
use herbrand_limits::Budget;
use herbrand_pddl::{
    Code, Diagnostic, Domain, ReadOptions, Severity, Source, doubts, never_true, read, start_doubts,
    undefined_values, unread,
};

/// Returns the diagnostics of an example. Its problems are checked against its first domain.
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
    for problem in document.problems() {
        if let Some(domain) = &first {
            let reading = problem.check(domain);
            all.extend(reading.diagnostics);
            all.extend(problem.missing_sections());
            if let Some(problem) = &reading.value {
                all.extend(undefined_values(domain, problem, false));
                all.extend(start_doubts(domain, problem, false));
                all.extend(never_true(domain, problem, false));
                all.extend(
                    unreachable(domain, problem, false, &Budget::unlimited())
                        .into_iter()
                        .flatten(),
                );
            }
        }
    }
    all.extend(unread(&[(&source, &document.mentions())], false));
    all.extend(
        Domain::parse(&source)
            .err()
            .into_iter()
            .flat_map(|faults| faults.diagnostics().to_vec()),
    );
    all
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
        "# Diagnostics\n\n\
         Look up a fault in PDDL by its code. Codes never change. `herbrand explain CODE` prints the same text. A code \
         with `E` is an error: the text is rejected. A code with `W` is a warning: the text is accepted. `herbrand \
         check --strict` treats warnings as errors. The codes of RDDL are on [another page](diagnostics-rddl.md).\n",
        "pddl",
        diagnostics,
    );
    snapbox::assert_data_eq!(
        text,
        snapbox::file!("../../../../../docs/reference/diagnostics.md").raw()
    );
}
