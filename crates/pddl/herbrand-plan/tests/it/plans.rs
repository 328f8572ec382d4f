//! Tests of every planner against exhaustive search: plans reach the goal, unsolvability claims are true, and optimal plans
//! are cheapest.

use crate::exhaustive::{Exhaustive, cost_of};
use crate::{any_task, run};
use herbrand_plan::{PlannerKind, SearchOutcome, SearchTask};
use proptest::prelude::*;

const LIMIT: usize = 300;

fn check(task: &SearchTask, seed: u64) {
    let Some(all) = Exhaustive::of(task, LIMIT) else {
        return;
    };
    let solvable = all.goals.contains(&true);
    let exact = task.costs().is_exact() && task.costs().follows_metric();
    let cheapest = exact.then(|| all.distances()[0]);
    for kind in PlannerKind::ALL {
        match run(kind, task, seed).outcome {
            SearchOutcome::GoalAlreadyTrue => assert!(all.goals[0], "{kind}"),
            SearchOutcome::ProvenUnsolvable => assert!(!solvable, "{kind} calls a solvable task unsolvable"),
            SearchOutcome::Plan(plan) => {
                assert!(!plan.steps.is_empty(), "{kind}");
                let cost = cost_of(task, &plan.steps);
                assert!(cost.is_some(), "{kind} gives a wrong plan");
                let is_optimal = matches!(kind, PlannerKind::AStar(_) | PlannerKind::Anytime);
                assert_eq!(plan.proven_optimal, is_optimal && exact, "{kind}");
                if let (Some(cheapest), true) = (cheapest, plan.proven_optimal) {
                    assert!(
                        (plan.cost - cheapest).abs() < 1e-6,
                        "{kind}: {} for {cheapest}",
                        plan.cost
                    );
                }
            }
            other => panic!("{kind}: {other:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn planners_agree_with_exhaustive_search(task in any_task(), seed in prop_oneof![Just(0), any::<u64>()]) {
        check(&task, seed);
    }
}

/// The same test for the nightly run, with the number of cases given by `PROPTEST_CASES`.
#[test]
#[ignore = "takes minutes"]
fn planners_agree_with_exhaustive_search_on_many_tasks() {
    proptest!(|(task in any_task(), seed: u64)| check(&task, seed));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// The same seed gives the same search.
    #[test]
    fn searches_repeat(task in any_task(), seed: u64) {
        if Exhaustive::of(&task, LIMIT).is_none() {
            return Ok(());
        }
        for kind in PlannerKind::ALL {
            let [one, other] = [0, 1].map(|_| run(kind, &task, seed));
            prop_assert_eq!(one.outcome, other.outcome);
            prop_assert_eq!(
                (one.statistics.expanded, one.statistics.evaluated, one.statistics.generated),
                (other.statistics.expanded, other.statistics.evaluated, other.statistics.generated)
            );
        }
    }
}
