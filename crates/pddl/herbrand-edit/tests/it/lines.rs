//! Tests of line-based edits, on edits recorded from PDDLEGO.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use herbrand_edit::lines::{LineEdits, Renaming, apply};
use herbrand_edit::{EditCode, EditRules, Functional, PlanningModel};
use serde_json::Value;

/// The domain of the recorded problems.
const DOMAIN: &str = "
(define (domain environment)
  (:requirements :adl)
  (:types location direction)
  (:predicates (at ?l - location) (visited ?l - location) (connected ?a ?b - location ?d - direction)
               (closed_door ?a ?b - location))
  (:action move :parameters (?a ?b - location ?d - direction)
    :precondition (and (at ?a) (connected ?a ?b ?d) (not (closed_door ?a ?b)))
    :effect (and (not (at ?a)) (at ?b) (visited ?b))))";

fn recorded() -> Option<Vec<Value>> {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus/pddlego/pddlego_edits.jsonl");
    let Ok(text) = fs::read_to_string(file) else {
        eprintln!("skipped: the corpus is not at ../shared/corpus");
        return None;
    };
    let rows = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"));
    Some(rows.collect())
}

#[test]
fn recorded_edits_give_the_recorded_problems_byte_for_byte() {
    let Some(rows) = recorded() else { return };
    let (mut applied, mut refused) = (0, 0);
    for row in &rows {
        let Some(expected) = row["result"].as_str() else {
            // The language model's answer did not have the required form, so both programs reject it.
            let raw = row["raw"].as_str().expect("what was written");
            assert!(serde_json::from_str::<LineEdits>(raw).is_err(), "{raw}");
            refused += 1;
            continue;
        };
        let edits: LineEdits = serde_json::from_value(row["edit"].clone()).expect("edits of lines");
        let renaming = if row["cascade"] == true {
            Renaming::Textual
        } else {
            Renaming::None
        };
        let text =
            apply(row["prev"].as_str().expect("a problem"), &edits, renaming).expect("the lists are there");
        assert_eq!(text, expected, "{}", row["key"]);
        applied += 1;
    }
    assert_eq!((applied, refused), (237, 6));
}

/// Returns the codes that correspond to the issues recorded for a row. Issues specific to the recorded game have no code.
fn expected(row: &Value) -> BTreeSet<EditCode> {
    let issues = row["issues"].as_array().expect("a list");
    let code = |issue: &Value| match issue[0].as_str() {
        Some("undeclared-object") => Some(EditCode::UndeclaredObject),
        Some("duplicate-object") => Some(EditCode::DuplicateObject),
        Some("duplicate-fact") => Some(EditCode::DuplicateFact),
        Some("unknown-predicate") => Some(EditCode::UnknownPredicate),
        Some("at-not-unique") => Some(EditCode::Functional),
        _ => None,
    };
    issues.iter().filter_map(code).collect()
}

/// Returns whether a problem declares an object twice or states a fact twice.
fn repeats(problem: &str) -> bool {
    let items = problem
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("(:goal"));
    let mut items = items.filter(|line| line.contains(' ') || line.starts_with('('));
    let mut seen = BTreeSet::new();
    !items.all(|item| seen.insert(item))
}

#[test]
fn typed_edits_find_what_was_wrong() {
    let Some(rows) = recorded() else { return };
    let rules = EditRules {
        functional: vec![Functional {
            predicate: "at".to_owned(),
            keys: vec![],
        }],
        monotone: vec![],
    };
    let (mut sound, mut faulty, mut exact, mut skipped) = (0, 0, 0, 0);
    for row in rows.iter().filter(|row| row["result"].is_string()) {
        let prev = row["prev"].as_str().expect("a problem");
        // A row that starts from a faulty problem is no test of its own edits.
        let model = PlanningModel::from_text(DOMAIN, prev)
            .ok()
            .filter(|_| !repeats(prev));
        let Some(model) = model else {
            skipped += 1;
            continue;
        };
        let edits: LineEdits = serde_json::from_value(row["edit"].clone()).expect("edits of lines");
        let found = match edits.typed() {
            Ok(typed) => model
                .apply(&typed, &rules)
                .map_or_else(|faults| faults.codes().collect(), |_| BTreeSet::new()),
            Err(error) => panic!("{}: {error}", row["key"]),
        };
        let expected = expected(row);
        // A faulty edit is skipped, so faults that depend on it may not appear.
        let passed_over = [EditCode::UndeclaredObject, EditCode::NotFound];
        let fits = found.is_superset(&expected) || passed_over.iter().any(|code| found.contains(code));
        assert!(fits, "{}: {found:?} for {expected:?}", row["key"]);
        exact += usize::from(!expected.is_empty() && found.is_superset(&expected));
        sound += usize::from(found.is_empty());
        faulty += usize::from(!expected.is_empty());
    }
    eprintln!(
        "{sound} sound, {faulty} faulty ({exact} with all codes), {skipped} go on from a broken problem"
    );
    assert!(sound > 0 && faulty > 0);
}

#[test]
fn lines_that_are_none_are_refused() {
    let edits = |json: &str| serde_json::from_str::<LineEdits>(json).expect("edits of lines");
    let empty = r#"{"add": [], "replace": {}, "delete": []}"#;
    for (objects, init) in [
        (r#"{"add": ["hall - "], "replace": {}, "delete": []}"#, empty),
        (
            r#"{"add": [], "replace": {"a - room": "a - item"}, "delete": []}"#,
            empty,
        ),
        (empty, r#"{"add": ["at hall"], "replace": {}, "delete": []}"#),
    ] {
        let json = format!(r#"{{"objects": {objects}, "init": {init}}}"#);
        assert!(edits(&json).typed().is_err(), "{json}");
    }
    let nothing = edits(&format!(r#"{{"objects": {empty}, "init": {empty}}}"#));
    for text in [
        "",
        "(define (problem p) (:objects a) (:init))",
        "(:objects\n)\n(:init",
    ] {
        assert!(apply(text, &nothing, Renaming::Textual).is_err(), "{text}");
    }
}

#[test]
fn the_lists_come_in_either_order() {
    let edits: LineEdits = serde_json::from_str(
        r#"{"objects": {"add": ["c - room"], "replace": {}, "delete": []},
            "init": {"add": ["(at c)"], "replace": {}, "delete": []}}"#,
    )
    .expect("edits");
    let (objects, facts) = ("(:objects\na - room\n)\n", "(:init\n(at a)\n)\n");
    let edited = apply(&format!("(define\n{facts}{objects})"), &edits, Renaming::None).expect("a text");
    assert_eq!(
        edited,
        "(define\n(:init\n    (at a)\n    (at c)\n)\n(:objects\n    a - room\n    c - room\n)\n)"
    );
    let open = apply(
        &format!("(define\n(:objects\na - room)\n{facts})"),
        &edits,
        Renaming::None,
    );
    assert_eq!(open, Err(herbrand_edit::lines::LineError::NoSection(":objects")));
}
