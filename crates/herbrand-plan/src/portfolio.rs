//! Several planners in turn.

use herbrand_limits::Spent;

use crate::outcome::Outcome;
use crate::planner::PlannerKind;
use crate::search::{Halt, Space};
use crate::task::SearchTask;

/// The planners that take turns, with the share of each: the one that finds most has the longest turn, and comes first.
const PLANNERS: [(PlannerKind, u64); 4] = [
    (PlannerKind::Landmarks, 5),
    (PlannerKind::Width, 1),
    (PlannerKind::Lazy, 2),
    (PlannerKind::Additive, 1),
];

/// How many states are evaluated for each share in the first round, and by how much that grows from round to round.
const FIRST: u64 = 20_000;
const GROWTH: u64 = 4;

/// Runs planners in rounds, each from the start in every round. Turns are counted in states and not in time, so that the same
/// seed gives the same search on every machine; as they grow, what is done again is a third of the last turn at most. From the
/// second round on successors are shuffled, differently in each.
///
/// A planner whose states no longer fit in memory makes room for the next one, and has no further turn.
pub(crate) fn run(task: &SearchTask, space: &mut Space<'_, '_>) -> Result<Outcome, Halt> {
    in_turns(task, space, FIRST)
}

fn in_turns(task: &SearchTask, space: &mut Space<'_, '_>, first: u64) -> Result<Outcome, Halt> {
    let seed = space.request().seed;
    let mut turn = first;
    let mut full = [None; PLANNERS.len()];
    for round in 0_u64.. {
        for ((planner, share), full) in PLANNERS.into_iter().zip(&mut full) {
            if full.is_some() {
                continue;
            }
            space.begin_turn(turn.saturating_mul(share), seed.wrapping_add(round));
            match planner.run(task, space) {
                Err(Halt::Turn) => {}
                Err(Halt::Spent(spent @ Spent::Memory { .. })) => *full = Some(spent),
                ended => return ended,
            }
        }
        if let [Some(spent), Some(_), Some(_), Some(_)] = full {
            return Err(spent.into());
        }
        turn = turn.saturating_mul(GROWTH);
    }
    Err(Halt::Turn)
}

#[cfg(test)]
mod tests {
    use herbrand_limits::{Budget, Limits};
    use proptest::prelude::*;

    use super::*;
    use crate::outcome::Request;
    use crate::planner::Planner;
    use crate::strategies::any_task;

    /// What a portfolio says whose first turns end after one state, and in how many bytes.
    fn outcome(task: &SearchTask, bytes: u64) -> Outcome {
        let limits = Limits {
            bytes: Some(bytes),
            time: None,
        };
        let mut request = Request {
            budget: Budget::new(limits),
            seed: 0,
            progress: &mut |_| {},
        };
        let mut space = Space::new(task, &mut request);
        match in_turns(task, &mut space, 1) {
            Ok(outcome) => outcome,
            Err(Halt::Spent(spent)) => spent.into(),
            Err(Halt::Turn) => unreachable!("rounds do not end"),
        }
    }

    proptest! {
        /// Turns that end early change nothing in what is said.
        #[test]
        fn a_portfolio_says_what_one_planner_says(task in any_task()) {
            let mut request = Request {
                budget: Budget::new(Limits { bytes: Some(1 << 20), time: None }),
                seed: 0,
                progress: &mut |_| {},
            };
            let alone = PlannerKind::Landmarks.plan(&task, &mut request).outcome;
            if alone == Outcome::OutOfMemory {
                return Ok(());
            }
            let found = outcome(&task, 1 << 24);
            match (&found, &alone) {
                (Outcome::Plan(found), Outcome::Plan(_)) => {
                    let mut walker = task.simulator().walker();
                    walker.set_state(task.start()).expect("the start is a state of the task");
                    for &action in &found.searched {
                        prop_assert!(walker.apply(action, &mut herbrand_core::Random::new(0)).is_ok());
                    }
                    prop_assert!(walker.is_goal());
                }
                _ => prop_assert_eq!(found.name(), alone.name()),
            }
        }

        /// Where nobody has room, that is the answer.
        #[test]
        fn a_portfolio_ends_without_memory(task in any_task()) {
            let found = outcome(&task, 1);
            prop_assert!(
                matches!(found, Outcome::OutOfMemory | Outcome::ProvenUnsolvable | Outcome::GoalAlreadyTrue),
                "{found:?}"
            );
        }
    }
}
