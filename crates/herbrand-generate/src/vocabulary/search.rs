//! Breadth-first search over small spaces of states.

use std::collections::HashMap;
use std::hash::Hash;

/// States in the order in which breadth-first search finds them, with the ways there.
#[derive(Clone, Debug)]
pub struct Found<S, M> {
    /// The states; the start comes first.
    pub states: Vec<S>,
    /// Of each state but the start, the state it was found from and the move.
    origins: Vec<Option<(usize, M)>>,
}

impl<S, M: Clone> Found<S, M> {
    /// The moves from the start to the state at `index`.
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

/// The states that can be reached, `limit` of them at most, until one is a `goal`, which is then the last.
pub fn explore<S, M, I>(
    start: S,
    limit: usize,
    mut goal: impl FnMut(&S) -> bool,
    mut moves: impl FnMut(&S) -> I,
) -> (Found<S, M>, bool)
where
    S: Clone + Eq + Hash,
    M: Clone,
    I: IntoIterator<Item = (M, S)>,
{
    let mut numbers = HashMap::from([(start.clone(), 0_usize)]);
    let done = goal(&start);
    let mut found = Found {
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

/// The moves of a shortest way to a goal, and the goal; none when `limit` states hold no goal.
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
