//! A*.

use herbrand_ground::ActionId;

use super::open::OpenList;
use super::space::Space;
use super::{Ending, Halt};
use crate::heuristic::{Answer, Heuristic, units};
use crate::states::Discovery;

/// A* (Hart, Nilsson and Raphael 1968) with re-expansion, because the heuristic may be inconsistent. States are expanded in
/// ascending order of path cost plus estimate, then of the estimate, then of age.
pub(crate) struct AStar<'t> {
    heuristic: Box<dyn Heuristic + 't>,
    /// The largest number of states that are evaluated at once: new successors of one state.
    batch: usize,
    answer: Answer,
    /// Indexed by state.
    estimates: Vec<f64>,
    /// The states to be expanded, by their path cost plus estimate in whole units, then by the bits of the estimate.
    open: OpenList<(u64, u64), Waiting>,
    /// The states that are to be added to the open list.
    reached: Vec<Waiting>,
}

/// An entry of the open list: a state, and its path cost when the entry was added.
type Waiting = (u32, u64);

impl<'t> AStar<'t> {
    pub(crate) fn new(heuristic: Box<dyn Heuristic + 't>, batch: usize) -> Self {
        Self {
            heuristic,
            batch,
            answer: Answer::default(),
            estimates: Vec::new(),
            open: OpenList::new(),
            reached: Vec::new(),
        }
    }

    /// Searches from the start state of `space`. The path to the goal state returned is a cheapest one if the heuristic is
    /// admissible.
    pub(crate) fn run(&mut self, space: &mut Space<'_, '_>) -> Result<Ending, Halt> {
        let proves = self.heuristic.is_admissible();
        let mut actions = Vec::<ActionId>::new();
        self.reached.push((0, 0));
        self.wait(space)?;
        while let Some(((least, _), (state, cost))) = self.open.pop() {
            if space.node(state).cost != cost {
                continue;
            }
            if proves {
                space.raise_bound(least);
            }
            space.check(|| self.bytes())?;
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
                    let cost = space.node(reached.state).cost;
                    self.reached.push((reached.state, cost));
                }
                if space.len() - self.estimates.len() == self.batch {
                    self.wait(space)?;
                }
                space.back_to(state);
            }
            self.wait(space)?;
        }
        Ok(Ending::Nothing)
    }

    /// Evaluates the new states, and adds the reached ones to the open list unless they are dead ends.
    fn wait(&mut self, space: &mut Space<'_, '_>) -> Result<(), Halt> {
        let numbers = self.estimates.len() as u32..space.len() as u32;
        if !numbers.is_empty() {
            space.check(|| self.bytes())?;
            space.evaluate(self.heuristic.as_mut(), numbers, &mut self.answer)?;
            self.estimates.extend_from_slice(&self.answer.estimates);
        }
        for (state, cost) in self.reached.drain(..) {
            let estimate = self.estimates[state as usize];
            if estimate.is_finite() {
                let whole = units(estimate);
                space.improves(whole);
                self.open
                    .push((cost.saturating_add(whole), estimate.to_bits()), (state, cost));
            }
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.open.bytes() + self.estimates.capacity() * size_of::<f64>() + self.heuristic.bytes()
    }
}
