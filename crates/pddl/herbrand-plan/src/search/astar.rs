//! A*.

use herbrand_ground::ActionId;

use super::open::OpenList;
use super::space::Space;
use super::states::Discovery;
use super::{Ending, Halt};
use crate::heuristic::Heuristic;

/// A* (Hart, Nilsson and Raphael 1968) with re-expansion, because the heuristic may be inconsistent. States are expanded in
/// ascending order of path cost plus estimate, then of the estimate, then of age.
pub(crate) struct AStar<'t> {
    pub(crate) heuristic: Box<dyn Heuristic + 't>,
}

/// An entry of the open list: a state, and its path cost when the entry was added.
type Waiting = (u32, u64);

/// The estimate that marks a dead end.
const DEAD: u64 = u64::MAX;

impl AStar<'_> {
    /// Searches from the start state of `space`. The path to the goal state returned is a cheapest one.
    pub(crate) fn run(&mut self, space: &mut Space<'_, '_>) -> Result<Ending, Halt> {
        let mut open = OpenList::<(u64, u64), Waiting>::new();
        // Indexed by state.
        let mut estimates = Vec::<u64>::new();
        let mut actions = Vec::<ActionId>::new();
        self.consider(space, 0, &mut estimates, &mut open);
        while let Some(((least, _), (state, cost))) = open.pop() {
            if space.node(state).cost != cost {
                continue;
            }
            space.raise_bound(least);
            space.check(|| open.bytes() + estimates.capacity() * size_of::<u64>())?;
            space.go_to(state);
            if space.walker.is_goal() {
                return Ok(Ending::Goal(state));
            }
            space.statistics.expanded += 1;
            space.actions(&mut actions);
            for &action in &actions {
                let Some(reached) = space.step(state, action, u64::MAX) else {
                    continue;
                };
                if reached.news != Discovery::Nothing {
                    self.consider(space, reached.state, &mut estimates, &mut open);
                }
                space.back_to(state);
            }
        }
        Ok(Ending::Nothing)
    }

    /// Evaluates the walker's state if it is new, and adds it to the open list unless it is a dead end.
    fn consider(
        &mut self,
        space: &mut Space<'_, '_>,
        state: u32,
        estimates: &mut Vec<u64>,
        open: &mut OpenList<(u64, u64), Waiting>,
    ) {
        if estimates.len() == state as usize {
            let estimate = space.evaluate(self.heuristic.as_mut(), state, &mut Vec::new());
            estimates.push(estimate.unwrap_or(DEAD));
        }
        let (estimate, cost) = (estimates[state as usize], space.node(state).cost);
        if estimate != DEAD {
            space.improves(estimate);
            open.push((cost.saturating_add(estimate), estimate), (state, cost));
        }
    }
}
