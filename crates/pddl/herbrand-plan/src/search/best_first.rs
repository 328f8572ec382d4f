//! Best-first searches that evaluate states when they are found, in batches.

use fxhash::FxHashMap;
use herbrand_ground::ActionId;

use super::evaluators::Evaluators;
use super::novelty::Novelty;
use super::open::Alternation;
use super::space::Space;
use super::{Ending, Halt};
use crate::heuristic::{Heuristic, units};
use crate::states::Discovery;

/// The order in which a best-first search expands the states that it has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// By the estimate. Several heuristics and policies take turns.
    Greedy,
    /// By path cost plus estimate, then the estimate: A* (Hart, Nilsson and Raphael 1968). States are expanded again if a cheaper
    /// path to them is found, because the heuristic may be inconsistent.
    AStar,
    /// By novelty among the states with the same estimate in whole units, then by the estimate.
    Width,
    /// In layers: of the states found from one layer, those with the lowest estimates are the next layer, up to this number.
    Beam(usize),
}

/// A best-first search: of the states that wait, the first in an [`Order`] is expanded next, and of several the oldest. Where
/// heuristics do not take turns, their largest estimate counts.
///
/// New states are not evaluated before there are enough for a batch, or nothing is left to expand. So a search in batches
/// expands more states, and asks less often.
pub(crate) struct BestFirst<'t> {
    evaluators: Evaluators<'t>,
    order: Order,
    /// Whether states that preferred actions lead to have open lists of their own.
    prefers: bool,
    /// The number of states that are evaluated at once.
    batch: usize,
    /// The states to be expanded. Each evaluator has two lists: for all states, and for those by preferred actions.
    open: Alternation<(u64, u64), u32>,
    /// For each evaluated state, whether it is a dead end or was expanded.
    is_done: Vec<bool>,
    /// For A*, the estimate of each evaluated state.
    estimates: Vec<f64>,
    /// For each evaluator, its lowest estimate.
    best: Vec<f64>,
    novelty: Novelty,
    classes: FxHashMap<u64, u32>,
    /// The next layer of a beam.
    layer: Vec<((u64, u64), u32)>,
    /// Whether states were left out that may lead to the goal.
    pub(crate) is_pruned: bool,
}

/// The number of turns by which preferred states get priority when an estimate improves.
const BOOST: i64 = 1000;

impl<'t> BestFirst<'t> {
    pub(crate) fn new(heuristics: Vec<Box<dyn Heuristic + 't>>, order: Order) -> Self {
        let evaluators = Evaluators::new(heuristics);
        Self {
            order,
            prefers: false,
            batch: 1,
            open: Alternation::new(2 * evaluators.len().max(1)),
            is_done: Vec::new(),
            estimates: Vec::new(),
            best: vec![f64::INFINITY; evaluators.len()],
            novelty: Novelty::new(0),
            classes: FxHashMap::default(),
            layer: Vec::new(),
            is_pruned: false,
            evaluators,
        }
    }

    /// Evaluates this many states at once.
    pub(crate) fn in_batches(self, batch: usize) -> Self {
        Self { batch, ..self }
    }

    /// Follows preferred actions.
    pub(crate) fn with_preferred(self) -> Self {
        let prefers = true;
        Self { prefers, ..self }
    }

    /// Returns whether no heuristic overestimates.
    pub(crate) fn is_admissible(&self) -> bool {
        self.evaluators.are_admissible()
    }

    /// Searches from the start state of `space`. By A* with admissible heuristics, the path to the goal state returned is a
    /// cheapest one.
    pub(crate) fn run(&mut self, space: &mut Space<'_, '_>) -> Result<Ending, Halt> {
        let is_astar = self.order == Order::AStar;
        let proves = is_astar && self.is_admissible();
        if !is_astar && space.walker.is_goal() {
            return Ok(Ending::Goal(0));
        }
        self.novelty = Novelty::new(space.task().simulator().task().fluent_count());
        let mut actions = Vec::<ActionId>::new();
        self.evaluate(space)?;
        loop {
            let Some((key, state)) = self.open.pop() else {
                if self.refill(space)? {
                    continue;
                }
                return Ok(Ending::Nothing);
            };
            if self.is_done[state as usize] {
                continue;
            }
            space.check(|| self.bytes())?;
            space.go_to(state);
            if is_astar && (proves || space.walker.is_goal()) {
                // States that wait could be closer to the goal.
                let waits = self.evaluators.evaluated < space.len();
                if waits && space.walker.is_goal() {
                    self.open.extend(0, key, std::iter::once(state));
                    self.evaluate(space)?;
                    continue;
                }
                if !waits && proves {
                    space.raise_bound(key.0);
                }
                if space.walker.is_goal() {
                    return Ok(Ending::Goal(state));
                }
            }
            self.is_done[state as usize] = true;
            space.statistics.expanded += 1;
            space.actions(&mut actions);
            self.evaluators.expand(state);
            for &action in &actions {
                let Some(reached) = space.step(state, action, u64::MAX) else {
                    continue;
                };
                match reached.news {
                    Discovery::State => {
                        if !is_astar && space.walker.is_goal() {
                            return Ok(Ending::Goal(reached.state));
                        }
                        self.evaluators.found(state, action);
                        if space.len() - self.evaluators.evaluated >= self.batch {
                            self.evaluate(space)?;
                        }
                    }
                    Discovery::Way if is_astar => self.again(space, reached.state),
                    Discovery::Way | Discovery::Nothing => {}
                }
                space.back_to(state);
            }
        }
    }

    /// Evaluates the states that wait, and makes the next layer of a beam. Returns whether there is something to expand now.
    fn refill(&mut self, space: &mut Space<'_, '_>) -> Result<bool, Halt> {
        if self.evaluators.evaluated < space.len() {
            self.evaluate(space)?;
        }
        if let Order::Beam(width) = self.order {
            self.layer.sort_unstable();
            self.is_pruned |= self.layer.len() > width;
            for (key, state) in self.layer.drain(..).take(width) {
                self.open.extend(0, key, std::iter::once(state));
            }
        }
        Ok(!self.open.is_empty())
    }

    /// Evaluates the states that wait, and adds them to the open lists unless they are dead ends.
    fn evaluate(&mut self, space: &mut Space<'_, '_>) -> Result<(), Halt> {
        space.check(|| self.bytes())?;
        let first = self.evaluators.evaluated;
        self.evaluators.evaluate(space)?;
        for state in first..space.len() {
            let place = state - first;
            let estimate = self.evaluators.estimate(place);
            self.is_done.push(estimate.is_infinite());
            if self.order == Order::AStar {
                self.estimates.push(estimate);
            }
            if estimate.is_finite() {
                space.improves(units(estimate));
                self.wait(space, place, state as u32);
            }
        }
        Ok(())
    }

    /// Adds a state, which is at a place of the last batch, to the open lists.
    fn wait(&mut self, space: &mut Space<'_, '_>, place: usize, state: u32) {
        let estimate = self.evaluators.estimate(place);
        match self.order {
            Order::Greedy => self.take_turns(place, state),
            Order::AStar => self.again(space, state),
            Order::Width => {
                let next = self.classes.len() as u32;
                let class = *self.classes.entry(units(estimate)).or_insert(next);
                space.go_to(state);
                let measure = self.novelty.of(&space.walker, class, false);
                let key = (u64::from(measure), estimate.to_bits());
                self.open.extend(0, key, std::iter::once(state));
            }
            Order::Beam(_) => {
                let policies = (0..self.evaluators.len()).filter(|&one| self.evaluators.is_policy(one));
                let path = policies.map(|one| self.evaluators.key(one, place));
                let path = path.fold(0.0, f64::max);
                self.layer.push(((estimate.to_bits(), path.to_bits()), state));
            }
        }
    }

    /// Adds a state to the lists of all evaluators, unless its path has no probability under a policy.
    fn take_turns(&mut self, place: usize, state: u32) {
        let mut is_taken = false;
        for evaluator in 0..self.evaluators.len() {
            let key = self.evaluators.key(evaluator, place);
            if key.is_infinite() {
                continue;
            }
            is_taken = true;
            let bits = (key.to_bits(), 0);
            self.open.extend(2 * evaluator, bits, std::iter::once(state));
            if self.prefers && self.evaluators.is_promising(place) {
                self.open.extend(2 * evaluator + 1, bits, std::iter::once(state));
            }
            if key < self.best[evaluator] {
                self.best[evaluator] = key;
                self.open.boost(2 * evaluator + 1, BOOST);
            }
        }
        self.is_pruned |= !is_taken;
    }

    /// Adds a state to the open list of A* by its cheapest path, if it is evaluated and no dead end.
    fn again(&mut self, space: &Space<'_, '_>, state: u32) {
        let Some(&estimate) = self.estimates.get(state as usize) else {
            return;
        };
        if estimate.is_finite() {
            let least = space.node(state).cost.saturating_add(units(estimate));
            self.open
                .extend(0, (least, estimate.to_bits()), std::iter::once(state));
            self.is_done[state as usize] = false;
        }
    }

    fn bytes(&self) -> usize {
        let states = self.is_done.capacity() + self.estimates.capacity() * size_of::<f64>();
        let layer = self.layer.capacity() * size_of::<((u64, u64), u32)>();
        self.open.bytes() + self.evaluators.bytes() + self.novelty.bytes() + states + layer
    }
}
