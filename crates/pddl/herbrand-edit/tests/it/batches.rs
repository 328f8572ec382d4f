//! Tests of hand-written batches of edits.

use herbrand_edit::{Edit, EditCode, EditRules, Functional, PlanningModel, difference, schema};

const DOMAIN: &str = "
(define (domain house)
  (:requirements :adl :fluents)
  (:types room item - thing key - item)
  (:constants attic - room)
  (:predicates (at ?r - room) (door ?a ?b - room) (in ?i - item ?r - room) (seen ?t - thing) (open) (rich))
  (:functions (price ?i - item))
  (:derived (rich) (exists (?i - item) (> (price ?i) 3)))
  (:action go :parameters (?a ?b - room)
    :precondition (and (at ?a) (door ?a ?b) (not (at ?b)))
    :effect (and (at ?b) (not (at ?a)) (when (open) (seen ?b)))))";

const PROBLEM: &str = "
(define (problem look) (:domain house)
  (:objects kitchen loc1 loc10 - room lamp - item brass - key)
  (:init (at kitchen) (door kitchen loc1) (door loc1 loc10) (in lamp loc1) (in brass loc10) (seen kitchen)
         (= (price lamp) 2) (= (price brass) 2))
  (:goal (and (at loc10) (not (in lamp loc1)) (exists (?r - room) (seen ?r)))))";

fn model() -> PlanningModel {
    PlanningModel::from_text(DOMAIN, PROBLEM).unwrap_or_else(|faults| panic!("{faults}"))
}

fn rules() -> EditRules {
    let functional = |predicate: &str, keys: &[usize]| Functional {
        predicate: predicate.to_owned(),
        keys: keys.to_vec(),
    };
    EditRules {
        functional: vec![functional("at", &[]), functional("in", &[0])],
        monotone: vec!["seen".to_owned()],
    }
}

fn edits(json: &str) -> Vec<Edit> {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// Returns the facts of a model as text, in order.
fn facts(model: &PlanningModel) -> String {
    let text = model.problem_text();
    let (_, init) = text.split_once("(:init").expect("an initial state");
    let init = init.split_once("(:goal").map_or(init, |(init, _)| init);
    init.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check_codes(json: &str, expected: &[EditCode]) {
    let faults = model().apply(&edits(json), &rules()).expect_err("faults");
    assert_eq!(faults.codes().collect::<Vec<_>>(), expected, "{json}\n{faults}");
}

#[test]
fn renaming_takes_whole_names() {
    let edited = model()
        .apply(
            &edits(r#"[{"edit": "rename-object", "object": "loc1", "to": "Pantry"}]"#),
            &rules(),
        )
        .unwrap();
    assert!(
        facts(&edited).starts_with("(at kitchen) (door kitchen pantry) (door pantry loc10) (in lamp pantry)")
    );
    assert!(edited.problem_text().contains("(not (in lamp pantry))"));
}

#[test]
fn merging_says_of_one_what_was_said_of_both() {
    let edited = model()
        .apply(
            &edits(r#"[{"edit": "merge-object", "object": "loc10", "into": "attic"}]"#),
            &rules(),
        )
        .unwrap();
    assert!(
        facts(&edited).starts_with(
            "(at kitchen) (door kitchen loc1) (door loc1 attic) (in lamp loc1) (in brass attic)"
        )
    );
    assert!(
        edited.problem_text().contains("(at attic)"),
        "{}",
        edited.problem_text()
    );
    assert_eq!(
        edited.problem().objects.len(),
        model().problem().objects.len() - 1
    );
}

#[test]
fn merging_keeps_the_narrower_type() {
    let edited = model()
        .apply(
            &edits(r#"[{"edit": "merge-object", "object": "brass", "into": "lamp"}]"#),
            &EditRules::default(),
        )
        .unwrap();
    let lamp = edited
        .problem()
        .objects
        .iter()
        .find(|one| one.name.as_str() == "lamp")
        .unwrap();
    let types: Vec<_> = lamp
        .types
        .types()
        .iter()
        .map(|&id| edited.domain().type_of(id).name.as_str())
        .collect();
    assert_eq!(types, ["key"]);
    // Both objects have the same price. But the merged lamp is in two rooms, which the functional relation `in` forbids.
    assert_eq!(edited.problem().values.len(), 1);
    check_codes(
        r#"[{"edit": "merge-object", "object": "brass", "into": "lamp"}]"#,
        &[EditCode::Functional],
    );
}

#[test]
fn an_object_goes_with_all_that_names_it() {
    let edited = model()
        .apply(
            &edits(r#"[{"edit": "delete-object", "object": "lamp", "cascade": true}]"#),
            &rules(),
        )
        .unwrap();
    let text = edited.problem_text();
    assert!(!text.contains("lamp"), "{text}");
    assert!(text.contains("(exists (?r - room) (seen ?r))"), "{text}");
    check_codes(
        r#"[{"edit": "delete-object", "object": "lamp"}]"#,
        &[EditCode::UndeclaredObject],
    );
    check_codes(
        r#"[{"edit": "delete-object", "object": "kitchen", "cascade": true}]"#,
        &[EditCode::Monotone],
    );
    let goal = r#"[{"edit": "set-goal", "goal": "(or (at loc10) (open))"},
                   {"edit": "delete-object", "object": "loc10", "cascade": true}]"#;
    check_codes(goal, &[EditCode::NeededObject]);
    let alone = r#"[{"edit": "set-goal", "goal": "(at loc10)"},
                    {"edit": "delete-object", "object": "loc10", "cascade": true}]"#;
    check_codes(alone, &[EditCode::NeededObject]);
}

#[test]
fn a_replaced_fact_keeps_its_place() {
    let edited = model()
        .apply(
            &edits(r#"[{"edit": "replace-fact", "fact": "(at kitchen)", "with": "(at loc1)"}]"#),
            &rules(),
        )
        .unwrap();
    assert!(facts(&edited).starts_with("(at loc1) (door kitchen loc1)"));
}

#[test]
fn schemas_gain_and_lose_literals() {
    let batch = edits(
        r#"[{"edit": "add-literal", "schema": "go", "part": "precondition", "literal": "(open)"},
            {"edit": "delete-literal", "schema": "go", "part": "precondition", "literal": "(not (at ?b))"},
            {"edit": "add-literal", "schema": "go", "part": "effect", "literal": "(not (door ?a ?b))"},
            {"edit": "delete-literal", "schema": "go", "part": "effect", "literal": "(not (at ?a))"}]"#,
    );
    let edited = model().apply(&batch, &rules()).unwrap();
    let text = edited.domain_text();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains(":precondition (and (at ?a) (door ?a ?b) (open))"),
        "{text}"
    );
    assert!(
        text.contains("(when (open) (seen ?b)) (not (door ?a ?b)))"),
        "{text}"
    );
    // An action can now delete a door, so the predicate is no longer static.
    let door = edited.domain().find_predicate("door").unwrap();
    assert_eq!(
        edited.domain().predicate(door).kind,
        herbrand_pddl::PredicateKind::Fluent
    );
    let back = difference(&edited, &model()).expect("literals alone differ");
    assert_eq!(back.len(), 4);
    let restored = edited.apply(&back, &rules()).unwrap();
    assert_eq!(difference(&restored, &model()), Some(Vec::new()));
}

#[test]
fn each_fault_has_its_code() {
    use EditCode::*;
    for (json, code) in [
        (
            r#"[{"edit": "add-fact", "fact": "(at cellar)"}]"#,
            UndeclaredObject,
        ),
        (
            r#"[{"edit": "add-object", "object": "Lamp", "type": "item"}]"#,
            DuplicateObject,
        ),
        (
            r#"[{"edit": "rename-object", "object": "loc1", "to": "loc10"}]"#,
            DuplicateObject,
        ),
        (r#"[{"edit": "add-object", "object": "cellar"}]"#, UntypedObject),
        (
            r#"[{"edit": "rename-object", "object": "attic", "to": "loft"}]"#,
            Constant,
        ),
        (
            r#"[{"edit": "delete-object", "object": "attic", "cascade": true}]"#,
            Constant,
        ),
        (
            r#"[{"edit": "add-object", "object": "a b", "type": "room"}]"#,
            Name,
        ),
        (
            r#"[{"edit": "add-object", "object": "cellar", "type": "rom"}]"#,
            UnknownType,
        ),
        (
            r#"[{"edit": "add-fact", "fact": "(att kitchen)"}]"#,
            UnknownPredicate,
        ),
        (r#"[{"edit": "add-fact", "fact": "(rich)"}]"#, NotAFact),
        (r#"[{"edit": "add-fact", "fact": "(door kitchen)"}]"#, Arity),
        (r#"[{"edit": "add-fact", "fact": "(at lamp)"}]"#, Type),
        (
            r#"[{"edit": "merge-object", "object": "lamp", "into": "attic"}]"#,
            Type,
        ),
        (r#"[{"edit": "delete-fact", "fact": "(open)"}]"#, NotFound),
        (r#"[{"edit": "add-fact", "fact": "(at kitchen)"}]"#, DuplicateFact),
        (
            r#"[{"edit": "merge-object", "object": "loc1", "into": "loc1"}]"#,
            Contradiction,
        ),
        (r#"[{"edit": "add-fact", "fact": "(at loc1)"}]"#, Functional),
        (r#"[{"edit": "delete-fact", "fact": "(seen kitchen)"}]"#, Monotone),
        (r#"[{"edit": "set-goal", "goal": "(at cellar)"}]"#, Pddl),
        (
            r#"[{"edit": "set-goal", "goal": "(at loc1)) (:metric minimize (price lamp)"}]"#,
            Pddl,
        ),
        (
            r#"[{"edit": "add-literal", "schema": "run", "part": "effect", "literal": "(open)"}]"#,
            UnknownSchema,
        ),
        (
            r#"[{"edit": "add-literal", "schema": "go", "part": "effect", "literal": "(at ?c)"}]"#,
            UnknownVariable,
        ),
        (
            r#"[{"edit": "add-literal", "schema": "go", "part": "effect", "literal": "(seen lamp)"}]"#,
            UndeclaredObject,
        ),
        (
            r#"[{"edit": "add-literal", "schema": "go", "part": "effect", "literal": "(in ?a ?b)"}]"#,
            Type,
        ),
        (
            r#"[{"edit": "add-literal", "schema": "go", "part": "effect", "literal": "(not (at ?b))"}]"#,
            Contradiction,
        ),
        (
            r#"[{"edit": "add-literal", "schema": "go", "part": "effect", "literal": "(rich)"}]"#,
            Pddl,
        ),
        (
            r#"[{"edit": "delete-literal", "schema": "go", "part": "precondition", "literal": "(open)"}]"#,
            NotFound,
        ),
    ] {
        check_codes(json, &[code]);
    }
}

#[test]
fn all_faults_come_at_once_with_suggestions() {
    let batch = edits(
        r#"[{"edit": "add-fact", "fact": "(at kitchn)"}, {"edit": "add-fact", "fact": "(open)"},
            {"edit": "delete-fact", "fact": "(open)"}, {"edit": "add-fact", "fact": "(dor kitchen loc1)"}]"#,
    );
    let faults = model().apply(&batch, &rules()).unwrap_err();
    assert_eq!(
        faults.to_string(),
        "edit 1: undeclared-object: there is no object `kitchn`; did you mean `kitchen`?\n\
         edit 3: contradiction: `(open)` is added and deleted in one batch\n\
         edit 4: unknown-predicate: there is no predicate `dor`; did you mean `door`?"
    );
}

#[test]
fn a_function_may_change_its_value_in_one_batch() {
    let batch = [
        Edit::add_fact("(at loc1)").unwrap(),
        Edit::delete_fact("(at kitchen)").unwrap(),
    ];
    assert!(model().apply(&batch, &rules()).is_ok());
}

#[test]
fn the_form_in_json_is_that_of_the_schema() {
    let form = schema(model().domain());
    let kinds = form["items"]["oneOf"].as_array().expect("kinds");
    let batch = edits(
        r#"[{"edit": "add-fact", "fact": "(open)"}, {"edit": "delete-fact", "fact": "(open)"},
            {"edit": "replace-fact", "fact": "(open)", "with": "(open)"}, {"edit": "add-object", "object": "x", "type": "room"},
            {"edit": "rename-object", "object": "x", "to": "y"}, {"edit": "merge-object", "object": "x", "into": "y"},
            {"edit": "delete-object", "object": "x", "cascade": true}, {"edit": "set-goal", "goal": "(open)"},
            {"edit": "add-literal", "schema": "go", "part": "effect", "literal": "(open)"},
            {"edit": "delete-literal", "schema": "go", "part": "effect", "literal": "(open)"}]"#,
    );
    assert_eq!(kinds.len(), batch.len());
    for (kind, edit) in kinds.iter().zip(&batch) {
        let json = serde_json::to_value(edit).expect("JSON");
        let given: Vec<_> = json.as_object().expect("an object").keys().collect();
        let named: Vec<_> = kind["properties"]
            .as_object()
            .expect("an object")
            .keys()
            .collect();
        assert_eq!(given, named);
        assert_eq!(json["edit"], kind["properties"]["edit"]["const"]);
        assert_eq!(serde_json::from_value::<Edit>(json).expect("an edit"), *edit);
    }
    assert!(serde_json::from_str::<Edit>(r#"{"edit": "add-fact", "fact": "(open)", "because": 1}"#).is_err());
}
