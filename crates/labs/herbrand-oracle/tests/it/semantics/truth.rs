//! Tests of valid actions, types and derived predicates.

use herbrand_oracle::{Binding, Oracle};

use super::models;

/// Checks the valid actions in the initial state of a domain with these parts.
fn check_valid(types: &str, objects: &str, init: &str, actions: &str, expected: &[&str]) {
    let domain = format!(
        "(define (domain cases) (:requirements :adl :derived-predicates) (:types {types})
            (:predicates (p ?x) (q ?x ?y) (path ?x ?y) (apart ?x ?y))
            (:derived (path ?x ?y) (or (q ?x ?y) (exists (?z) (and (path ?x ?z) (q ?z ?y)))))
            (:derived (apart ?x ?y) (not (path ?x ?y)))
            {actions})"
    );
    let problem = format!("(define (problem one) (:domain cases) (:objects {objects}) (:init {init}))");
    let (domain, problem) = models(&domain, &problem);
    let oracle = Oracle::new(&domain, &problem).expect("stratified");
    let (_, state) = oracle.initial_states().expect("no chance").swap_remove(0);
    let valid = oracle.valid_actions(&state);
    assert_eq!(
        valid
            .iter()
            .map(|action| oracle.action_text(action))
            .collect::<Vec<_>>(),
        expected,
        "{actions}"
    );
    assert!(
        !oracle.is_goal(&state),
        "a problem without a goal has no goal states"
    );
}

#[test]
fn valid_actions_are_all_groundings_in_order() {
    let any = "(:action act :parameters (?x ?y))";
    check_valid(
        "t",
        "b a",
        "",
        any,
        &["(act b b)", "(act b a)", "(act a b)", "(act a a)"],
    );
    check_valid(
        "t",
        "a - t b",
        "",
        "(:action act :parameters (?x - t))",
        &["(act a)"],
    );
    check_valid("t", "b", "", "(:action act :parameters (?x ?y - t))", &[]);
    check_valid(
        "u - t t",
        "a - u b - t",
        "",
        "(:action act :parameters (?x - t))",
        &["(act a)", "(act b)"],
    );
    let two = "(:action z :precondition (exists (?x) (p ?x))) (:action y :precondition (forall (?x) (p ?x)))";
    check_valid("t", "a b", "(p a)", two, &["(z)"]);
    check_valid("t", "a b", "(p a) (p b)", two, &["(z)", "(y)"]);
}

#[test]
fn an_object_of_either_type_is_surely_of_neither() {
    let either = "(:action act :parameters (?x - (either t u)))";
    check_valid(
        "t u",
        "a - (either t u) b - t",
        "",
        either,
        &["(act a)", "(act b)"],
    );
    check_valid(
        "t u",
        "a - (either t u) b - t",
        "",
        "(:action act :parameters (?x - t))",
        &["(act b)"],
    );
}

#[test]
fn derived_predicates_are_least_fixpoints_by_strata() {
    let path = "(:action go :parameters (?x ?y) :precondition (path ?x ?y))";
    check_valid(
        "t",
        "a b c",
        "(q a b) (q b c)",
        path,
        &["(go a b)", "(go a c)", "(go b c)"],
    );
    check_valid(
        "t",
        "a b",
        "(q a b) (q b a)",
        path,
        &["(go a a)", "(go a b)", "(go b a)", "(go b b)"],
    );
    let apart = "(:action go :parameters (?x ?y) :precondition (apart ?x ?y))";
    check_valid(
        "t",
        "a b",
        "(q a b)",
        apart,
        &["(go a a)", "(go b a)", "(go b b)"],
    );
}

#[test]
fn recursion_through_forall_is_monotone() {
    let (domain, problem) = models(
        "(define (domain grounded) (:requirements :adl :derived-predicates) (:predicates (on ?x ?y) (firm ?x))
            (:derived (firm ?x) (forall (?y) (imply (on ?x ?y) (firm ?y)))))",
        "(define (problem one) (:domain grounded) (:objects a b c d e)
            (:init (on a b) (on b c) (on d e) (on e d)) (:goal (firm a)))",
    );
    let oracle = Oracle::new(&domain, &problem).expect("stratified");
    let (_, state) = oracle.initial_states().expect("no chance").swap_remove(0);
    let derived: Vec<_> = oracle
        .derived(&state)
        .iter()
        .map(|atom| oracle.atom_text(atom))
        .collect();
    assert_eq!(derived, ["(firm a)", "(firm b)", "(firm c)"]);
    let world = oracle.world(&state);
    assert!(
        oracle.is_goal(&state) && world.holds(&problem.goal, &mut Binding::new(&problem.goal_variables, &[]))
    );
}
