//! Tests of heuristics and landmarks against exact distances.

use crate::any_task;
use crate::exhaustive::Exhaustive;
use herbrand_limits::Budget;
use herbrand_plan::{Admissible, Estimator, HeuristicKind, SearchTask, landmarks};
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
