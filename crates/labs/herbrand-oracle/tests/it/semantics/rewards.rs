//! Tests of initial states and rewards.

use herbrand_oracle::Oracle;

use super::{models, text};

#[test]
fn chance_decides_about_initial_states() {
    let (domain, problem) = models(
        "(define (domain cases) (:requirements :probabilistic-effects :fluents) (:predicates (a) (b)) (:functions (f)))",
        "(define (problem one) (:domain cases)
            (:init (a) (= (f) 1) (probabilistic 0.5 (b)) (probabilistic 0.25 (and (b) (= (f) 2)) 0.75 (b))))",
    );
    let oracle = Oracle::new(&domain, &problem).expect("stratified");
    let states = oracle.initial_states().expect("no conflict");
    let texts: Vec<_> = states
        .iter()
        .map(|(p, state)| format!("{p} {}", text(&oracle, state)))
        .collect();
    assert_eq!(texts, ["0.75 (a) (b) (f)=1", "0.25 (a) (b) (f)=2"]);
}

/// Returns the probabilities and rewards of the outcomes of a problem's only action.
fn rewards(functions: &str, effect: &str, parts: &str) -> Vec<(f64, f64)> {
    let (domain, problem) = models(
        &format!(
            "(define (domain cases) (:requirements :adl :probabilistic-effects {functions}) (:predicates (a) (b))
                (:action act :effect {effect}))"
        ),
        &format!("(define (problem one) (:domain cases) (:init) {parts})"),
    );
    let oracle = Oracle::new(&domain, &problem).expect("stratified");
    let (_, state) = oracle.initial_states().expect("no chance").swap_remove(0);
    let action = oracle.valid_actions(&state).swap_remove(0);
    let outcomes = oracle.outcomes(&state, &action).expect("no fault");
    outcomes
        .into_iter()
        .map(|outcome| (outcome.probability, outcome.reward))
        .collect()
}

#[test]
fn rewards_are_changes_of_reward_and_the_goal() {
    assert_eq!(rewards("", "(a)", "(:goal (a))"), [(1.0, 1.0)]);
    assert_eq!(rewards("", "(a)", "(:goal (b))"), [(1.0, 0.0)]);
    assert_eq!(rewards("", "(a)", ""), [(1.0, 0.0)]);
    assert_eq!(rewards(":rewards", "(a)", "(:goal (a))"), [(1.0, 0.0)]);
    assert_eq!(
        rewards(":rewards", "(and (a) (increase (reward) 2))", "(:goal (a))"),
        [(1.0, 2.0)]
    );
    assert_eq!(
        rewards(
            ":rewards",
            "(and (a) (decrease (reward) 2))",
            "(:goal (a)) (:goal-reward 10)"
        ),
        [(1.0, 8.0)]
    );
    assert_eq!(
        rewards("", "(and (a) (increase (reward) 2))", "(:goal (a))"),
        [(1.0, 1.0)]
    );
    assert_eq!(rewards(":rewards", "(a)", "(:goal (not (b)))"), [(1.0, 0.0)]);
    assert_eq!(
        rewards("", "(a)", "(:goal (not (b)))"),
        [(1.0, 0.0)],
        "it is not entered"
    );
    let drawn = "(probabilistic 0.25 (increase (reward) 1) 0.75 (decrease (reward) 1))";
    assert_eq!(
        rewards(":rewards", drawn, "(:goal (a))"),
        [(0.75, -1.0), (0.25, 1.0)]
    );
}
