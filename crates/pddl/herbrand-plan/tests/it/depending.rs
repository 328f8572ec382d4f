//! Tests on tasks whose steps cost fractions that depend on numbers of the state.

use crate::exhaustive::{Exhaustive, cost_of};
use crate::{run, search_task, simulator};
use herbrand_limits::Budget;
use herbrand_plan::{PlannerKind, PolicyKind, PolicyOptions, ProbabilisticTask, SearchOutcome};
use herbrand_step::Simulator;
use proptest::prelude::*;

/// A way through four cities with these lengths in thousandths, with a load that scales the cost of each drive and that
/// can be put down for a toll in thousandths.
fn journey(lengths: &[u16], load: u8, toll: u16) -> Simulator {
    let domain = "(define (domain journey) (:requirements :numeric-fluents) (:predicates (at ?c) (road ?a ?b))
        (:functions (used) (load) (toll) (length ?a ?b))
        (:action drive :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b))
            :effect (and (not (at ?a)) (at ?b) (increase (used) (* (load) (length ?a ?b)))))
        (:action unload :precondition (>= (load) 1) :effect (and (decrease (load) 1) (increase (used) (toll)))))";
    let thousandths = |value: u16| format!("{}.{:03}", value / 1000, value % 1000);
    let cities = ["a", "b", "c", "d"];
    let pairs = cities.iter().flat_map(|from| {
        cities
            .iter()
            .filter(move |to| from != *to)
            .map(move |to| (from, to))
    });
    let roads: String = pairs
        .zip(lengths)
        .filter(|(_, length)| **length > 0)
        .map(|((from, to), &length)| {
            format!(
                "(road {from} {to}) (= (length {from} {to}) {})",
                thousandths(length)
            )
        })
        .collect();
    let problem = format!(
        "(define (problem p) (:domain journey) (:objects a b c d)
        (:init (at a) (= (used) 0) (= (load) {load}) (= (toll) {}) {roads}) (:goal (at d)) (:metric minimize (used)))",
        thousandths(toll)
    );
    simulator(domain, &problem)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Plans of A* and the anytime planner are cheapest, but not called optimal; the cost of every plan is what it adds to
    /// the metric.
    #[test]
    fn fractions_that_depend_on_the_state_count(
        lengths in prop::collection::vec(prop_oneof![Just(0), 1..2000_u16], 12),
        load in 1..4_u8,
        toll in 1..1500_u16,
    ) {
        let simulator = journey(&lengths, load, toll);
        let task = search_task(&simulator).unwrap();
        prop_assume!(!task.costs().is_exact());
        let all = Exhaustive::of(&task, 300).unwrap();
        let cheapest = all.distances()[0];
        prop_assume!(cheapest.is_finite());
        for kind in PlannerKind::ALL {
            let SearchOutcome::Plan(plan) = run(kind, &task, 0).outcome else {
                panic!("{kind} finds no plan");
            };
            prop_assert!(!plan.proven_optimal, "{kind}");
            let cost = cost_of(&task, &plan.steps).unwrap();
            prop_assert!((plan.cost - cost).abs() < 1e-6, "{kind}: {} for {cost}", plan.cost);
            if matches!(kind, PlannerKind::AStar(_) | PlannerKind::Anytime) {
                prop_assert!(cost < cheapest + 1e-6, "{kind}: {cost} for {cheapest}");
            }
        }
    }

    /// Policies have the least cost too. Roads lead forward, so that there are finitely many values of the metric.
    #[test]
    fn policies_count_fractions_that_depend_on_the_state(
        lengths in prop::collection::vec(1..2000_u16, 6),
        load in 1..4_u8,
        toll in 1..1500_u16,
    ) {
        let forward = [0, 1, 2, 4, 5, 8];
        let mut all = [0; 12];
        forward.iter().zip(&lengths).for_each(|(&road, &length)| all[road] = length);
        let simulator = journey(&all, load, toll);
        let task = search_task(&simulator).unwrap();
        prop_assume!(!task.costs().is_exact());
        let cheapest = Exhaustive::of(&task, 300).unwrap().distances()[0];
        let budget = Budget::unlimited();
        let task = ProbabilisticTask::from_initial(&simulator, &budget).unwrap();
        for kind in [PolicyKind::PolicyIteration, PolicyKind::Lao] {
            let policy = kind.policy(&task, &PolicyOptions::default(), &budget).unwrap();
            let value = policy.value().unwrap();
            prop_assert!(!value.optimal, "{kind}");
            let cost = value.cost.unwrap();
            prop_assert!((cost - cheapest).abs() < 1e-6, "{kind}: {cost} for {cheapest}");
        }
    }
}

/// A cost that depends on the state may be a million times the unit of another one.
#[test]
fn great_costs_that_depend_on_the_state_count() {
    let domain = "(define (domain jump) (:requirements :numeric-fluents) (:predicates (here) (mid) (there))
        (:functions (used) (weight))
        (:action far :precondition (here) :effect (and (there) (increase (used) (* 10 (weight)))))
        (:action near :precondition (here) :effect (and (mid) (increase (used) (* 4 (weight)))))
        (:action on :precondition (mid) :effect (and (there) (increase (used) (* 4 (weight)))))
        (:action shed :precondition (> (weight) 2000000) :effect (decrease (weight) 1)))";
    let problem = "(define (problem p) (:domain jump) (:init (here) (= (weight) 2000000) (= (used) 0))
        (:goal (there)) (:metric minimize (used)))";
    let task = search_task(&simulator(domain, problem)).unwrap();
    for kind in PlannerKind::ALL {
        let SearchOutcome::Plan(plan) = run(kind, &task, 0).outcome else {
            panic!("{kind} finds no plan");
        };
        assert_eq!(Some(plan.cost), cost_of(&task, &plan.steps), "{kind}");
        if matches!(kind, PlannerKind::AStar(_) | PlannerKind::Anytime) {
            assert_eq!(plan.cost, 16e6, "{kind}");
        }
    }
}
