//! Enforced hill-climbing.

use std::collections::VecDeque;

use herbrand_ground::ActionId;

use super::space::Space;
use super::{Ending, Halt};
use crate::heuristic::{Answer, Heuristic};

/// Enforced hill-climbing (Hoffmann and Nebel 2001): a breadth-first search by preferred actions leads from each state to a
/// state with a lower estimate. The search never returns to an earlier state, and fails if no such state is found.
pub(crate) struct Climb<'t> {
    pub(crate) heuristic: Box<dyn Heuristic + 't>,
}

/// A queue entry: a state and its preferred actions, each after the place of the state in its batch.
type Waiting = (u32, Vec<(u32, ActionId)>);

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
        if space.walker.is_goal() {
            return Ok(Ending::Goal(0));
        }
        let mut answer = Answer::default();
        space.evaluate(self.heuristic.as_mut(), 0..1, &mut answer)?;
        let Some(mut estimate) = answer.only() else {
            return Ok(Ending::Nothing);
        };
        space.improves(estimate);
        let mut ring = Ring {
            queue: VecDeque::new(),
            found: Vec::new(),
            number: 0,
        };
        let mut at = (0, answer.preferred);
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
            for (_, action) in actions {
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
                let mut answer = Answer::default();
                let numbers = reached.state..reached.state + 1;
                space.evaluate(self.heuristic.as_mut(), numbers, &mut answer)?;
                match answer.only() {
                    None => {}
                    Some(lower) if lower < estimate => {
                        space.improves(lower);
                        return Ok(Descent::To((reached.state, answer.preferred), lower));
                    }
                    Some(_) => ring.queue.push_back((reached.state, answer.preferred)),
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
