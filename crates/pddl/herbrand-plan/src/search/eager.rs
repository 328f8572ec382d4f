//! Eager greedy best-first search.

use herbrand_ground::ActionId;

use super::open::OpenList;
use super::space::Space;
use super::states::Discovery;
use super::{Ending, Halt};
use crate::heuristic::Heuristic;

/// Eager greedy best-first search: states are evaluated when they are generated. The state with the lowest estimate is
/// expanded next; ties are broken in favour of the oldest.
pub(crate) struct EagerGreedy<'t> {
    pub(crate) heuristic: Box<dyn Heuristic + 't>,
}

impl EagerGreedy<'_> {
    /// Searches from the start state of `space`.
    pub(crate) fn run(&mut self, space: &mut Space<'_, '_>) -> Result<Ending, Halt> {
        if space.walker.is_goal() {
            return Ok(Ending::Goal(0));
        }
        let mut open = OpenList::<u64, u32>::new();
        let (mut actions, mut ignored) = (Vec::<ActionId>::new(), Vec::new());
        if let Some(estimate) = space.evaluate(self.heuristic.as_mut(), 0, &mut ignored) {
            space.improves(estimate);
            open.push(estimate, 0);
        }
        while let Some((_, state)) = open.pop() {
            space.go_to(state);
            space.statistics.expanded += 1;
            space.actions(&mut actions);
            for &action in &actions {
                let Some(reached) = space.step(state, action, u64::MAX) else {
                    continue;
                };
                if reached.news == Discovery::State {
                    if space.walker.is_goal() {
                        return Ok(Ending::Goal(reached.state));
                    }
                    space.check(|| open.bytes() + self.heuristic.bytes())?;
                    ignored.clear();
                    if let Some(estimate) =
                        space.evaluate(self.heuristic.as_mut(), reached.state, &mut ignored)
                    {
                        space.improves(estimate);
                        open.push(estimate, reached.state);
                    }
                }
                space.back_to(state);
            }
        }
        Ok(Ending::Nothing)
    }
}
