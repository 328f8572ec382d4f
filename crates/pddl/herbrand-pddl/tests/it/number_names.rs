//! Objects whose names are numbers, against objects with other names.

use herbrand_pddl::{Code, Domain, Formula, Problem, read};
use herbrand_pddl::{ReadOptions, Source};

const DOMAIN: &str = "(define (domain digits) (:requirements :adl :typing :numeric-fluents) (:types num big - object)
  (:constants @1 @01 @2 - num @30 - big) (:predicates (at ?n - (either num big)) (ok)) (:functions (f) (g ?n - num))
  (:derived (ok) (exists (?x - num) (and (at ?x) (= @2 ?x))))
  (:action a :parameters (?x ?y - num)
    :precondition (and (at ?x) (= ?x @2) (not (= @1 @01)) (or (= @30 ?y) (= @1 @1)) (> (f) 2) (= (f) 2) (= (g @1) 1))
    :effect (and (at @01) (not (at @1)) (when (= ?y @01) (at ?y)) (increase (g @2) 2) (assign (f) 30))))";

const PROBLEM: &str = "(define (problem one) (:domain digits) (:objects @7 @007 - num)
  (:init (at @2) (at @007) (= @7 @7) (= (f) 2) (= (g @1) 1))
  (:goal (and (at @7) (not (= @7 @007)) (= @2 @2) (exists (?x - num) (= ?x @007)))))";

/// Writes the names of objects as numbers, or as words.
fn texts(is_number: bool) -> [String; 2] {
    let name = |text: &str| text.replace('@', if is_number { "" } else { "n" });
    [DOMAIN, PROBLEM].map(name)
}

#[test]
fn numbers_are_names_like_others() {
    let models = [true, false].map(|is_number| {
        let [domain, problem] = texts(is_number);
        let domain = Domain::from_text(&domain).unwrap_or_else(|faults| panic!("{faults}"));
        let problem = Problem::from_text(&problem, &domain).unwrap_or_else(|faults| panic!("{faults}"));
        (domain, problem)
    });
    let [(domain, problem), (words, problem_of_words)] = &models;
    assert_eq!(domain.schemas[0].precondition, words.schemas[0].precondition);
    assert_eq!(domain.schemas[0].effect, words.schemas[0].effect);
    assert_eq!(domain.axioms, words.axioms);
    assert_eq!(problem.goal, problem_of_words.goal);
    assert_eq!(
        (&problem.init, &problem.values),
        (&problem_of_words.init, &problem_of_words.values)
    );
    // Printed texts mean the same.
    let again = Domain::from_text(&domain.to_pddl()).unwrap();
    assert_eq!(&again, domain);
    assert_eq!(
        &Problem::from_text(&problem.to_pddl(&again), &again).unwrap(),
        problem
    );
}

#[test]
fn mentions_of_numbers_are_those_of_names() {
    let roles = |is_number: bool| {
        texts(is_number).map(|text| {
            let mentions = read(&Source::new("text", &text), &ReadOptions::default()).mentions();
            mentions
                .iter()
                .map(|one| (one.kind, one.role))
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(roles(true), roles(false));
}

/// Numbers that name no object stay numbers.
#[test]
fn other_numbers_are_compared_as_numbers() {
    let precondition = |formula: &str| {
        let text = format!(
            "(define (domain d) (:requirements :adl :numeric-fluents) (:constants 1) (:predicates (p)) (:functions (f) (2))
              (:action a :parameters (?x) :precondition {formula} :effect (p)))"
        );
        Domain::from_text(&text).map(|domain| domain.schemas[0].precondition.clone())
    };
    for formula in [
        "(= 3 03)",
        "(= 1 2)",
        "(= 1.0 1)",
        "(= f 1)",
        "(= (f) 1)",
        "(< 1 1)",
    ] {
        assert!(
            matches!(precondition(formula), Ok(Formula::Compare(..))),
            "{formula}"
        );
    }
    for formula in ["(= 1 1)", "(= ?x 1)"] {
        assert!(
            matches!(precondition(formula), Ok(Formula::Equal(..))),
            "{formula}"
        );
    }
    let faults = precondition("(= ?x 3)").unwrap_err();
    assert_eq!(faults.diagnostics()[0].code(), Code::NumberExpected);
}
