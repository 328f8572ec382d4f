//! Inputs that the learners reject, and their error messages.

use std::time::Duration;

use herbrand_env::{ActionMode, Domain, Problem, Registry, Suite};
use herbrand_learn::{
    Exploration, FoldtOptions, LearnError, OmissionReason, explore, learn_foldt, learn_safe,
};
use herbrand_limits::{Budget, BudgetExhausted, Limits};

fn suite(domain: &str, problem: &str) -> Suite {
    let domain = Domain::from_text(domain).unwrap();
    let problem = Problem::from_text(problem, &domain).unwrap();
    Suite::from_problems(domain, [problem], ActionMode::Operators).unwrap()
}

/// Returns a switch that lights the lamps of its room if there is current.
fn lamps() -> Suite {
    suite(
        "(define (domain lamps) (:requirements :adl) (:types lamp)
           (:predicates (lit ?l - lamp) (current) (blue ?l - lamp))
           (:action current-on :effect (current))
           (:action current-off :effect (not (current)))
           (:action all-off :effect (forall (?l - lamp) (not (lit ?l))))
           (:action light :parameters (?l - lamp) :effect (when (current) (lit ?l)))
           (:action light-blue :effect (forall (?l - lamp) (when (and (blue ?l) (current)) (lit ?l)))))",
        "(define (problem p) (:domain lamps) (:objects a b c d - lamp) (:init (blue a) (blue c)) (:goal (lit a)))",
    )
}

#[test]
fn conditional_and_quantified_effects_are_refused_by_the_safe_learner() {
    let budget = Budget::unlimited();
    let seen = explore(&lamps(), &Exploration::default(), &budget).unwrap();
    let error = learn_safe(&seen, &budget).unwrap_err();
    assert!(
        matches!(&error, LearnError::Hidden { operator, .. } if operator == "all-off"),
        "{error}"
    );
    let only_light = suite(
        "(define (domain one) (:requirements :adl) (:types lamp) (:predicates (lit ?l - lamp) (current))
           (:action turn :effect (and (when (current) (not (current))) (when (not (current)) (current))))
           (:action light :parameters (?l - lamp) :effect (when (current) (lit ?l))))",
        "(define (problem p) (:domain one) (:objects a b c d e f - lamp) (:init) (:goal (lit a)))",
    );
    let seen = explore(&only_light, &Exploration::default(), &budget).unwrap();
    let error = learn_safe(&seen, &budget).unwrap_err();
    assert!(matches!(error, LearnError::Conditional { .. }), "{error}");
}

#[test]
fn trees_learn_conditional_and_quantified_effects() {
    let budget = Budget::unlimited();
    let seen = explore(&lamps(), &Exploration::default(), &budget).unwrap();
    let learned = learn_foldt(&seen, &FoldtOptions::default(), &budget).unwrap();
    let options = Exploration {
        seed: 9,
        ..Exploration::default()
    };
    let unseen = explore(&lamps(), &options, &budget).unwrap();
    let prediction = learned.predict(&unseen, &budget).unwrap();
    assert_eq!(prediction.wrong, 0, "{}", learned.to_pddl().unwrap());
}

#[test]
fn hidden_parameters_are_refused_by_the_safe_learner() {
    let budget = Budget::unlimited();
    let seen = explore(&Registry::get("ferry").unwrap(), &Exploration::default(), &budget).unwrap();
    let error = learn_safe(&seen, &budget).unwrap_err();
    assert!(matches!(error, LearnError::Hidden { .. }), "{error}");
}

#[test]
fn numbers_in_states_are_refused() {
    let counter = suite(
        "(define (domain n) (:requirements :fluents) (:predicates (done)) (:functions (count))
           (:action more :precondition (< (count) 3) :effect (increase (count) 1)))",
        "(define (problem p) (:domain n) (:init (= (count) 0)) (:goal (done)))",
    );
    let error = explore(&counter, &Exploration::default(), &Budget::unlimited()).unwrap_err();
    assert!(matches!(error, LearnError::Numbers { .. }), "{error}");
}

#[test]
fn what_was_never_seen_is_left_out() {
    let budget = Budget::unlimited();
    let none = Exploration {
        episodes: 0,
        ..Exploration::default()
    };
    let seen = explore(&lamps(), &none, &budget).unwrap();
    for learned in [
        learn_safe(&seen, &budget).unwrap(),
        learn_foldt(&seen, &FoldtOptions::default(), &budget).unwrap(),
    ] {
        assert!(learned.domain().schemas.is_empty());
        assert!(
            learned
                .omitted()
                .iter()
                .all(|omission| omission.reason == OmissionReason::NeverSeen)
        );
        learned.to_pddl().unwrap();
    }
}

#[test]
fn a_spent_budget_is_an_error() {
    let budget = Budget::unlimited();
    let seen = explore(&lamps(), &Exploration::default(), &budget).unwrap();
    let exhausted = Budget::new(Limits {
        bytes: None,
        time: Some(Duration::ZERO),
    });
    let error = learn_foldt(&seen, &FoldtOptions::default(), &exhausted).unwrap_err();
    assert!(matches!(error, LearnError::BudgetExhausted(_)), "{error}");
    let error = explore(&lamps(), &Exploration::default(), &exhausted).unwrap_err();
    assert!(matches!(error, LearnError::BudgetExhausted(_)), "{error}");
}

#[test]
fn little_memory_is_an_error() {
    let budget = Budget::unlimited();
    let seen = explore(&lamps(), &Exploration::default(), &budget).unwrap();
    let small = Budget::new(Limits {
        bytes: Some(1 << 10),
        time: None,
    });
    let error = learn_foldt(&seen, &FoldtOptions::default(), &small).unwrap_err();
    assert!(
        matches!(error, LearnError::BudgetExhausted(BudgetExhausted::Memory { .. })),
        "{error}"
    );
}
