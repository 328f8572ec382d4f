//! Tests of the text of generated modules.

use std::collections::BTreeSet;

use herbrand_codegen::{CodegenError, Module};
use herbrand_pddl::Domain;

fn module(text: &str) -> String {
    let domain = Domain::from_text(text).expect("the domain is sound");
    Module::of(&domain).expect("it has a module").to_string()
}

/// Returns the lines of a program, from the line that ends with `first`.
fn program(module: &str, first: &str) -> String {
    let lines = module.lines().skip_while(|line| !line.ends_with(first));
    lines
        .take_while(|line| *line != "    }")
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_small_domain_is_readable_as_rust() {
    insta::assert_snapshot!(module(
        "(define (domain lamps) (:requirements :strips :negative-preconditions)
           (:predicates (lamp ?l) (on ?l))
           (:action turn-on :parameters (?l) :precondition (and (lamp ?l) (not (on ?l))) :effect (on ?l)))"
    ));
}

#[test]
fn there_is_a_program_per_stratum() {
    let supply = module(herbrand_domains::file("supply/domain.pddl").unwrap());
    let programs = ["Reachable1;", "Derived1;", "Derived2;", "Applicable;"];
    insta::assert_snapshot!(programs.map(|first| program(&supply, first)).join("\n\n"));
}

#[test]
fn comparisons_universals_in_recursion_and_constants_have_rules() {
    let text = module(
        "(define (domain game) (:requirements :adl :numeric-fluents :derived-predicates)
           (:types position) (:constants home - position)
           (:predicates (move ?p ?q - position) (lost ?p - position) (won ?p - position))
           (:functions (worth ?p - position) (limit))
           (:derived (won ?p - position) (exists (?q - position) (and (move ?p ?q) (lost ?q))))
           (:derived (lost ?p - position) (forall (?q - position) (or (= ?q home) (won ?q))))
           (:action go :parameters (?p ?q - position)
             :precondition (and (move ?p ?q) (> (/ (worth ?q) 2) (limit)) (not (< (worth ?p) (limit))))
             :effect (and (move ?q home) (assign (worth ?q) 0))))",
    );
    let (_, comparisons) = text.split_once("mod comparison {").unwrap();
    let (comparisons, _) = comparisons.split_once("\n}\n").unwrap();
    let programs = ["Reachable1;", "Derived1;", "Applicable;"].map(|first| program(&text, first));
    insta::assert_snapshot!(format!("{comparisons}\n\n{}", programs.join("\n\n")));
}

#[test]
fn every_bundled_domain_has_a_module_without_two_relations_of_one_name() {
    let domains = herbrand_domains::pddl().filter(|(path, _)| path.ends_with("/domain.pddl"));
    let mut count = 0;
    for (path, text) in domains {
        count += 1;
        let text = module(text);
        for program in text.split("ascent! {").skip(1) {
            let relations = program
                .lines()
                .filter_map(|line| line.trim().strip_prefix("relation "));
            let names: Vec<_> = relations.map(|line| line.split('(').next()).collect();
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{path}");
        }
        assert_eq!(
            text,
            module(herbrand_domains::file(path).unwrap()),
            "{path}: the same text again"
        );
    }
    assert!(count >= 30);
}

#[test]
fn all_that_is_too_wide_is_named() {
    let parameters: String = (0..13).map(|number| format!(" ?x{number}")).collect();
    let text = format!(
        "(define (domain wide) (:predicates (p{parameters}) (q ?x)) (:action a :parameters ({parameters})))"
    );
    let error = Module::of(&Domain::from_text(&text).unwrap()).unwrap_err();
    assert_eq!(
        error,
        CodegenError::TooManyColumns(vec![("p".to_owned(), 13), ("a".to_owned(), 13)])
    );
}
