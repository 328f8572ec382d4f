//! Snapshot tests of diagnostics. For each group of codes there is a table of faulty inputs, named after their faults. The
//! snapshots contain all diagnostics of each input.

mod rows;

use std::collections::BTreeSet;

use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{
    Code, Diagnostic, Domain, Problem, ReadOptions, Source, doubts, never_true, read, start_doubts,
    undefined_values,
};
use rows::{GROUPS, Row};

/// Returns all diagnostics of a row: of its domain, and of its problem checked against that domain.
fn diagnostics(row: &Row) -> Vec<Diagnostic> {
    let options = ReadOptions {
        strict: row.name.contains("(strict)"),
        max_bytes: if row.name.contains("(short)") {
            20
        } else {
            u32::MAX
        },
        ..ReadOptions::default()
    };
    let domain = Source::new("domain.pddl", row.domain);
    let problem = Source::new("problem.pddl", row.problem);
    let document = read(&domain, &options);
    let mut all = document.diagnostics().to_vec();
    let (mut model, mut declared) = (None, None);
    for unchecked in document.domains() {
        let mut reading = unchecked.check();
        all.append(&mut reading.diagnostics);
        (model, declared) = (reading.value, reading.declared);
        if row.name.contains("(doubt)") {
            all.extend(model.iter().flat_map(|domain| doubts(domain, options.strict)));
        }
    }
    if row.problem.is_empty() {
        if all.is_empty() {
            all.extend(Domain::parse(&domain).unwrap_err().diagnostics().to_vec());
        }
        return all;
    }
    let model = model
        .or(declared)
        .unwrap_or_else(|| Domain::from_text("(define (domain none))").unwrap());
    let document = read(&problem, &options);
    all.extend_from_slice(document.diagnostics());
    for unchecked in document.problems() {
        let mut reading = unchecked.check(&model);
        all.append(&mut reading.diagnostics);
        let values = |problem: &Problem| undefined_values(&model, problem, options.strict);
        all.extend(reading.value.iter().flat_map(values));
        if row.name.contains("(doubts)") {
            all.extend(unchecked.missing_sections());
            let never = |problem: &Problem| never_true(&model, problem, options.strict);
            all.extend(reading.value.iter().flat_map(never));
            let start = |problem: &Problem| start_doubts(&model, problem, options.strict);
            all.extend(reading.value.iter().flat_map(start));
        }
    }
    all
}

fn check(group: &str) {
    let (_, rows) = GROUPS.iter().find(|(name, _)| *name == group).unwrap();
    let mut text = String::new();
    for row in *rows {
        text.push_str(&format!("## {}\n\n", row.name));
        let found = diagnostics(row);
        assert!(!found.is_empty(), "nothing is reported about: {}", row.name);
        for diagnostic in found {
            text.push_str(&format!("{diagnostic}\n\n"));
        }
    }
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(group, text);
    });
}

#[test]
fn text() {
    check("text");
}

#[test]
fn names() {
    check("names");
}

#[test]
fn types() {
    check("types");
}

#[test]
fn formulas() {
    check("formulas");
}

#[test]
fn numbers() {
    check("numbers");
}

#[test]
fn axioms() {
    check("axioms");
}

#[test]
fn time() {
    check("time");
}

#[test]
fn refused() {
    check("refused");
}

#[test]
fn warnings() {
    check("warnings");
}

#[test]
fn doubts_about_domains() {
    check("doubts");
}

/// Returns inputs that exceed a limit: a formula nested too deep, more faults than are shown, and a text over its budget.
fn limits() -> [(Code, String, Limits); 3] {
    let bytes = Some(1_000_000);
    let limits = Limits { bytes, time: None };
    let nested = format!("{}\n(p)\n{}", "(not ".repeat(248), ")".repeat(248));
    [
        (
            Code::NestedTooDeep,
            format!("(define (domain d) (:predicates (p)) (:action a :precondition\n{nested}))"),
            limits,
        ),
        (
            Code::TooManyFaults,
            format!(
                "(define (domain d) (:action a :effect (and {})))",
                "(p) ".repeat(300)
            ),
            limits,
        ),
        (
            Code::LimitReached,
            format!("(define (domain d) (:predicates {}))", "(p) ".repeat(100_000)),
            limits,
        ),
    ]
}

#[test]
fn limits_are_named() {
    let mut text = String::new();
    for (code, domain, limits) in limits() {
        let source = Source::new("domain", &domain);
        let faults = Domain::parse_within(&source, &Budget::new(limits)).unwrap_err();
        let found = faults.diagnostics().iter().find(|d| d.code() == code);
        text.push_str(&format!("{}\n\n", found.unwrap()));
    }
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("limits", text);
    });
}

#[test]
fn every_code_has_a_row() {
    // Found by grounding, or by looking at a domain with all its problems; the tests of these show them.
    const OF_PROBLEMS: [Code; 4] = [
        Code::NeverApplicable,
        Code::NeverHolds,
        Code::UnreadDerived,
        Code::UnreadName,
    ];
    let rows = GROUPS.iter().flat_map(|(_, rows)| *rows);
    let shown: BTreeSet<Code> = rows.flat_map(diagnostics).map(|d| d.code()).collect();
    let limits = limits().map(|(code, ..)| code);
    let missing: Vec<&Code> = Code::ALL
        .iter()
        .filter(|code| !shown.contains(code) && !limits.contains(code) && !OF_PROBLEMS.contains(code))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn of_a_long_line_the_part_around_a_fault_is_shown() {
    let filler = "(:action a :effect (q)) ".repeat(100);
    let shown = |before: &str, after: &str| {
        let text =
            format!("(define (domain d) (:predicates (p) (q)) {before}(:action b :effect (rr)){after})");
        let faults = Domain::parse(&Source::new("long.pddl", &text)).unwrap_err();
        let found = faults
            .diagnostics()
            .iter()
            .find(|one| one.message().contains("rr"));
        found.expect("a fault").render(herbrand_pddl::Style::Plain)
    };
    let start = "long.pddl:1:";
    let text = shown(&filler, &filler);
    let place = format!("{start}{}", 42 + filler.len() + "(:action b :effect (".len());
    assert!(text.contains(&place), "{place}\n{text}");
    let excerpt = text
        .lines()
        .find(|line| line.contains("(rr)"))
        .expect("an excerpt");
    assert!(
        excerpt.contains('\u{2026}') && excerpt.ends_with('\u{2026}'),
        "{text}"
    );
    assert!(excerpt.chars().count() <= 80, "{text}");
    let caret = text.lines().find(|line| line.contains("^^")).expect("carets");
    let column = |line: &str, part: &str| line.split(part).next().map(|before| before.chars().count());
    assert_eq!(column(excerpt, "rr"), column(caret, "^^"), "{text}");
    // At the end of the line, nothing is cut off.
    let text = shown(&filler, "");
    assert!(
        text.lines()
            .any(|line| line.ends_with("(:action b :effect (rr)))")),
        "{text}"
    );
}

#[test]
fn colours_are_for_terminals_only() {
    let faults =
        Domain::from_text("(define (domain d) (:predicates (p)) (:action a :effect (q)))").unwrap_err();
    assert!(!faults.to_string().contains('\u{1b}'));
    assert!(faults.render(herbrand_pddl::Style::Colored).contains('\u{1b}'));
    assert_eq!(faults.errors(), 1);
}

#[test]
fn places_are_lines_and_columns_of_characters() {
    let source = Source::new(
        "domain.pddl",
        "; gr\u{fc}n \u{1f7e9}\n(define (domain d)\n  ; \u{e9}\u{e9} (\n  (:action a :effect (q)))",
    );
    let faults = Domain::parse(&source).unwrap_err();
    let label = &faults.diagnostics()[0].labels()[0];
    assert!(label.is_primary());
    assert_eq!((label.start().line, label.start().column), (4, 23));
    assert_eq!((label.end().line, label.end().column), (4, 24));
}

#[test]
fn functions_that_are_only_action_costs_need_only_that_flag() {
    for (functions, amount) in [
        ("(total-cost)", "3"),
        ("(total-cost) (toll)", "(toll)"),
        (
            "(total-cost) - number (length ?a ?b - place) - number (unused ?a)",
            "(length ?a ?b)",
        ),
    ] {
        for flag in [":action-costs", ":numeric-fluents", ":fluents"] {
            let domain = format!(
                "(define (domain d) (:requirements :typing {flag}) (:types place) (:functions {functions})
                   (:action a :parameters (?a ?b - place) :effect (increase (total-cost) {amount})))"
            );
            let problem = "(define (problem p) (:domain d) (:objects x - place) (:init (= (total-cost) 0))
                (:metric minimize (total-cost)))";
            let text = format!("{domain}\n{problem}");
            let source = Source::new("both.pddl", &text);
            let document = read(&source, &ReadOptions::default());
            let domain = document.domains().next().unwrap().check();
            assert_eq!(domain.diagnostics, [], "{functions} {flag}");
            let problem = document.problems().next().unwrap().check(&domain.value.unwrap());
            assert_eq!(problem.diagnostics, [], "{functions} {flag}");
        }
    }
}
