//! Lazy best-first search.

use herbrand_ground::ActionId;

use super::open::Alternation;
use super::space::Space;
use super::{Ending, Halt};
use crate::heuristic::{Answer, Heuristic};
use crate::states::Discovery;

/// Lazy best-first search (Richter and Helmert 2009, "Preferred operators and deferred evaluation in satisficing planning"):
/// a state is evaluated when it is expanded, and its successors are queued under its estimate. Each heuristic has an open
/// list for all successors and, if `prefers` is set, another for successors by preferred actions. The lists take turns.
/// Whenever an estimate improves, the preferred lists get priority for a while.
pub(crate) struct Lazy<'t> {
    pub(crate) heuristics: Vec<Box<dyn Heuristic + 't>>,
    /// Whether there are additional open lists for preferred actions.
    pub(crate) prefers: bool,
    /// The factor of the estimate, which is added to the path cost. `None` for greedy search, which ignores the path cost.
    pub(crate) weight: Option<u64>,
    /// Only plans that cost less than this are accepted. If set, states are expanded again when a cheaper path to them is
    /// found.
    pub(crate) bound: Option<u64>,
}

/// The number of turns by which preferred lists get priority when an estimate improves.
const BOOST: i64 = 1000;

/// An entry of an open list: a state and the action to be applied to it.
type Waiting = (u32, ActionId);

/// Buffers for the expansion of one state.
#[derive(Default)]
struct Buffers {
    actions: Vec<ActionId>,
    answer: Answer,
    preferred: Vec<ActionId>,
    /// For each heuristic, its current estimate; `best` has its lowest estimate so far.
    estimates: Vec<u64>,
    best: Vec<u64>,
}

impl Lazy<'_> {
    /// Searches from the start state of `space`.
    pub(crate) fn run(&mut self, space: &mut Space<'_, '_>) -> Result<Ending, Halt> {
        let mut open = Alternation::<u64, Waiting>::new(self.heuristics.len() * 2);
        let mut buffers = Buffers {
            best: vec![u64::MAX; self.heuristics.len()],
            ..Buffers::default()
        };
        if space.walker.is_goal() {
            return Ok(Ending::Goal(0));
        }
        self.expand(space, 0, &mut open, &mut buffers)?;
        while let Some((_, (parent, action))) = open.pop() {
            space.check(|| {
                let held = self.heuristics.iter().map(|heuristic| heuristic.bytes());
                open.bytes() + held.sum::<usize>()
            })?;
            let Some(reached) = space.step(parent, action, self.bound.unwrap_or(u64::MAX)) else {
                continue;
            };
            let again = reached.news == Discovery::Way && self.bound.is_some();
            if reached.news != Discovery::State && !again {
                continue;
            }
            if space.walker.is_goal() {
                return Ok(Ending::Goal(reached.state));
            }
            self.expand(space, reached.state, &mut open, &mut buffers)?;
        }
        Ok(Ending::Nothing)
    }

    /// Evaluates the walker's state and adds its successors to the open lists, unless it is a dead end.
    fn expand(
        &mut self,
        space: &mut Space<'_, '_>,
        state: u32,
        open: &mut Alternation<u64, Waiting>,
        buffers: &mut Buffers,
    ) -> Result<(), Halt> {
        let Some(improved) = self.evaluate(space, state, buffers)? else {
            return Ok(());
        };
        let Buffers {
            actions,
            preferred,
            estimates,
            ..
        } = buffers;
        space.statistics.expanded += 1;
        space.actions(actions);
        let is_preferred = |action: &&ActionId| preferred.binary_search(action).is_ok();
        let cost = space.node(state).cost;
        for (number, &estimate) in estimates.iter().enumerate() {
            let key = match self.weight {
                Some(weight) => cost.saturating_add(estimate.saturating_mul(weight)),
                None => estimate,
            };
            let waiting = |&action: &ActionId| (state, action);
            open.extend(2 * number, key, actions.iter().map(waiting));
            if !self.prefers {
                continue;
            }
            open.extend(
                2 * number + 1,
                key,
                actions.iter().filter(is_preferred).map(waiting),
            );
            if improved {
                open.boost(2 * number + 1, BOOST);
            }
        }
        Ok(())
    }

    /// Evaluates the walker's state by all heuristics. Returns whether one of them reached a new minimum; `None` for a dead
    /// end.
    fn evaluate(
        &mut self,
        space: &mut Space<'_, '_>,
        state: u32,
        buffers: &mut Buffers,
    ) -> Result<Option<bool>, Halt> {
        buffers.estimates.clear();
        buffers.preferred.clear();
        let mut improved = false;
        for (number, heuristic) in self.heuristics.iter_mut().enumerate() {
            space.evaluate(heuristic.as_mut(), state..state + 1, &mut buffers.answer)?;
            let Some(estimate) = buffers.answer.only() else {
                return Ok(None);
            };
            let preferred = buffers.answer.preferred.iter();
            buffers.preferred.extend(preferred.map(|&(_, action)| action));
            if estimate < buffers.best[number] {
                buffers.best[number] = estimate;
                improved = true;
                if number == 0 {
                    space.improves(estimate);
                }
            }
            buffers.estimates.push(estimate);
        }
        buffers.preferred.sort_unstable();
        buffers.preferred.dedup();
        Ok(Some(improved))
    }
}
