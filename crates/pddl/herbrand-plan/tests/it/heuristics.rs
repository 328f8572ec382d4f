//! Tests of heuristics and landmarks against exact distances.

use crate::any_task;
use crate::exhaustive::Exhaustive;
use herbrand_limits::Budget;
use herbrand_plan::{Admissible, Determinization, Estimator, HeuristicKind, SearchTask, landmarks};
use proptest::prelude::*;

const LIMIT: usize = 200;

const ADMISSIBLE: [Admissible; 3] = [Admissible::Blind, Admissible::Maximum, Admissible::LandmarkCut];

fn estimates(task: &SearchTask, all: &Exhaustive, kind: HeuristicKind) -> Vec<Option<f64>> {
    let mut estimator = Estimator::new(task, kind, &Budget::unlimited()).unwrap();
    all.states
        .iter()
        .map(|state| estimator.estimate(state).unwrap())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    /// States reported as dead ends are dead ends, goal states have estimate 0, and admissible estimates are never too high.
    #[test]
    fn estimates_hold_for_all_states(task in any_task()) {
        let Some(all) = Exhaustive::of(&task, LIMIT) else { return Ok(()) };
        let reachable: Vec<bool> = all.distances().iter().map(|distance| distance.is_finite()).collect();
        let exact = (task.costs().is_exact() && task.costs().follows_metric()).then(|| all.distances());
        let admissible = ADMISSIBLE.map(HeuristicKind::Admissible);
        for kind in admissible.into_iter().chain([HeuristicKind::Ff, HeuristicKind::Additive]) {
            for (place, estimate) in estimates(&task, &all, kind).into_iter().enumerate() {
                prop_assert!(estimate.is_some() || !reachable[place], "{kind:?} cuts off a state that can reach the goal");
                let Some(estimate) = estimate else { continue };
                if all.goals[place] {
                    prop_assert_eq!(estimate, 0.0, "{:?} in a goal state", kind);
                }
                if let (HeuristicKind::Admissible(_), Some(distances)) = (kind, &exact) {
                    prop_assert!(estimate <= distances[place] + 1e-6, "{kind:?}: {estimate} for {}", distances[place]);
                }
            }
        }
    }

    /// No plan avoids a landmark.
    #[test]
    fn landmarks_are_true_in_every_plan(task in any_task()) {
        let Some(all) = Exhaustive::of(&task, LIMIT) else { return Ok(()) };
        for literal in landmarks(&task, &Budget::unlimited()).unwrap() {
            let simulator = task.simulator();
            let holds = |state: &herbrand_step::State| {
                simulator.atoms(state).any(|atom| atom == literal.atom()) != literal.is_negative()
            };
            prop_assert!(!all.reaches_goal_without(holds), "{literal:?} is no landmark");
        }
    }
}

/// States of the simulator that a task was made from are projected to the task: here it lacks the irrelevant `(seen ?x)`
/// and the counter.
#[test]
fn states_of_the_given_simulator_are_estimated() {
    let simulator = crate::simulator(
        "(define (domain ring) (:requirements :numeric-fluents) (:predicates (at ?x) (next ?x ?y) (seen ?x))
            (:functions (steps))
            (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
              :effect (and (at ?y) (not (at ?x)) (seen ?y) (increase (steps) 1))))",
        "(define (problem p) (:domain ring) (:objects a b c d) (:init (at a) (= (steps) 0)
            (next a b) (next b c) (next c d) (next d a)) (:goal (at d)))",
    );
    let (start, budget) = (simulator.initial_state(), Budget::unlimited());
    let task = SearchTask::new(&simulator, &start, Determinization::default(), &budget).unwrap();
    let (given, searched) = (simulator.task(), task.simulator().task());
    assert!(searched.fluent_count() < given.fluent_count() && searched.state_numerics < given.state_numerics);
    let kind = HeuristicKind::Admissible(Admissible::LandmarkCut);
    let estimator = Estimator::new(&task, kind, &budget).unwrap();
    // An estimator may move to another thread.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut estimator = estimator;
            let mut walker = simulator.walker();
            for expected in [3.0, 2.0, 1.0, 0.0] {
                let state = walker.state().clone();
                let holding = simulator.atoms(&state).filter_map(|atom| {
                    let fact = given.atoms.get(atom.index())?;
                    searched.find_atom(fact.predicate, fact.arguments)
                });
                let projected = task.simulator().state_from_atoms(holding).unwrap();
                assert_eq!(estimator.estimate(&state).unwrap(), Some(expected));
                assert_eq!(estimator.estimate(&projected).unwrap(), Some(expected));
                let next = walker.valid().iter().next().unwrap();
                walker.apply(next, &mut herbrand_step::Random::new(1)).unwrap();
            }
            let other = crate::simulator(
                "(define (domain lamp) (:predicates (on)) (:action press :effect (on)))",
                "(define (problem p) (:domain lamp) (:goal (on)))",
            );
            let foreign = estimator.estimate(&other.initial_state());
            assert_eq!(foreign, Err(herbrand_step::StepError::ForeignState));
        });
    });
}
