//! Tests of effects: atoms, numbers and draws.

use herbrand_oracle::Oracle;
use herbrand_pddl::{Domain, Problem};

use super::{models, text};

/// Returns a task whose only action has the given effect. `r` is derived as `a` without `b`. There are two objects `i` and
/// `k` of type `t`, and none of type `none`.
fn with_effect(init: &str, effect: &str) -> (Domain, Problem) {
    let domain = format!(
        "(define (domain cases)
            (:requirements :adl :numeric-fluents :derived-predicates :probabilistic-effects)
            (:types t none)
            (:constants k - t)
            (:predicates (a) (b) (c) (p ?x - t) (q ?x ?y - t) (r))
            (:functions (f) (g ?x - t) (h))
            (:derived (r) (and (a) (not (b))))
            (:action act :effect {effect}))"
    );
    models(
        &domain,
        &format!("(define (problem one) (:domain cases) (:objects i - t) (:init {init}) (:goal (c)))"),
    )
}

/// Checks the outcomes of an effect: the successors with their probabilities, or the error.
fn check(init: &str, effect: &str, expected: Result<&[(f64, &str)], &str>) {
    let (domain, problem) = with_effect(init, effect);
    let oracle = Oracle::new(&domain, &problem).expect("stratified");
    let (_, state) = oracle.initial_states().expect("no chance").swap_remove(0);
    let action = oracle.valid_actions(&state).swap_remove(0);
    let outcomes = match (oracle.outcomes(&state, &action), expected) {
        (Ok(outcomes), Ok(expected)) => outcomes.into_iter().zip(expected.iter()).collect::<Vec<_>>(),
        (Err(error), Err(expected)) => return assert_eq!(error.to_string(), expected, "{effect}"),
        (found, expected) => panic!("{effect}: {found:?} and {expected:?}"),
    };
    assert_eq!(
        outcomes.len(),
        expected.expect("checked above").len(),
        "{effect}: {outcomes:?}"
    );
    for (outcome, (probability, successor)) in outcomes {
        assert_eq!(text(&oracle, &outcome.state), *successor, "{effect} from {init}");
        assert!(
            (outcome.probability - probability).abs() < 1e-12,
            "{effect}: {outcome:?}"
        );
    }
}

#[test]
fn deletes_go_before_adds_over_the_whole_action() {
    check("", "(and (a) (not (a)))", Ok(&[(1.0, "(a)")]));
    check("(a)", "(and (not (a)) (a))", Ok(&[(1.0, "(a)")]));
    check(
        "(a) (b)",
        "(and (when (a) (not (b))) (when (b) (not (a))))",
        Ok(&[(1.0, "")]),
    );
    check(
        "(a) (b)",
        "(and (when (a) (not (b))) (when (b) (b)))",
        Ok(&[(1.0, "(a) (b)")]),
    );
    check(
        "(p i) (p k)",
        "(and (p k) (forall (?x - t) (not (p ?x))))",
        Ok(&[(1.0, "(p k)")]),
    );
}

#[test]
fn an_add_drawn_by_one_effect_wins_over_a_delete_drawn_by_another() {
    let drawn = "(and (probabilistic 0.5 (not (a))) (probabilistic 0.25 (a)))";
    check("(a)", drawn, Ok(&[(0.375, ""), (0.625, "(a)")]));
    check("", drawn, Ok(&[(0.75, ""), (0.25, "(a)")]));
}

#[test]
fn conditions_read_the_state_and_the_derived_atoms_before() {
    check(
        "(a)",
        "(and (when (a) (b)) (when (b) (c)) (not (a)))",
        Ok(&[(1.0, "(b)")]),
    );
    check("(a)", "(and (b) (when (r) (c)))", Ok(&[(1.0, "(a) (b) (c)")]));
    check("(a) (b)", "(and (not (b)) (when (r) (c)))", Ok(&[(1.0, "(a)")]));
    check(
        "(= (f) 1) (= (h) 2)",
        "(and (assign (f) (h)) (assign (h) (f)))",
        Ok(&[(1.0, "(f)=2 (h)=1")]),
    );
}

#[test]
fn draws_are_independent_and_equal_successors_are_merged() {
    check(
        "",
        "(probabilistic 1/3 (a))",
        Ok(&[(2.0 / 3.0, ""), (1.0 / 3.0, "(a)")]),
    );
    check(
        "",
        "(and (probabilistic 0.5 (a)) (probabilistic 0.5 (a)))",
        Ok(&[(0.25, ""), (0.75, "(a)")]),
    );
    check("(a)", "(probabilistic 0.5 (a))", Ok(&[(1.0, "(a)")]));
    check(
        "",
        "(probabilistic 0.2 (and (a) (b)) 0.8 (a))",
        Ok(&[(0.8, "(a)"), (0.2, "(a) (b)")]),
    );
    check(
        "",
        "(forall (?x - t) (probabilistic 0.5 (p ?x)))",
        Ok(&[
            (0.25, ""),
            (0.25, "(p k)"),
            (0.25, "(p k) (p i)"),
            (0.25, "(p i)"),
        ]),
    );
    let nested = "(probabilistic 0.5 (and (a) (probabilistic 0.5 (b) 0.5 (c))) 0.25 (when (a) (b)))";
    check("", nested, Ok(&[(0.5, ""), (0.25, "(a) (b)"), (0.25, "(a) (c)")]));
}

#[test]
fn an_alternative_of_probability_zero_never_happens() {
    check("", "(probabilistic 0 (a) 1 (b))", Ok(&[(1.0, "(b)")]));
    check("", "(probabilistic 0 (increase (f) 1))", Ok(&[(1.0, "")]));
}

#[test]
fn quantifiers_over_no_object() {
    check("", "(when (forall (?x - none) (a)) (c))", Ok(&[(1.0, "(c)")]));
    check("", "(when (exists (?x - none) (not (a))) (c))", Ok(&[(1.0, "")]));
    check("", "(forall (?x - none) (c))", Ok(&[(1.0, "")]));
    check(
        "",
        "(when (forall (?x - none ?y - t) (a)) (c))",
        Ok(&[(1.0, "(c)")]),
    );
}

#[test]
fn variables_may_name_one_object() {
    check(
        "(q k k)",
        "(when (exists (?x ?y - t) (q ?x ?y)) (c))",
        Ok(&[(1.0, "(c) (q k k)")]),
    );
    check(
        "(q k k)",
        "(when (exists (?x ?y - t) (and (q ?x ?y) (not (= ?x ?y)))) (c))",
        Ok(&[(1.0, "(q k k)")]),
    );
    check(
        "(q k i)",
        "(when (exists (?x - t) (q ?x ?x)) (c))",
        Ok(&[(1.0, "(q k i)")]),
    );
    check(
        "(q i i)",
        "(forall (?x ?y - t) (when (and (q ?x ?y) (= ?x ?y)) (p ?y)))",
        Ok(&[(1.0, "(p i) (q i i)")]),
    );
}

#[test]
fn numeric_effects_add_up_or_multiply_or_agree() {
    check(
        "(= (f) 1)",
        "(and (increase (f) 1) (increase (f) 1) (decrease (f) 4))",
        Ok(&[(1.0, "(f)=-1")]),
    );
    check(
        "(= (f) 6)",
        "(and (scale-up (f) 2) (scale-down (f) 3))",
        Ok(&[(1.0, "(f)=4")]),
    );
    check(
        "",
        "(and (assign (f) 2) (assign (f) (+ 1 1)))",
        Ok(&[(1.0, "(f)=2")]),
    );
    check(
        "(= (f) 0)",
        "(forall (?x - t) (increase (f) 1))",
        Ok(&[(1.0, "(f)=2")]),
    );
    check(
        "(= (f) 0) (a) (b)",
        "(when (or (a) (b)) (increase (f) 1))",
        Ok(&[(1.0, "(a) (b) (f)=1")]),
    );
    check(
        "(= (f) 0) (p i) (p k)",
        "(when (exists (?x - t) (p ?x)) (increase (f) 1))",
        Ok(&[(1.0, "(p k) (p i) (f)=1")]),
    );
    check(
        "(= (f) 0)",
        "(probabilistic 0.5 (increase (f) 1) 0.5 (decrease (f) 1))",
        Ok(&[(0.5, "(f)=-1"), (0.5, "(f)=1")]),
    );
}

#[test]
fn numeric_effects_whose_order_counts_are_faults() {
    let conflict = Err("effects on (f) contradict each other");
    check("(= (f) 1)", "(and (assign (f) 1) (assign (f) 2))", conflict);
    check("(= (f) 1)", "(and (assign (f) 1) (increase (f) 0))", conflict);
    check("(= (f) 1)", "(and (increase (f) 1) (scale-up (f) 1))", conflict);
    check(
        "(= (f) 1)",
        "(and (assign (f) 1) (probabilistic 0.1 (assign (f) 2)))",
        conflict,
    );
    check(
        "(= (f) 1)",
        "(and (assign (f) 1) (probabilistic 0 (assign (f) 2)))",
        Ok(&[(1.0, "(f)=1")]),
    );
}

#[test]
fn effects_need_values() {
    let is_valid = |init: &str, effect: &str| {
        let (domain, problem) = with_effect(init, effect);
        let oracle = Oracle::new(&domain, &problem).expect("stratified");
        let (_, state) = oracle.initial_states().expect("no chance").swap_remove(0);
        !oracle.valid_actions(&state).is_empty()
    };
    assert!(!is_valid("", "(increase (f) 1)"));
    assert!(is_valid("", "(assign (f) 1)"));
    assert!(!is_valid("(= (f) 1)", "(increase (f) (h))"));
    assert!(!is_valid("(= (f) 1)", "(assign (f) (g k))"));
    assert!(!is_valid("", "(probabilistic 0.1 (increase (f) 1))"));
    assert!(is_valid("", "(probabilistic 0 (increase (f) 1))"));
    assert!(!is_valid("", "(when (not (a)) (increase (f) 1))"));
    check("", "(when (a) (increase (f) 1))", Ok(&[(1.0, "")]));
    let zero = Err("an effect on (f) divides by zero");
    check("(= (f) 1) (= (h) 0)", "(assign (f) (/ 1 (h)))", zero);
    check("(= (f) 1) (= (h) 0)", "(scale-down (f) (h))", zero);
    let far = "9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999";
    let effect = format!("(assign (f) (* {far} {far} {far} {far}))");
    check(
        "",
        &effect,
        Err("an effect on (f) goes beyond the range of 64-bit numbers"),
    );
}

#[test]
fn comparisons_without_a_value_are_false() {
    check("", "(when (< (f) 1) (c))", Ok(&[(1.0, "")]));
    check("", "(when (not (< (f) 1)) (c))", Ok(&[(1.0, "(c)")]));
    check("", "(when (= (f) (f)) (c))", Ok(&[(1.0, "")]));
    check(
        "(= (f) 0)",
        "(when (not (= (/ 1 (f)) 1)) (c))",
        Ok(&[(1.0, "(c) (f)=0")]),
    );
    check(
        "(= (f) 2)",
        "(when (and (<= (f) 2) (>= (- (f)) -2) (= (- 5 (f)) 3)) (c))",
        Ok(&[(1.0, "(c) (f)=2")]),
    );
}
