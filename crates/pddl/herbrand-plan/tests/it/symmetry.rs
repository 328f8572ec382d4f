//! State spaces with costs up to symmetry, against whole ones.

use herbrand_core::{Random, uniform_below};
use herbrand_limits::Budget;
use herbrand_plan::state_space;
use herbrand_step::{Simulator, SpaceOptions, StateSpace};
use proptest::prelude::*;

use crate::simulator;

fn explored(simulator: &Simulator, symmetry: bool) -> StateSpace {
    let options = SpaceOptions {
        states: 3_000,
        symmetry,
        ..SpaceOptions::default()
    };
    state_space(simulator, &options, &Budget::unlimited()).unwrap()
}

/// The names of the interchangeable objects, in groups.
fn groups(simulator: &Simulator) -> Vec<Vec<String>> {
    let space = explored(simulator, true);
    let name = |&object| simulator.task().vocabulary.object(object).to_owned();
    let groups = space.symmetry.as_ref().unwrap().groups().iter();
    groups.map(|group| group.iter().map(name).collect()).collect()
}

/// Compares the distances and costs of the kept states with those in the whole space. Returns the numbers of states.
fn check(simulator: &Simulator) -> (usize, usize) {
    let (whole, space) = (explored(simulator, false), explored(simulator, true));
    assert!(whole.graph.is_complete());
    let [found, expected] = [&space, &whole].map(|space| space.graph.analyse(&Budget::unlimited()).unwrap());
    for number in 0..space.len() {
        let state = space.state(number).unwrap();
        let same = whole.number(&state).expect("states are reachable");
        let shown = state.display(simulator.task()).to_string();
        assert_eq!(space.graph.goals[number], whole.graph.goals[same], "{shown}");
        assert_eq!(found.goal_steps[number], expected.goal_steps[same], "{shown}");
        assert_eq!(
            found.goal_costs.get(number),
            expected.goal_costs.get(same),
            "{shown}"
        );
        assert_eq!(found.dead_ends[number], expected.dead_ends[same], "{shown}");
    }
    (space.len(), whole.len())
}

/// A random task over three things that may differ in everything that a task reads.
fn random(seed: u64) -> Simulator {
    let mut random = Random::new(seed);
    let mut below = |bound: u32| uniform_below(&mut random, bound) as usize;
    let extras = [
        "",
        "(increase (total-cost) (price ?x))",
        "(increase (total-cost) (* 2 (price ?x)))",
        "(when (mark ?x) (increase (total-cost) (price ?x)))",
        "(probabilistic 1/2 (increase (total-cost) (price ?x)))",
        "(increase (reward) (price ?x))",
        "(increase (level) 1)",
        "(increase (used ?x) 1)",
        "(probabilistic 1/2 (free))",
        "(when (= ?x a) (mark ?x))",
    ];
    let conditions = [
        "",
        "(< (level) 2)",
        "(ready ?x)",
        "(not (mark c))",
        "(<= (price ?x) 1)",
    ];
    let mut actions = String::new();
    for (name, needs, effects) in [
        ("start", "(free)", "(not (free)) (on ?x)"),
        ("finish", "(on ?x)", "(done) (not (on ?x))"),
        ("paint", "(ready ?x)", "(mark ?x)"),
    ] {
        let (condition, extra) = (conditions[below(5)], extras[below(10)]);
        let other = extras[below(6)];
        actions += &format!(
            "(:action {name} :parameters (?x) :precondition (and {needs} {condition}) :effect (and {effects} {extra} {other}))"
        );
    }
    let domain = format!(
        "(define (domain things) (:requirements :adl :derived-predicates :numeric-fluents :probabilistic-effects :rewards)
         (:constants a c) (:predicates (free) (on ?x) (done) (mark ?x) (ready ?x))
         (:functions (total-cost) (level) (price ?x) (used ?x))
         (:derived (ready ?x) (or (on ?x) (mark ?x))) {actions})"
    );
    let prices = [0; 3].map(|_| below(2) + 1);
    let mark = ["", "(mark a)", "(mark b)"][below(3)];
    let goal = ["(done)", "(and (done) (mark a))", "(forall (?x) (mark ?x))"][below(3)];
    let metric = [
        "minimize (total-cost)",
        "minimize (+ (* 3 (total-cost)) (total-time))",
        "maximize (total-cost)",
        "minimize (+ (total-cost) (level))",
    ][below(4)];
    let problem = format!(
        "(define (problem p) (:domain things) (:objects b) (:init (free) {mark} (= (total-cost) 0) (= (level) 0)
          (= (price a) {}) (= (price b) {}) (= (price c) {}) (= (used a) 0) (= (used b) 0) (= (used c) 0))
          (:goal {goal}) (:metric {metric}))",
        prices[0], prices[1], prices[2]
    );
    simulator(&domain, &problem)
}

/// Whether a space is finite: nothing is counted for ever.
fn is_finite(simulator: &Simulator) -> bool {
    explored(simulator, false).graph.is_complete()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn costs_to_the_goal_stay_as_they_are(seed: u64) {
        let simulator = random(seed);
        if is_finite(&simulator) {
            check(&simulator);
        }
    }
}

#[test]
fn many_random_spaces_are_smaller_up_to_symmetry() {
    let all = (0..200)
        .map(random)
        .filter(is_finite)
        .map(|simulator| check(&simulator));
    let (mut smaller, mut count) = (0, 0);
    for (kept, whole) in all {
        smaller += usize::from(kept < whole);
        count += 1;
    }
    assert!(smaller > 20 && count > 60, "{smaller} of {count}");
}

#[test]
fn objects_with_other_costs_or_rewards_are_not_interchangeable() {
    let task = |effect: &str, condition: &str| {
        simulator(
            &format!(
                "(define (domain d) (:requirements :adl :numeric-fluents :rewards) (:predicates (free) (on ?x) (done))
                (:functions (total-cost) (wear) (c ?x))
                (:action start :parameters (?x) :precondition (and (free) {condition}) :effect (and (not (free)) (on ?x)))
                (:action finish :parameters (?x) :precondition (on ?x) :effect (and (done) (not (on ?x)) {effect})))"
            ),
            "(define (problem p) (:domain d) (:objects a b) (:init (free) (= (total-cost) 0) (= (wear) 0) (= (c a) 9) (= (c b) 1))
              (:goal (done)) (:metric minimize (total-cost)))",
        )
    };
    for (effect, condition, together) in [
        ("", "", true),
        ("(increase (total-cost) 3)", "", true),
        ("(increase (total-cost) (c ?x))", "", false),
        ("(increase (reward) (c ?x))", "", false),
        ("(increase (total-cost) (c ?x))", "(> (c ?x) 0)", false),
        // Nothing reads this number.
        ("(increase (wear) (c ?x))", "", true),
        ("", "(> (c ?x) 5)", false),
    ] {
        let simulator = task(effect, condition);
        let expected: &[&[&str]] = if together { &[&["a", "b"]] } else { &[] };
        assert_eq!(groups(&simulator), expected, "{effect} {condition}");
        check(&simulator);
    }
    let space = explored(&task("(increase (total-cost) (c ?x))", ""), true);
    let analysis = space.graph.analyse(&Budget::unlimited()).unwrap();
    assert_eq!(analysis.goal_costs[0], 1.0);
}
