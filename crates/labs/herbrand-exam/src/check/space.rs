//! All states that are reachable from the start, in breadth-first order.

use std::collections::{BTreeMap, VecDeque};

use herbrand_oracle::{GroundAction, Oracle, OracleState};

use super::Unsolved;

/// The number of states beyond which there is no answer.
const MOST: usize = 5_000;

/// The reachable states; the start is the first.
pub(super) struct Space {
    pub(super) states: Vec<OracleState>,
    pub(super) goals: Vec<bool>,
    /// For each state, its actions and the states that they lead to.
    pub(super) edges: Vec<Vec<(GroundAction, usize)>>,
}

impl Space {
    pub(super) fn of(oracle: &Oracle<'_>, start: &OracleState) -> Result<Self, Unsolved> {
        let mut space = Self {
            states: vec![start.clone()],
            goals: Vec::new(),
            edges: Vec::new(),
        };
        let mut numbers = BTreeMap::from([(start.clone(), 0)]);
        while space.edges.len() < space.states.len() {
            if space.states.len() > MOST {
                return Err(Unsolved::Many(MOST));
            }
            let state = space.states[space.edges.len()].clone();
            space.goals.push(oracle.is_goal(&state));
            let mut edges = Vec::new();
            for action in oracle.valid_actions(&state) {
                for outcome in oracle.outcomes(&state, &action)? {
                    let number = *numbers.entry(outcome.state.clone()).or_insert_with(|| {
                        space.states.push(outcome.state);
                        space.states.len() - 1
                    });
                    edges.push((action.clone(), number));
                }
            }
            space.edges.push(edges);
        }
        Ok(space)
    }

    /// Returns for each state the least number of actions to a goal state; `None` if there is no way.
    pub(super) fn distances(&self) -> Vec<Option<usize>> {
        let mut distances: Vec<Option<usize>> = self.goals.iter().map(|&goal| goal.then_some(0)).collect();
        loop {
            let mut changed = false;
            for (state, edges) in self.edges.iter().enumerate() {
                let next = edges.iter().filter_map(|&(_, target)| distances[target]).min();
                let better = next.map(|next| next + 1);
                if better.is_some_and(|better| distances[state].is_none_or(|known| better < known)) {
                    distances[state] = better;
                    changed = true;
                }
            }
            if !changed {
                return distances;
            }
        }
    }

    /// Returns whether a goal state can be reached through states that are allowed, the goal state among them.
    pub(super) fn reaches_goal(&self, allowed: impl Fn(&OracleState) -> bool) -> bool {
        let mut seen = vec![false; self.states.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(state) = queue.pop_front() {
            if seen[state] || !allowed(&self.states[state]) {
                continue;
            }
            seen[state] = true;
            if self.goals[state] {
                return true;
            }
            queue.extend(self.edges[state].iter().map(|&(_, target)| target));
        }
        false
    }
}
