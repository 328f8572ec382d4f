//! Breadth-first search in small state spaces.

use std::collections::HashMap;
use std::hash::Hash;

/// The states found by [`explore`], in order, with the paths to them.
#[derive(Clone, Debug)]
pub struct ExploredStates<S, M> {
    /// The states, starting with the initial one.
    pub states: Vec<S>,
    /// The predecessor of each state and the move from it; `None` for the initial state.
    origins: Vec<Option<(usize, M)>>,
}

impl<S, M: Clone> ExploredStates<S, M> {
    /// Returns the moves of a shortest path from the initial state to the state at `index` in [`states`](Self::states).
    /// Panics if there is no such state.
    pub fn way(&self, mut index: usize) -> Vec<M> {
        let mut moves = Vec::new();
        while let Some((from, by)) = &self.origins[index] {
            moves.push(by.clone());
            index = *from;
        }
        moves.reverse();
        moves
    }
}

/// Explores a state space breadth-first from `start`. `moves` returns the moves of a state with their successors.
///
/// Stops when it finds a state for which `goal` is true, or when it has found at least `limit` states. Returns the
/// states and whether a goal was found; the goal is then the last state.
pub fn explore<S, M, I>(
    start: S,
    limit: usize,
    mut goal: impl FnMut(&S) -> bool,
    mut moves: impl FnMut(&S) -> I,
) -> (ExploredStates<S, M>, bool)
where
    S: Clone + Eq + Hash,
    M: Clone,
    I: IntoIterator<Item = (M, S)>,
{
    let mut numbers = HashMap::from([(start.clone(), 0_usize)]);
    let done = goal(&start);
    let mut found = ExploredStates {
        states: vec![start],
        origins: vec![None],
    };
    let mut next = 0;
    while !done && next < found.states.len() && found.states.len() < limit {
        for (by, state) in moves(&found.states[next].clone()) {
            if numbers.contains_key(&state) {
                continue;
            }
            numbers.insert(state.clone(), found.states.len());
            found.origins.push(Some((next, by)));
            let is_goal = goal(&state);
            found.states.push(state);
            if is_goal {
                return (found, true);
            }
        }
        next += 1;
    }
    (found, done)
}

/// Searches breadth-first for a goal, like [`explore`]. Returns the moves of a shortest path, and the goal state; `None`
/// if no goal was found.
pub fn shortest<S, M, I>(
    start: S,
    limit: usize,
    goal: impl FnMut(&S) -> bool,
    moves: impl FnMut(&S) -> I,
) -> Option<(Vec<M>, S)>
where
    S: Clone + Eq + Hash,
    M: Clone,
    I: IntoIterator<Item = (M, S)>,
{
    let (found, done) = explore(start, limit, goal, moves);
    let last = found.states.len() - 1;
    done.then(|| (found.way(last), found.states[last].clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_shortest() {
        let moves = |&n: &u32| [("double", n * 2), ("add", n + 1)];
        let (way, end) = shortest(1, 1000, |&n| n == 10, moves).expect("10 can be reached");
        assert_eq!((way.len(), end), (4, 10));
        assert!(shortest(1, 50, |&n| n == 0, moves).is_none());
        assert_eq!(
            shortest(1, 50, |&n| n == 1, moves).map(|(way, _)| way.len()),
            Some(0)
        );
    }
}
