//! The states that a search has found.

use std::time::Duration;

use herbrand_core::{Random, uniform_below};
use herbrand_ground::ActionId;
use herbrand_limits::{Instant, Spent};
use herbrand_step::{StateStore, Walker};

use crate::heuristic::{Heuristic, Visit};
use crate::outcome::{Outcome, Plan, Report, Request, Statistics};
use crate::task::SearchTask;

/// The states that a search has found, each with the best way to it, and a walker that goes from one to the other.
pub(crate) struct Space<'a, 'r> {
    task: &'a SearchTask,
    request: &'a mut Request<'r>,
    pub(crate) walker: Walker,
    store: StateStore,
    /// By state.
    nodes: Vec<Node>,
    pub(crate) statistics: Statistics,
    began: Instant,
    /// When the progress function was called last.
    told: Instant,
    /// Shuffles successors.
    ties: Option<Random>,
    /// Nothing is drawn from it: the task has no chance.
    unused: Random,
    /// What other parts of the search hold.
    held: usize,
}

/// How a state was reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// What the way to it costs.
    pub(crate) cost: u64,
    parent: u32,
    action: u32,
}

/// A state that a step has led to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    pub(crate) state: u32,
    pub(crate) news: News,
}

/// What a step has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum News {
    /// A new state.
    State,
    /// A cheaper way to a state that was known.
    Way,
    /// Nothing.
    Nothing,
}

const NO_PARENT: u32 = u32::MAX;

/// The time between two calls of the progress function, improvements apart.
const PERIOD: Duration = Duration::from_millis(50);

impl<'a, 'r> Space<'a, 'r> {
    /// The space with the state to start from, in which the walker is.
    pub(crate) fn new(task: &'a SearchTask, request: &'a mut Request<'r>) -> Self {
        let began = Instant::now();
        let walker = task.simulator().walker();
        let mut space = Self {
            store: StateStore::new(task.start().words().len()),
            nodes: Vec::new(),
            statistics: Statistics::default(),
            began,
            told: began,
            ties: (request.seed != 0).then(|| Random::new(request.seed)),
            unused: Random::new(0),
            held: 0,
            walker,
            task,
            request,
        };
        space.start_again();
        space
    }

    /// Forgets all states, and goes to the one to start from. Statistics go on.
    pub(crate) fn start_again(&mut self) {
        let start = self.task.start();
        self.store = StateStore::new(start.words().len());
        self.store.find_or_insert(start.words());
        self.nodes.clear();
        self.nodes.push(Node {
            cost: 0,
            parent: NO_PARENT,
            action: 0,
        });
        self.go_to(0);
    }

    pub(crate) const fn task(&self) -> &'a SearchTask {
        self.task
    }

    pub(crate) const fn request(&self) -> &Request<'r> {
        self.request
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, state: u32) -> Node {
        self.nodes[state as usize]
    }

    /// The state from which a state was reached.
    pub(crate) fn parent(&self, state: u32) -> Option<u32> {
        Some(self.node(state).parent).filter(|&parent| parent != NO_PARENT)
    }

    /// Brings the walker to a state.
    pub(crate) fn go_to(&mut self, state: u32) {
        let words = self.store.get(state as usize);
        let went = self.walker.set_words(words);
        debug_assert!(went.is_ok(), "the states of a store have one size");
    }

    /// The valid actions of the walker's state, in the order in which their successors are to be looked at.
    pub(crate) fn actions(&mut self, into: &mut Vec<ActionId>) {
        into.clear();
        into.extend(self.walker.valid().iter());
        if let Some(random) = &mut self.ties {
            for end in (1..into.len()).rev() {
                into.swap(end, uniform_below(random, end as u32 + 1) as usize);
            }
        }
    }

    /// Takes an action from `state`, in which the walker is. `None` if its effects have no result there, or if the way
    /// would cost `bound` or more; then the walker has not moved, or must be taken back: see [`undo`](Self::undo).
    pub(crate) fn step(&mut self, state: u32, action: ActionId, bound: u64) -> Option<Reached> {
        self.walker.apply(action, &mut self.unused).ok()?;
        self.statistics.generated += 1;
        let step = self.task.costs().of_step(action, &self.walker);
        let cost = self.node(state).cost.saturating_add(step);
        if cost >= bound {
            self.walker.undo();
            return None;
        }
        let node = Node {
            cost,
            parent: state,
            action: action.number(),
        };
        let (number, is_new) = self.store.find_or_insert(self.walker.state().words());
        let news = match self.nodes.get_mut(number) {
            None => {
                self.nodes.push(node);
                News::State
            }
            Some(known) if cost < known.cost => {
                *known = node;
                News::Way
            }
            Some(_) => News::Nothing,
        };
        debug_assert_eq!(is_new, news == News::State);
        Some(Reached {
            state: number as u32,
            news,
        })
    }

    /// Takes the last step back.
    pub(crate) fn undo(&mut self) {
        self.walker.undo();
    }

    /// Asks a heuristic about the walker's state, whose number is `state`. Says what the actions are that it prefers.
    pub(crate) fn evaluate(
        &mut self,
        heuristic: &mut dyn Heuristic,
        state: u32,
        preferred: &mut Vec<ActionId>,
    ) -> Option<u64> {
        let visit = Visit {
            walker: &self.walker,
            state,
            parent: self.parent(state),
        };
        self.statistics.evaluated += 1;
        let estimate = heuristic.evaluate(visit, preferred);
        self.statistics.dead_ends += u64::from(estimate.is_none());
        estimate
    }

    /// Says how many bytes open lists and heuristics hold, and checks the budget.
    pub(crate) fn check(&mut self, held: usize) -> Result<(), Spent> {
        self.held = held;
        if self.told.elapsed() >= PERIOD {
            self.tell();
        }
        self.request.budget.check("planning", self.bytes())
    }

    fn bytes(&self) -> u64 {
        let found = self.store.bytes() + self.nodes.capacity() * size_of::<Node>();
        self.task.bytes() + (found + self.held) as u64
    }

    /// Notes a value of the heuristic, and whether it is the least so far.
    pub(crate) fn improves(&mut self, estimate: u64) -> bool {
        let better = self.statistics.best_heuristic.is_none_or(|best| estimate < best);
        if better {
            self.statistics.best_heuristic = Some(estimate);
            self.tell();
        }
        better
    }

    /// Calls the progress function.
    pub(crate) fn tell(&mut self) {
        self.told = Instant::now();
        self.update();
        (self.request.progress)(&self.statistics);
    }

    fn update(&mut self) {
        self.statistics.states = self.statistics.states.max(self.len() as u64);
        self.statistics.bytes = self.statistics.bytes.max(self.bytes());
        self.statistics.time = self.began.elapsed();
    }

    /// The plan that leads to a state, and what it costs in units. The walker goes along.
    pub(crate) fn plan_to(&mut self, state: u32, proven_optimal: bool) -> (Plan, u64) {
        let mut actions = Vec::new();
        let mut at = state;
        while let Some(parent) = self.parent(at) {
            actions.push(ActionId::new(self.node(at).action));
            at = parent;
        }
        actions.reverse();
        // A cheaper way to a state may have been found after its successors were.
        self.go_to(0);
        let mut cost = 0;
        for &action in &actions {
            let went = self.walker.apply(action, &mut self.unused);
            debug_assert!(went.is_ok(), "each step was taken before");
            cost += self.task.costs().of_step(action, &self.walker);
        }
        let plan = Plan {
            steps: actions.iter().map(|&action| self.task.origin(action)).collect(),
            cost: self.task.costs().value(cost),
            proven_optimal,
            searched: actions,
        };
        (plan, cost)
    }

    /// What it means that nothing is left to be looked at, of all that can be reached.
    pub(crate) const fn nothing_left(&self) -> Outcome {
        if self.task.is_complete() {
            Outcome::ProvenUnsolvable
        } else {
            Outcome::Exhausted
        }
    }

    pub(crate) fn report(mut self, outcome: Outcome) -> Report {
        self.update();
        Report {
            outcome,
            statistics: self.statistics,
        }
    }
}
