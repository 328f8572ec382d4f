//! Eager greedy best-first search.

use herbrand_ground::ActionId;

use super::open::OpenList;
use super::space::Space;
use super::{Ending, Halt};
use crate::heuristic::{Answer, Heuristic, units};
use crate::states::Discovery;

/// Eager greedy best-first search: states are evaluated when they are generated. The state with the lowest estimate is
/// expanded next; ties are broken in favour of the oldest.
pub(crate) struct EagerGreedy<'t> {
    heuristic: Box<dyn Heuristic + 't>,
    /// The largest number of states that are evaluated at once: new successors of one state.
    batch: usize,
    /// The number of states that have been evaluated: they are the first ones.
    evaluated: usize,
    answer: Answer,
    /// The states to be expanded, by the bits of their estimates.
    open: OpenList<u64, u32>,
}

impl<'t> EagerGreedy<'t> {
    pub(crate) fn new(heuristic: Box<dyn Heuristic + 't>, batch: usize) -> Self {
        Self {
            heuristic,
            batch,
            evaluated: 0,
            answer: Answer::default(),
            open: OpenList::new(),
        }
    }

    /// Searches from the start state of `space`.
    pub(crate) fn run(&mut self, space: &mut Space<'_, '_>) -> Result<Ending, Halt> {
        if space.walker.is_goal() {
            return Ok(Ending::Goal(0));
        }
        let mut actions = Vec::<ActionId>::new();
        self.evaluate(space, 1)?;
        while let Some((_, state)) = self.open.pop() {
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
                    self.evaluate(space, self.batch)?;
                }
                space.back_to(state);
            }
            self.evaluate(space, 1)?;
        }
        Ok(Ending::Nothing)
    }

    /// Evaluates the new states if there are at least `least`, and adds them to the open list unless they are dead ends.
    fn evaluate(&mut self, space: &mut Space<'_, '_>, least: usize) -> Result<(), Halt> {
        let first = self.evaluated;
        if space.len() - first < least {
            return Ok(());
        }
        space.check(|| self.open.bytes() + self.heuristic.bytes())?;
        self.evaluated = space.len();
        let numbers = first as u32..space.len() as u32;
        space.evaluate(self.heuristic.as_mut(), numbers.clone(), &mut self.answer)?;
        for (state, &estimate) in numbers.zip(&self.answer.estimates) {
            if estimate.is_finite() {
                space.improves(units(estimate));
                self.open.push(estimate.to_bits(), state);
            }
        }
        Ok(())
    }
}
