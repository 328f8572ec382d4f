//! Lazy best-first search.

use herbrand_ground::ActionId;

use super::open::Alternation;
use super::space::Space;
use super::states::News;
use super::{Ending, Halt};
use crate::heuristic::Heuristic;

/// Lazy best-first search (Richter and Helmert 2009, "Preferred operators and deferred evaluation in satisficing
/// planning"): a state is evaluated when it is expanded, and its successors wait under its estimate. Each heuristic has a
/// list for all successors and, if wanted, one for those by preferred actions; the lists take turns, and the preferred ones
/// go first for a while whenever an estimate improves.
pub(crate) struct Lazy<'t> {
    pub(crate) heuristics: Vec<Box<dyn Heuristic + 't>>,
    /// Whether preferred actions have lists of their own.
    pub(crate) prefers: bool,
    /// By how much estimates are multiplied before the cost so far is added; `None` leaves that cost out.
    pub(crate) weight: Option<u64>,
    /// Only plans that cost less are of interest; then states are expanded again when a cheaper way to them is found.
    pub(crate) bound: Option<u64>,
}

/// How many turns preferred lists get when an estimate improves.
const BOOST: i64 = 1000;

/// A successor that waits: the state, and the action that leads from there.
type Waiting = (u32, ActionId);

/// What is needed while one state is expanded.
#[derive(Default)]
struct Buffers {
    actions: Vec<ActionId>,
    preferred: Vec<ActionId>,
    /// By heuristic: its estimate, and the best so far.
    estimates: Vec<u64>,
    best: Vec<u64>,
}

impl Lazy<'_> {
    /// Searches from the state in which `space` starts.
    pub(crate) fn run(&mut self, space: &mut Space<'_, '_>) -> Result<Ending, Halt> {
        let mut open = Alternation::<u64, Waiting>::new(self.heuristics.len() * 2);
        let mut buffers = Buffers {
            best: vec![u64::MAX; self.heuristics.len()],
            ..Buffers::default()
        };
        if space.walker.is_goal() {
            return Ok(Ending::Goal(0));
        }
        self.expand(space, 0, &mut open, &mut buffers);
        while let Some((_, (parent, action))) = open.pop() {
            space.check(|| {
                let held = self.heuristics.iter().map(|heuristic| heuristic.bytes());
                open.bytes() + held.sum::<usize>()
            })?;
            let Some(reached) = space.step(parent, action, self.bound.unwrap_or(u64::MAX)) else {
                continue;
            };
            let again = reached.news == News::Way && self.bound.is_some();
            if reached.news != News::State && !again {
                continue;
            }
            if space.walker.is_goal() {
                return Ok(Ending::Goal(reached.state));
            }
            self.expand(space, reached.state, &mut open, &mut buffers);
        }
        Ok(Ending::Nothing)
    }

    /// Evaluates the state in which the walker is, and puts its successors into the lists, unless it is a dead end.
    fn expand(
        &mut self,
        space: &mut Space<'_, '_>,
        state: u32,
        open: &mut Alternation<u64, Waiting>,
        buffers: &mut Buffers,
    ) {
        let Some(improved) = self.evaluate(space, state, buffers) else {
            return;
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
    }

    /// Asks all heuristics about the state in which the walker is. Whether one of them has not been as low before; `None`
    /// for a dead end.
    fn evaluate(&mut self, space: &mut Space<'_, '_>, state: u32, buffers: &mut Buffers) -> Option<bool> {
        buffers.estimates.clear();
        buffers.preferred.clear();
        let mut improved = false;
        for (number, heuristic) in self.heuristics.iter_mut().enumerate() {
            let estimate = space.evaluate(heuristic.as_mut(), state, &mut buffers.preferred)?;
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
        Some(improved)
    }
}
