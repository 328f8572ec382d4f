//! Small problems and their ground tasks.

use herbrand_ground::{GroundOptions, GroundTask, ground};
use herbrand_pddl::{Domain, Problem};

/// Grounds a domain and problem, given by their sections, and formats the task.
fn task(domain: &str, problem: &str) -> String {
    grounded(domain, problem).to_string()
}

/// The ground task of a domain and problem given by their sections.
fn grounded(domain: &str, problem: &str) -> GroundTask {
    let domain = Domain::from_text(&format!(
        "(define (domain d) (:requirements :adl :derived-predicates :probabilistic-effects :numeric-fluents)
         {domain})"
    ));
    let domain = domain.unwrap_or_else(|faults| panic!("{faults}"));
    let problem = Problem::from_text(&format!("(define (problem p) (:domain d) {problem})"), &domain);
    let problem = problem.unwrap_or_else(|faults| panic!("{faults}"));
    ground(&domain, &problem, &GroundOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn static_atoms_types_and_equalities_are_decided() {
    let text = task(
        "(:types thing place) (:predicates (road ?a ?b - place) (at ?x - thing ?p - place))
         (:action go :parameters (?x - thing ?a ?b - place)
            :precondition (and (at ?x ?a) (road ?a ?b) (not (= ?a ?b)) (not (road ?b ?a)))
            :effect (and (at ?x ?b) (not (at ?x ?a))))",
        "(:objects t - thing p q r - place) (:init (at t p) (road p q) (road q p) (road q q) (road p r)) (:goal (at t r))",
    );
    insta::assert_snapshot!(text, @r"
    action (go t p r)
      when (at t p)
      delete (at t p)
      add (at t r)
    initial (at t p)
      goal (at t r)
    ");
}

#[test]
fn a_universal_condition_becomes_a_conjunction() {
    let text = task(
        "(:predicates (b ?x) (on ?x ?y) (held ?x))
         (:action pick :parameters (?x)
            :precondition (and (b ?x) (forall (?y) (not (on ?y ?x))))
            :effect (and (held ?x) (forall (?y) (not (on ?x ?y)))))
         (:action put :parameters (?x ?y) :precondition (and (held ?x) (b ?y)) :effect (and (on ?x ?y) (not (held ?x))))",
        "(:objects u v) (:init (b u) (on v u)) (:goal (held u))",
    );
    insta::assert_snapshot!(text);
}

#[test]
fn disjuncts_and_witnesses_are_conjunctions_of_one_action() {
    let text = task(
        "(:predicates (p ?x) (q ?x ?y) (done))
         (:action a :parameters (?x) :precondition (or (p ?x) (exists (?y) (q ?x ?y))) :effect (and (done) (not (p ?x))))
         (:action b :parameters (?x ?y) :precondition (p ?x) :effect (q ?x ?y))",
        "(:objects u v) (:init (p u)) (:goal (done))",
    );
    insta::assert_snapshot!(text);
}

#[test]
fn derived_predicates_of_static_ones_are_decided_and_others_are_axioms() {
    let text = task(
        "(:predicates (road ?a ?b) (reach ?a ?b) (lit ?a) (dark ?a) (seen ?a))
         (:derived (reach ?a ?b) (or (road ?a ?b) (exists (?c) (and (road ?a ?c) (reach ?c ?b)))))
         (:derived (dark ?a) (and (reach ?a ?a) (not (lit ?a))))
         (:action light :parameters (?a ?b) :precondition (and (reach ?a ?b) (dark ?a)) :effect (lit ?a))",
        "(:objects x y z) (:init (road x y) (road y x) (road y z)) (:goal (not (dark x)))",
    );
    insta::assert_snapshot!(text);
}

/// Each level holds where the level below does not, so it has a stratum above it.
#[test]
fn every_negation_of_a_negation_has_a_stratum_of_its_own() {
    for levels in 1..7 {
        let mut domain = "(:predicates (level0 ?x)".to_owned();
        for level in 1..=levels {
            domain += &format!(" (level{level} ?x)");
        }
        domain += ") (:action flip :parameters (?x)
            :effect (and (when (level0 ?x) (not (level0 ?x))) (when (not (level0 ?x)) (level0 ?x))))";
        for level in (1..=levels).rev() {
            domain += &format!(" (:derived (level{level} ?x) (not (level{} ?x)))", level - 1);
        }
        let problem = format!("(:objects a b) (:init (level0 a)) (:goal (level{levels} a))");
        let task = grounded(&domain, &problem);
        assert_eq!(task.check(), Ok(()), "{levels} levels");
        let heads: Vec<Vec<String>> = task
            .strata()
            .map(|axioms| {
                axioms
                    .iter()
                    .map(|axiom| task.display_atom(axiom.head).to_string())
                    .collect()
            })
            .collect();
        let level = |level: usize| {
            ["a", "b"]
                .map(|object| format!("(level{level} {object})"))
                .to_vec()
        };
        assert_eq!(heads, (1..=levels).map(level).collect::<Vec<_>>());
    }
}

#[test]
fn conditional_universal_and_nested_chance_make_a_tree() {
    let text = task(
        "(:predicates (p ?x) (q ?x) (s))
         (:action a :effect (and
            (forall (?x) (when (p ?x) (and (not (p ?x)) (q ?x))))
            (probabilistic 1/4 (and (s) (probabilistic 1/2 (when (q ?x) (not (s)))))  0 (q ?x))))
         (:action b :parameters (?x) :effect (p ?x))"
            .replace(":action a :effect", ":action a :parameters (?x) :effect")
            .as_str(),
        "(:objects u) (:init) (:goal (s))",
    );
    insta::assert_snapshot!(text);
}

#[test]
fn numbers_are_folded_and_counters_stay_out_of_the_state() {
    let text = task(
        "(:predicates (at ?x)) (:functions (d ?x ?y) (fuel) (total-cost))
         (:action go :parameters (?x ?y)
            :precondition (and (at ?x) (not (= ?x ?y)) (>= (fuel) (* 2 (d ?x ?y))))
            :effect (and (at ?y) (not (at ?x)) (decrease (fuel) (d ?x ?y)) (increase (total-cost) 1)))",
        "(:objects u v) (:init (at u) (= (d u v) 3) (= (fuel) 10)) (:goal (and (at v) (< (fuel) 8)))
         (:metric minimize (total-cost))",
    );
    insta::assert_snapshot!(text);
}

#[test]
fn chance_at_the_start_is_a_block_of_draws() {
    let text = task(
        "(:predicates (wet) (dry) (ok)) (:action look :precondition (wet) :effect (ok))",
        "(:init (dry) (probabilistic 1/3 (wet) 1/2 (and (wet) (ok)))) (:goal (ok))",
    );
    insta::assert_snapshot!(text);
}

#[test]
fn a_goal_that_holds_already_and_one_that_never_can() {
    insta::assert_snapshot!(task("(:predicates (p))", "(:init (p)) (:goal (p))"), @r"
    initial
      goal
    ");
    insta::assert_snapshot!(task("(:predicates (p))", "(:init) (:goal (p))"), @r"
    initial
      goal never
    ");
}

#[test]
fn a_problem_of_another_domain_is_refused() {
    let read = |text| Domain::from_text(text).unwrap_or_else(|faults| panic!("{faults}"));
    let one = read("(define (domain d) (:predicates (p)))");
    let other = read("(define (domain d) (:predicates (q)))");
    let problem =
        Problem::from_text("(define (problem x) (:domain d) (:init (p)) (:goal (p)))", &one).unwrap();
    let error = ground(&other, &problem, &GroundOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "problem `x` was checked against another domain than `d`"
    );
}
