//! Irrelevant atoms are removed from small problems.

use herbrand_ground::{AtomId, GroundOptions, GroundTask, KeptAtoms, ground};
use herbrand_pddl::{Domain, Problem};

/// Grounds a domain and problem, given by their sections, with relevant atoms only.
fn task(domain: &str, problem: &str) -> GroundTask {
    let domain = Domain::from_text(&format!(
        "(define (domain d) (:requirements :adl :derived-predicates :probabilistic-effects :numeric-fluents)
         {domain})"
    ));
    let domain = domain.unwrap_or_else(|faults| panic!("{faults}"));
    let problem = Problem::from_text(&format!("(define (problem p) (:domain d) {problem})"), &domain);
    let problem = problem.unwrap_or_else(|faults| panic!("{faults}"));
    let options = GroundOptions {
        atoms: KeptAtoms::Relevant,
        ..GroundOptions::default()
    };
    ground(&domain, &problem, &options).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the names of the atoms that are kept.
fn atoms(domain: &str, problem: &str) -> Vec<String> {
    let task = task(domain, problem);
    let ids = (0..task.atom_count()).map(AtomId::from_index);
    ids.map(|id| task.display_atom(id).to_string()).collect()
}

#[test]
fn an_atom_that_only_observations_show_is_left_out() {
    let text = task(
        "(:predicates (at ?x) (seen ?x) (been ?x) (far ?x))
         (:derived (far ?x) (been ?x))
         (:action go :parameters (?x ?y) :precondition (at ?x)
            :effect (and (at ?y) (not (at ?x)) (seen ?y) (not (seen ?x)) (been ?y)))",
        "(:objects a b) (:init (at a) (seen a) (been a)) (:goal (at b))",
    );
    insta::assert_snapshot!(text, @r"
    action (go a a)
      when (at a)
      add (at a)
    action (go a b)
      when (at a)
      delete (at a)
      add (at b)
    action (go b a)
      when (at b)
      delete (at b)
      add (at a)
    action (go b b)
      when (at b)
      add (at b)
    initial (at a)
      goal (at b)
    ");
}

#[test]
fn a_condition_counts_only_where_its_effect_matters() {
    let domain = "(:predicates (p) (q) (r) (s) (t) (u))
        (:action set :effect (and (q) (s) (t)))
        (:action a :effect (and (when (q) (r)) (when (r) (u)) (when (s) (when (t) (p)))))";
    // The effect on `u` is irrelevant, so `r` is irrelevant, and therefore `q` too.
    assert_eq!(atoms(domain, "(:init) (:goal (p))"), ["(p)", "(s)", "(t)"]);
    // Relevance propagates through a chain of conditions.
    assert_eq!(atoms(domain, "(:init) (:goal (u))"), ["(q)", "(r)", "(u)"]);
}

#[test]
fn conditions_of_draws_and_of_numbers_always_count() {
    let domain = "(:predicates (p) (q) (r) (s) (won)) (:functions (n))
        (:action set :effect (and (p) (q) (r)))
        (:action a :effect (and (when (p) (probabilistic 1/2 (s))) (when (q) (increase (n) 1)) (when (r) (s)) (won)))";
    assert_eq!(
        atoms(domain, "(:init (= (n) 0)) (:goal (won))"),
        ["(p)", "(q)", "(won)"]
    );
    let text = task(domain, "(:init (= (n) 0)) (:goal (won))").to_string();
    assert!(text.contains("draw\n") && text.contains("0.5\n"), "{text}");
}

#[test]
fn axioms_count_where_their_heads_do() {
    let domain = "(:predicates (p) (q) (r ?x) (near) (far) (on ?x))
        (:derived (near) (and (p) (not (far))))
        (:derived (far) (or (exists (?x) (and (r ?x) (q))) (p)))
        (:action set :parameters (?x) :effect (and (p) (q) (r ?x)))
        (:action a :parameters (?x) :effect (when (near) (on ?x)))";
    let kept = atoms(domain, "(:objects a b) (:init) (:goal (on a))");
    assert!(
        kept.iter().any(|atom| atom == "(far)") && kept.iter().any(|atom| atom == "(r b)"),
        "{kept:?}"
    );
    assert!(!kept.contains(&"(on b)".to_owned()), "{kept:?}");
    assert_eq!(atoms(domain, "(:objects a b) (:init) (:goal (p))"), ["(p)"]);
}
