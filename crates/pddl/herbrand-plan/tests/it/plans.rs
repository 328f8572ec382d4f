//! Tests of every planner against exhaustive search: plans reach the goal, unsolvability claims are true, and optimal plans
//! are cheapest.

use crate::exhaustive::{Exhaustive, cost_of};
use crate::{any_task, run, run_with};
use herbrand_plan::{Plan, PlannerKind, SearchOutcome, SearchTask};
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
        let (mut plans, mut bounds) = (Vec::new(), Vec::new());
        let report = run_with(kind, task, seed, |progress| {
            plans.extend(progress.plan.cloned());
            bounds.extend(progress.statistics.lower_bound);
        });
        bounds.extend(report.statistics.lower_bound);
        check_progress(task, kind, &report.outcome, &plans);
        assert!(bounds.is_sorted(), "{kind}: {bounds:?}");
        let exact = exact && report.statistics.rounding.is_none();
        if matches!(kind, PlannerKind::AStar(_)) && exact {
            assert!(!bounds.is_empty() || !solvable, "{kind} shows no bound");
        } else {
            assert!(bounds.is_empty(), "{kind}: {bounds:?}");
        }
        if let (Some(cheapest), Some(&bound)) = (cheapest.filter(|_| solvable), bounds.last()) {
            // A plan of least cost ends the search, so the last bound is its cost.
            assert!((bound - cheapest).abs() < 1e-6, "{kind}: {bound} for {cheapest}");
        }
        match report.outcome {
            SearchOutcome::GoalAlreadyTrue => assert!(all.goals[0], "{kind}"),
            SearchOutcome::ProvenUnsolvable => assert!(!solvable, "{kind} calls a solvable task unsolvable"),
            SearchOutcome::Exhausted if report.statistics.rounding.is_some() => assert!(!solvable, "{kind}"),
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

/// Checks the plans that a search found before its outcome: each reaches the goal and is cheaper than the one before, and the
/// best is the outcome.
fn check_progress(task: &SearchTask, kind: PlannerKind, outcome: &SearchOutcome, plans: &[Plan]) {
    let costs: Vec<_> = plans.iter().map(|plan| cost_of(task, &plan.steps)).collect();
    assert!(costs.iter().all(Option::is_some), "{kind} gives a wrong plan");
    assert!(
        plans.windows(2).all(|pair| pair[1].cost < pair[0].cost),
        "{kind}: {costs:?}"
    );
    let best = match outcome {
        SearchOutcome::Plan(plan) if kind == PlannerKind::Anytime => Some(&plan.steps),
        _ => None,
    };
    assert_eq!(plans.last().map(|plan| &plan.steps), best, "{kind}");
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
