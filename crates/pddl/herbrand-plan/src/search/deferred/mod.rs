//! A* that evaluates states late, with the landmarks of their parents.

mod archive;

use herbrand_ground::ActionId;

use super::open::OpenList;
use super::space::Space;
use super::{Ending, Halt};
use crate::heuristic::{LandmarkCut, Landmarks};
use crate::states::Discovery;
use archive::Archive;

/// A* with the LM-cut heuristic. It finds plans of the same cost as [`BestFirst`](super::BestFirst) with this heuristic, but
/// evaluates fewer states, each in less time:
///
/// - A new state is not evaluated. It waits with a bound that its parent gives: the landmarks of the parent that do not
///   contain the action are landmarks of the state. It is evaluated when it is the first in the open list, and waits again
///   if that raises its bound. A state that is never the first is never evaluated.
/// - An evaluation starts with those landmarks of the parent, and finds only what they lack.
///
/// ```text
///   landmarks of the parent ──▶ bound ──▶ open list ──▶ evaluate ──▶ expand
///                                            ▲             │
///                                            └─────────────┘ the bound is higher
/// ```
pub(crate) struct Deferred<'t> {
    heuristic: LandmarkCut<'t>,
    open: OpenList<(u64, u64), Waiting>,
    /// For each state, a lower bound of the cost to the goal, and whether it was evaluated.
    bounds: Vec<u64>,
    is_evaluated: Vec<bool>,
    /// The landmarks of evaluated states.
    archive: Archive,
    /// The landmarks of one state.
    landmarks: Landmarks,
    /// For each action, the sum of the prices of the landmarks that contain it.
    paid: Vec<u64>,
}

/// An entry of the open list: a state, and its path cost when the entry was added.
type Waiting = (u32, u64);

/// The bound of a dead end.
const DEAD: u64 = u64::MAX;

impl<'t> Deferred<'t> {
    pub(crate) fn new(heuristic: LandmarkCut<'t>) -> Self {
        Self {
            heuristic,
            open: OpenList::new(),
            bounds: Vec::new(),
            is_evaluated: Vec::new(),
            archive: Archive::default(),
            landmarks: Landmarks::default(),
            paid: Vec::new(),
        }
    }

    /// Searches from the start state of `space`, which has no other states yet. The path to the goal state returned is a
    /// cheapest one.
    pub(crate) fn run(&mut self, space: &mut Space<'_, '_>) -> Result<Ending, Halt> {
        self.archive.limit(space.request().budget.limits().bytes);
        self.search(space)
    }

    fn search(&mut self, space: &mut Space<'_, '_>) -> Result<Ending, Halt> {
        self.paid.resize(space.task().simulator().task().actions.len(), 0);
        let mut actions = Vec::<ActionId>::new();
        self.wait(space, 0, 0);
        while let Some(((least, _), (state, cost))) = self.open.pop() {
            if space.node(state).cost != cost {
                continue;
            }
            space.raise_bound(least);
            space.check(|| self.bytes())?;
            space.go_to(state);
            if space.walker.is_goal() {
                return Ok(Ending::Goal(state));
            }
            let before = self.bounds[state as usize];
            self.recall(space, state);
            if self.bounds[state as usize] > before {
                self.wait(space, state, before);
                continue;
            }
            space.statistics.expanded += 1;
            space.actions(&mut actions);
            self.expand(space, state, &actions);
        }
        Ok(Ending::Nothing)
    }

    /// Adds a state to the open list, unless it is a dead end. `bound` is a lower bound of its cost to the goal.
    fn wait(&mut self, space: &Space<'_, '_>, state: u32, bound: u64) {
        if self.bounds.len() == state as usize {
            self.bounds.push(bound);
            self.is_evaluated.push(false);
        }
        let known = &mut self.bounds[state as usize];
        *known = bound.max(*known);
        if *known != DEAD {
            let (bound, cost) = (*known, space.node(state).cost);
            self.open.push((cost.saturating_add(bound), bound), (state, cost));
        }
    }

    /// Gets the landmarks of the walker's state. If the state was not evaluated before, this evaluates it and raises its
    /// bound.
    fn recall(&mut self, space: &mut Space<'_, '_>, state: u32) {
        self.landmarks.clear();
        if self.is_evaluated[state as usize] {
            // If they are no longer in the archive, the successors of the state have weaker bounds.
            let words = self.archive.get(state);
            words.into_iter().for_each(|words| self.landmarks.extend(words));
            return;
        }
        self.is_evaluated[state as usize] = true;
        if let Some((parent, action)) = space.way_to(state)
            && let Some(words) = self.archive.get(parent)
        {
            self.landmarks.extend_without(words, action);
        }
        space.counts_evaluations(1);
        let estimate = self.heuristic.refine(&space.walker, &mut self.landmarks);
        let bound = &mut self.bounds[state as usize];
        match estimate {
            None => {
                space.statistics.dead_ends += 1;
                *bound = DEAD;
            }
            Some(estimate) => {
                *bound = estimate.max(*bound);
                space.improves(estimate);
                self.archive.put(state, self.landmarks.words());
            }
        }
    }

    /// Finds the successors of the walker's state, whose landmarks are known.
    fn expand(&mut self, space: &mut Space<'_, '_>, state: u32, actions: &[ActionId]) {
        let mut total = 0;
        for (price, actions) in self.landmarks.iter() {
            total += u64::from(price);
            for &action in actions {
                self.paid[action as usize] += u64::from(price);
            }
        }
        let (bound, cost) = (self.bounds[state as usize], space.node(state).cost);
        for &action in actions {
            let Some(reached) = space.find(state, action, u64::MAX) else {
                continue;
            };
            if reached.news != Discovery::Nothing {
                let kept = (total - self.paid[action.index()]) * self.heuristic.unit();
                let step = space.node(reached.state).cost - cost;
                self.wait(space, reached.state, kept.max(bound.saturating_sub(step)));
            }
            space.back_to(state);
        }
        for (_, actions) in self.landmarks.iter() {
            actions.iter().for_each(|&action| self.paid[action as usize] = 0);
        }
    }

    fn bytes(&self) -> usize {
        self.open.bytes()
            + self.bounds.capacity() * size_of::<u64>()
            + self.is_evaluated.capacity()
            + self.archive.bytes()
    }
}

#[cfg(test)]
mod tests {
    use herbrand_limits::Budget;
    use proptest::prelude::*;

    use super::*;
    use crate::heuristic::Admissible;
    use crate::outcome::PlanRequest;
    use crate::search::{BestFirst, Order};
    use crate::strategies::any_task;
    use crate::task::SearchTask;

    /// The number of evaluations after which a test gives up.
    const EVALUATIONS: u64 = 300;

    /// The number of states of a search whose bounds are compared.
    const STATES: u32 = 12;

    /// Returns what `search` returns for the space of a task.
    fn within<T>(task: &SearchTask, seed: u64, search: impl FnOnce(&mut Space<'_, '_>) -> T) -> T {
        let mut request = PlanRequest {
            budget: Budget::unlimited(),
            seed,
            progress: &mut |_| {},
        };
        let mut space = Space::new(task, &mut request);
        space.begin_turn(EVALUATIONS, seed);
        search(&mut space)
    }

    /// Returns the cost of the path to the goal that a search found.
    fn cost(space: &Space<'_, '_>, ending: Ending) -> Option<u64> {
        match ending {
            Ending::Goal(state) => Some(space.node(state).cost),
            Ending::Nothing => None,
        }
    }

    /// The slow twin: A* that evaluates every state when it is found.
    fn eager(task: &SearchTask, admissible: Admissible) -> Result<Option<u64>, Halt> {
        let heuristic = admissible.heuristic(task, &Budget::unlimited())?;
        within(task, 0, |space| {
            let ending = BestFirst::new(vec![heuristic], Order::AStar).run(space)?;
            Ok(cost(space, ending))
        })
    }

    fn deferred(task: &SearchTask) -> Deferred<'_> {
        Deferred::new(LandmarkCut::new(task, &Budget::unlimited()).expect("no limit"))
    }

    proptest! {
        /// Late evaluation finds plans of the same cost, whether or not the archive forgets landmarks.
        #[test]
        fn plans_cost_as_much_as_those_of_eager_search(task in any_task(), seed in 0_u64..3, words in 0_u64..60) {
            let Ok(expected) = eager(&task, Admissible::LandmarkCut) else { return Ok(()) };
            for bytes in [None, Some(words * 64)] {
                let mut search = deferred(&task);
                let found = within(&task, seed, |space| {
                    search.archive.limit(bytes);
                    let ending = search.search(space)?;
                    Ok::<_, Halt>(cost(space, ending))
                });
                if let Ok(found) = found {
                    prop_assert_eq!(found, expected);
                }
            }
        }

        /// A state waits again if its evaluation raises its bound, and forever if that finds a dead end.
        #[test]
        fn no_state_follows_a_dead_end(task in any_task()) {
            let mut search = deferred(&task);
            let parents: Vec<_> = within(&task, 0, |space| {
                // A search that gives up has states, too.
                let _ = search.search(space);
                (1..space.len() as u32).filter_map(|state| space.way_to(state)).collect()
            });
            for (parent, _) in parents {
                prop_assert!(search.bounds[parent as usize] != DEAD);
            }
        }

        /// No state has a bound above the cost of its cheapest plan, and dead ends have none.
        #[test]
        fn bounds_are_at_most_the_cost_of_a_plan(task in any_task()) {
            let mut search = deferred(&task);
            let states = within(&task, 0, |space| {
                search.search(space).ok()?;
                let state = |number: u32| {
                    let mut state = task.start().clone();
                    let mut walker = task.simulator().walker();
                    walker.set_words(space.words(number)).ok()?;
                    state.clone_from(walker.state());
                    Some(state)
                };
                (0..STATES.min(space.len() as u32)).map(state).collect::<Option<Vec<_>>>()
            });
            for (&bound, state) in search.bounds.iter().zip(states.into_iter().flatten()) {
                let Ok(exact) = eager(&task.starting_at(state), Admissible::Blind) else { continue };
                prop_assert!(bound <= exact.unwrap_or(DEAD), "{bound} for {exact:?}");
            }
        }
    }
}
