//! Enforced hill-climbing.

use std::collections::VecDeque;

use herbrand_ground::ActionId;

use super::space::Space;
use super::{Ending, Halt};
use crate::heuristic::Heuristic;

/// Enforced hill-climbing (Hoffmann and Nebel 2001): a breadth-first search by preferred actions leads from each state to a
/// state with a lower estimate. The search never returns to an earlier state, and fails if no such state is found.
pub(crate) struct Climb<'t> {
    pub(crate) heuristic: Box<dyn Heuristic + 't>,
}

/// A queue entry: a state and its preferred actions.
type Waiting = (u32, Vec<ActionId>);

/// The data of the breadth-first searches. Each search has a number.
struct Ring {
    queue: VecDeque<Waiting>,
    /// For each state, the number of the last search that found it.
    found: Vec<u32>,
    number: u32,
}

impl Climb<'_> {
    /// Searches from the start state of `space`.
    pub(crate) fn run(&mut self, space: &mut Space<'_, '_>) -> Result<Ending, Halt> {
        let mut preferred = Vec::new();
        if space.walker.is_goal() {
            return Ok(Ending::Goal(0));
        }
        let Some(mut estimate) = space.evaluate(self.heuristic.as_mut(), 0, &mut preferred) else {
            return Ok(Ending::Nothing);
        };
        space.improves(estimate);
        let mut ring = Ring {
            queue: VecDeque::new(),
            found: Vec::new(),
            number: 0,
        };
        let mut at = (0, preferred);
        loop {
            ring.begin(at);
            match self.descend(space, &mut ring, estimate)? {
                Descent::Goal(state) => return Ok(Ending::Goal(state)),
                Descent::Nowhere => return Ok(Ending::Nothing),
                Descent::To(state, lower) => {
                    estimate = lower;
                    at = state;
                }
            }
        }
    }

    /// Searches breadth first for a state with an estimate below `estimate`.
    fn descend(
        &mut self,
        space: &mut Space<'_, '_>,
        ring: &mut Ring,
        estimate: u64,
    ) -> Result<Descent, Halt> {
        while let Some((state, actions)) = ring.queue.pop_front() {
            space.statistics.expanded += 1;
            for action in actions {
                let Some(reached) = space.step(state, action, u64::MAX) else {
                    continue;
                };
                if !ring.is_new(reached.state) {
                    continue;
                }
                space.go_to(reached.state);
                if space.walker.is_goal() {
                    return Ok(Descent::Goal(reached.state));
                }
                space.check(|| ring.queue.len() * size_of::<Waiting>())?;
                let mut preferred = Vec::new();
                match space.evaluate(self.heuristic.as_mut(), reached.state, &mut preferred) {
                    None => {}
                    Some(lower) if lower < estimate => {
                        space.improves(lower);
                        return Ok(Descent::To((reached.state, preferred), lower));
                    }
                    Some(_) => ring.queue.push_back((reached.state, preferred)),
                }
            }
        }
        Ok(Descent::Nowhere)
    }
}

/// The result of a breadth-first search.
enum Descent {
    Goal(u32),
    To(Waiting, u64),
    Nowhere,
}

impl Ring {
    fn begin(&mut self, at: Waiting) {
        self.number += 1;
        self.queue.clear();
        self.is_new(at.0);
        self.queue.push_back(at);
    }

    /// Records that the current search found a state; returns whether it is the first time.
    fn is_new(&mut self, state: u32) -> bool {
        let index = state as usize;
        if index >= self.found.len() {
            self.found.resize(index + 1, 0);
        }
        std::mem::replace(&mut self.found[index], self.number) != self.number
    }
}
