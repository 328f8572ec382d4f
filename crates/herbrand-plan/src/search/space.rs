//! The states that a search has found.

use std::time::Duration;

use herbrand_core::{Random, uniform_below};
use herbrand_ground::ActionId;
use herbrand_limits::{Instant, Spent};
use herbrand_step::Walker;

use super::Halt;
use super::leap::Leaps;
use super::states::{News, Node, Reached, States};
use crate::heuristic::{Heuristic, Visit};
use crate::outcome::{Outcome, Plan, Report, Request, Statistics};
use crate::task::SearchTask;

/// The states that a search has found, each with the best way to it, and a walker that goes from one to the other.
///
/// A step to a state that was found before is noticed without the walker where that is possible: see [`Leaps`].
pub(crate) struct Space<'a, 'r> {
    task: &'a SearchTask,
    request: &'a mut Request<'r>,
    /// In the state that the search asked for last: by [`go_to`](Self::go_to), or by a step that found something.
    pub(crate) walker: Walker,
    /// The number of the walker's state, and of the one that it came from by its last step.
    at: u32,
    from: u32,
    leaps: Leaps,
    /// The words of a successor.
    successor: Vec<u64>,
    states: States,
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
    /// How many states have been evaluated when the turn ends.
    turn_end: u64,
    /// Work since the last look at the clock, and how much of that the evaluation of a state is.
    work: u32,
    evaluation: u32,
}

/// No state.
const NO_STATE: u32 = u32::MAX;

/// The time between two calls of the progress function, improvements apart.
const PERIOD: Duration = Duration::from_millis(50);

/// How much is done between two looks at the clock, in successors.
const WORK: u32 = 128;

/// How many actions of a task make the evaluation of a state as much work as one more successor.
const ACTIONS: usize = 128;

impl<'a, 'r> Space<'a, 'r> {
    /// The space with the state to start from, in which the walker is.
    pub(crate) fn new(task: &'a SearchTask, request: &'a mut Request<'r>) -> Self {
        let began = Instant::now();
        let walker = task.simulator().walker();
        let mut space = Self {
            states: States::new(task.start().words()),
            statistics: Statistics::default(),
            began,
            told: began,
            ties: ties(request.seed),
            unused: Random::new(0),
            held: 0,
            turn_end: u64::MAX,
            // The first check looks.
            work: WORK,
            evaluation: u32::try_from(task.simulator().task().actions.len() / ACTIONS).unwrap_or(WORK),
            at: NO_STATE,
            from: NO_STATE,
            leaps: Leaps::of(task),
            successor: Vec::new(),
            walker,
            task,
            request,
        };
        space.start_again();
        space
    }

    /// Forgets all states, and goes to the one to start from. Statistics go on.
    pub(crate) fn start_again(&mut self) {
        self.states = States::new(self.task.start().words());
        self.at = NO_STATE;
        self.go_to(0);
    }

    /// Forgets all states, and begins a turn of one of several searches: it may evaluate so many states, and shuffles
    /// successors by a seed as [`Request::seed`] says.
    pub(crate) fn begin_turn(&mut self, evaluations: u64, seed: u64) {
        self.start_again();
        self.turn_end = self.statistics.evaluated.saturating_add(evaluations);
        self.ties = ties(seed);
    }

    pub(crate) const fn task(&self) -> &'a SearchTask {
        self.task
    }

    pub(crate) const fn request(&self) -> &Request<'r> {
        self.request
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn node(&self, state: u32) -> Node {
        self.states.node(state)
    }

    /// The state from which a state was reached.
    pub(crate) fn parent(&self, state: u32) -> Option<u32> {
        self.states.way_to(state).map(|(parent, _)| parent)
    }

    /// Brings the walker to a state.
    pub(crate) fn go_to(&mut self, state: u32) {
        if self.at == state {
            return;
        }
        let went = self.walker.set_words(self.states.words(state));
        debug_assert!(went.is_ok(), "the states of a store have one size");
        self.at = state;
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

    /// Takes an action that is valid in `state`. `None` if its effects have no result there, or if the way would cost `bound`
    /// or more. If the step finds something, the walker goes along; otherwise it is anywhere.
    pub(crate) fn step(&mut self, state: u32, action: ActionId, bound: u64) -> Option<Reached> {
        match self.leap(state, action, bound) {
            Some(reached) => {
                let reached = reached?;
                if reached.news != News::Nothing {
                    self.enter(state, action, reached.state);
                }
                Some(reached)
            }
            None => self.walk(state, action, bound),
        }
    }

    /// Finds what an action leads to without the walker. `None` if that takes a walker.
    fn leap(&mut self, state: u32, action: ActionId, bound: u64) -> Option<Option<Reached>> {
        let step = self.task.costs().fixed(action)?;
        let task = self.task.simulator().task();
        self.successor.clear();
        self.successor.extend_from_slice(self.states.words(state));
        if !self.leaps.take(task, action, &mut self.successor) {
            return None;
        }
        self.statistics.generated += 1;
        let cost = self.node(state).cost.saturating_add(step);
        Some((cost < bound).then(|| self.states.note(state, action, cost, &self.successor)))
    }

    /// Brings the walker to a successor of `state`.
    fn enter(&mut self, state: u32, action: ActionId, successor: u32) {
        if self.at != state {
            return self.go_to(successor);
        }
        let went = self.walker.apply(action, &mut self.unused);
        debug_assert!(went.is_ok(), "an action that is leapt is valid and has a result");
        debug_assert_eq!(self.walker.state().words(), self.states.words(successor));
        (self.from, self.at) = (state, successor);
    }

    /// Takes an action with the walker.
    fn walk(&mut self, state: u32, action: ActionId, bound: u64) -> Option<Reached> {
        self.go_to(state);
        self.walker.apply(action, &mut self.unused).ok()?;
        self.statistics.generated += 1;
        let step = self.task.costs().of_step(action, &self.walker);
        let cost = self.node(state).cost.saturating_add(step);
        if cost >= bound {
            self.walker.undo();
            return None;
        }
        let words = self.walker.state().words();
        let reached = self.states.note(state, action, cost, words);
        (self.from, self.at) = (state, reached.state);
        Some(reached)
    }

    /// Brings the walker to the state in which it was before its last step, or was not taken from.
    pub(crate) fn back_to(&mut self, state: u32) {
        if self.at != state && self.from == state && self.walker.undo() {
            self.at = state;
        } else {
            self.go_to(state);
        }
    }

    /// Asks a heuristic about the walker's state, whose number is `state`. Says what the actions are that it prefers.
    pub(crate) fn evaluate(
        &mut self,
        heuristic: &mut dyn Heuristic,
        state: u32,
        preferred: &mut Vec<ActionId>,
    ) -> Option<u64> {
        self.counts_evaluation();
        let visit = Visit {
            walker: &self.walker,
            state,
            parent: self.parent(state),
        };
        let estimate = heuristic.evaluate(visit, preferred);
        self.statistics.dead_ends += u64::from(estimate.is_none());
        estimate
    }

    /// Counts a state of which more is asked than whether it is new.
    pub(crate) fn counts_evaluation(&mut self) {
        if self.statistics.evaluated == 0 {
            self.statistics.preparation = self.began.elapsed();
        }
        self.statistics.evaluated += 1;
        self.work = self.work.saturating_add(self.evaluation);
    }

    /// Says how many bytes open lists and heuristics hold, and checks the budget, but only after so much work that looking at
    /// the clock takes no time beside it.
    #[inline]
    pub(crate) fn check(&mut self, held: impl FnOnce() -> usize) -> Result<(), Halt> {
        if self.statistics.evaluated >= self.turn_end {
            return Err(Halt::Turn);
        }
        self.work = self.work.saturating_add(1);
        if self.work < WORK {
            return Ok(());
        }
        self.work = 0;
        Ok(self.look(held())?)
    }

    fn look(&mut self, held: usize) -> Result<(), Spent> {
        self.held = held;
        if self.told.elapsed() >= PERIOD {
            self.tell();
        }
        self.request.budget.check("planning", self.bytes())
    }

    fn bytes(&self) -> u64 {
        let found = self.states.bytes() + self.leaps.bytes();
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
        while let Some((parent, action)) = self.states.way_to(at) {
            actions.push(action);
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
        self.at = state;
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

/// What shuffles successors, if anything does.
fn ties(seed: u64) -> Option<Random> {
    (seed != 0).then(|| Random::new(seed))
}
