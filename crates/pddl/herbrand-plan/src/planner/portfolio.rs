//! A planner that runs several others in turns.

use herbrand_limits::BudgetExhausted;

use super::PlannerKind;
use crate::outcome::SearchOutcome;
use crate::search::{Halt, Space};
use crate::task::SearchTask;

/// The planners with the shares of their turns. The planner that solves the most tasks comes first and has the longest turn.
const PLANNERS: [(PlannerKind, u64); 4] = [
    (PlannerKind::Landmarks, 5),
    (PlannerKind::Width, 1),
    (PlannerKind::Lazy, 2),
    (PlannerKind::Additive, 1),
];

/// The number of states evaluated per share in the first round.
const FIRST: u64 = 20_000;
/// The factor by which turns grow from round to round.
const GROWTH: u64 = 4;

/// Runs the planners in rounds. In each round, every planner restarts with a longer turn. Turns are measured in evaluated
/// states instead of time, so that a seed gives the same search on every machine. Since turns grow geometrically, the
/// repeated work is at most a third of the last turn. From the second round on, successors are shuffled, in a different
/// order each round.
///
/// A planner that exceeds the memory limit releases its memory and gets no further turn.
pub(crate) fn run(task: &SearchTask, space: &mut Space<'_, '_>) -> Result<SearchOutcome, Halt> {
    in_turns(task, space, FIRST)
}

fn in_turns(task: &SearchTask, space: &mut Space<'_, '_>, first: u64) -> Result<SearchOutcome, Halt> {
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
                Err(Halt::BudgetExhausted(exhausted @ BudgetExhausted::Memory { .. })) => {
                    *full = Some(exhausted)
                }
                ended => return ended,
            }
        }
        if let [Some(exhausted), Some(_), Some(_), Some(_)] = full {
            return Err(exhausted.into());
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
    use crate::outcome::PlanRequest;
    use crate::planner::Planner;
    use crate::strategies::any_task;

    /// Runs a portfolio whose first turns end after one state, within `bytes` bytes of memory.
    fn outcome(task: &SearchTask, bytes: u64) -> SearchOutcome {
        let limits = Limits {
            bytes: Some(bytes),
            time: None,
        };
        let mut request = PlanRequest {
            budget: Budget::new(limits),
            seed: 0,
            progress: &mut |_| {},
        };
        let mut space = Space::new(task, &mut request);
        let outcome = in_turns(task, &mut space, 1).unwrap_or_else(SearchOutcome::from);
        space.report(outcome).outcome
    }

    proptest! {
        /// Ending turns early does not change the result.
        #[test]
        fn a_portfolio_says_what_one_planner_says(task in any_task()) {
            let mut request = PlanRequest {
                budget: Budget::new(Limits { bytes: Some(1 << 20), time: None }),
                seed: 0,
                progress: &mut |_| {},
            };
            let alone = PlannerKind::Landmarks.plan(&task, &mut request).outcome;
            if alone == SearchOutcome::OutOfMemory {
                return Ok(());
            }
            let found = outcome(&task, 1 << 24);
            match (&found, &alone) {
                (SearchOutcome::Plan(found), SearchOutcome::Plan(_)) => {
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

        /// If no planner has enough memory, the portfolio is out of memory.
        #[test]
        fn a_portfolio_ends_without_memory(task in any_task()) {
            let found = outcome(&task, 1);
            prop_assert!(
                matches!(found, SearchOutcome::OutOfMemory | SearchOutcome::ProvenUnsolvable | SearchOutcome::Exhausted
                    | SearchOutcome::GoalAlreadyTrue),
                "{found:?}"
            );
        }
    }
}
