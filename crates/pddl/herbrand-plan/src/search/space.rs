//! The search space: the states found so far, with a walker.

use std::ops::Range;
use std::time::Duration;

use herbrand_core::{Random, uniform_below};
use herbrand_ground::ActionId;
use herbrand_limits::{BudgetExhausted, Instant};
use herbrand_step::{Rounding, Walker};

use super::Halt;
use super::leap::StaticEffects;
use crate::heuristic::{Answer, Heuristic};
use crate::outcome::{Plan, PlanRequest, Progress, Report, SearchOutcome, SearchStatistics};
use crate::states::{Discovery, Node, Reached, States};
use crate::task::SearchTask;

/// The states that a search has found, each with the cheapest path found to it, and a walker that moves between them.
///
/// Duplicates are detected without the walker if possible; see [`StaticEffects`].
pub(crate) struct Space<'a, 'r> {
    task: &'a SearchTask,
    request: &'a mut PlanRequest<'r>,
    /// A walker in the state that the search requested last, by [`go_to`](Self::go_to) or by a step with news.
    pub(crate) walker: Walker,
    /// The number of the walker's state; `from` is the state before the walker's last step.
    at: u32,
    from: u32,
    leaps: StaticEffects,
    /// A buffer for the words of a successor.
    successor: Vec<u64>,
    states: States,
    pub(crate) statistics: SearchStatistics,
    /// A lower bound of the cost of every plan, in units, if the search gives one.
    bound: Option<u64>,
    began: Instant,
    /// The time of the last progress call.
    told: Instant,
    /// Shuffles successors; `None` if the order of the text is kept.
    ties: Option<Random>,
    /// A generator for `Walker::apply`. Nothing is drawn from it, because the task is deterministic.
    unused: Random,
    /// The bytes used by open lists and heuristics.
    held: usize,
    /// The number of evaluated states at which the turn ends.
    turn_end: u64,
    /// The work since the clock was last read, in successors; `evaluation` is the work per evaluated state.
    work: u32,
    evaluation: u32,
}

/// Marks the absence of a state.
const NO_STATE: u32 = u32::MAX;

/// The time between two progress calls without an improvement.
const PERIOD: Duration = Duration::from_millis(50);

/// The work between two readings of the clock, in successors.
const WORK: u32 = 128;

/// The evaluation of a state counts as one more successor for each this many actions of the task.
const ACTIONS: usize = 128;

impl<'a, 'r> Space<'a, 'r> {
    /// Creates a space with the start state only. The walker is in it.
    pub(crate) fn new(task: &'a SearchTask, request: &'a mut PlanRequest<'r>) -> Self {
        let began = Instant::now();
        let walker = task.simulator().walker();
        let mut space = Self {
            states: States::new(task.start().words()),
            statistics: SearchStatistics::default(),
            bound: None,
            began,
            told: began,
            ties: ties(request.seed),
            unused: Random::new(0),
            held: 0,
            turn_end: u64::MAX,
            // Makes the first check read the clock.
            work: WORK,
            evaluation: u32::try_from(task.simulator().task().actions.len() / ACTIONS).unwrap_or(WORK),
            at: NO_STATE,
            from: NO_STATE,
            leaps: StaticEffects::of(task),
            successor: Vec::new(),
            walker,
            task,
            request,
        };
        space.start_again();
        space
    }

    /// Removes all states except the start state, and moves the walker there. Statistics continue.
    pub(crate) fn start_again(&mut self) {
        self.states = States::new(self.task.start().words());
        self.at = NO_STATE;
        self.go_to(0);
    }

    /// Starts a turn of a portfolio: removes all states except the start state, limits the number of states evaluated in
    /// this turn, and shuffles successors by `seed` as described at [`PlanRequest::seed`].
    pub(crate) fn begin_turn(&mut self, evaluations: u64, seed: u64) {
        self.start_again();
        self.turn_end = self.statistics.evaluated.saturating_add(evaluations);
        self.ties = ties(seed);
    }

    pub(crate) const fn task(&self) -> &'a SearchTask {
        self.task
    }

    pub(crate) const fn request(&self) -> &PlanRequest<'r> {
        self.request
    }

    /// Returns the number of states.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn node(&self, state: u32) -> Node {
        self.states.node(state)
    }

    #[cfg(test)]
    pub(crate) fn words(&self, state: u32) -> &[u64] {
        self.states.words(state)
    }

    /// Returns the parent of a state on its path; `None` for the start state.
    pub(crate) fn parent(&self, state: u32) -> Option<u32> {
        self.way_to(state).map(|(parent, _)| parent)
    }

    /// Returns the parent of a state on its path and the action that leads from it; `None` for the start state.
    pub(crate) fn way_to(&self, state: u32) -> Option<(u32, ActionId)> {
        self.states.way_to(state)
    }

    /// Moves the walker to a state.
    pub(crate) fn go_to(&mut self, state: u32) {
        if self.at == state {
            return;
        }
        let went = self.walker.set_words(self.states.words(state));
        debug_assert!(went.is_ok(), "the states of a store have one size");
        self.at = state;
    }

    /// Writes the valid actions of the walker's state, in the order in which the search should try them.
    pub(crate) fn actions(&mut self, into: &mut Vec<ActionId>) {
        into.clear();
        into.extend(self.walker.valid().iter());
        if let Some(random) = &mut self.ties {
            for end in (1..into.len()).rev() {
                into.swap(end, uniform_below(random, end as u32 + 1) as usize);
            }
        }
    }

    /// Applies an action that is valid in `state`. `None` if its effects have no result there, or if the path would cost
    /// `bound` or more. If the step reaches a new state or a state by a cheaper path, the walker moves to it; otherwise the
    /// walker's state is unspecified.
    pub(crate) fn step(&mut self, state: u32, action: ActionId, bound: u64) -> Option<Reached> {
        let reached = self.find(state, action, bound)?;
        if reached.news != Discovery::Nothing && self.at != reached.state {
            self.enter(state, action, reached.state);
        }
        Some(reached)
    }

    /// Does what [`step`](Self::step) does, but always leaves the walker in an unspecified state.
    pub(crate) fn find(&mut self, state: u32, action: ActionId, bound: u64) -> Option<Reached> {
        match self.leap(state, action, bound) {
            Some(reached) => reached,
            None => self.walk(state, action, bound),
        }
    }

    /// Applies an action without the walker. The outer `None` means that the action needs a walker; the inner one, that the
    /// path would cost `bound` or more.
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

    /// Moves the walker to the successor of `state` by `action`.
    fn enter(&mut self, state: u32, action: ActionId, successor: u32) {
        if self.at != state {
            return self.go_to(successor);
        }
        let went = self.walker.apply(action, &mut self.unused);
        debug_assert!(went.is_ok(), "an action that is leapt is valid and has a result");
        debug_assert_eq!(self.walker.state().words(), self.states.words(successor));
        (self.from, self.at) = (state, successor);
    }

    /// Applies an action with the walker.
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

    /// Moves the walker back to `state`, by undoing its last step if that is possible.
    pub(crate) fn back_to(&mut self, state: u32) {
        if self.at != state && self.from == state && self.walker.undo() {
            self.at = state;
        } else {
            self.go_to(state);
        }
    }

    /// Evaluates the states with these numbers by a heuristic, at once. It need not move the walker if this is in the only
    /// one.
    pub(crate) fn evaluate(
        &mut self,
        heuristic: &mut dyn Heuristic,
        numbers: Range<u32>,
        answer: &mut Answer,
    ) -> Result<(), Halt> {
        self.counts_evaluations(numbers.len());
        let walker = (&mut self.walker, &mut self.at);
        let answered = answer.ask(heuristic, walker, Some(&self.states), numbers);
        self.statistics.dead_ends += answered.map_err(Halt::Estimate)?;
        Ok(())
    }

    /// Makes the clock be read before each evaluation, however few actions there are.
    pub(crate) const fn watches_evaluations(&mut self) {
        self.evaluation = WORK;
    }

    /// Counts evaluations of this many states in the statistics and as work.
    pub(crate) fn counts_evaluations(&mut self, states: usize) {
        if self.statistics.evaluated == 0 {
            self.statistics.preparation = self.began.elapsed();
        }
        self.statistics.evaluated += states as u64;
        let work = self.evaluation.saturating_mul(states as u32);
        self.work = self.work.saturating_add(work);
    }

    /// Checks the limits of the turn and of the budget; `held` gives the bytes used by open lists and heuristics. The budget
    /// is checked only after some work, so that reading the clock takes negligible time.
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

    fn look(&mut self, held: usize) -> Result<(), BudgetExhausted> {
        self.held = held;
        if self.told.elapsed() >= PERIOD {
            self.tell(None);
        }
        self.request.budget.check("planning", self.bytes())
    }

    fn bytes(&self) -> u64 {
        let found = self.states.bytes() + self.leaps.bytes();
        self.task.bytes() + (found + self.held) as u64
    }

    /// Records a heuristic value, and returns whether it is the lowest so far.
    pub(crate) fn improves(&mut self, estimate: u64) -> bool {
        let better = self.statistics.best_heuristic.is_none_or(|best| estimate < best);
        if better {
            self.statistics.best_heuristic = Some(estimate);
            self.tell(None);
        }
        better
    }

    /// Records that no plan costs less than `units`.
    pub(crate) fn raise_bound(&mut self, units: u64) {
        self.bound = self.bound.max(Some(units));
    }

    /// Updates the statistics and calls the progress function, with a plan that was just found, if any.
    pub(crate) fn tell(&mut self, plan: Option<&Plan>) {
        self.told = Instant::now();
        self.update();
        (self.request.progress)(Progress {
            statistics: &self.statistics,
            plan,
        });
    }

    fn update(&mut self) {
        self.statistics.states = self.statistics.states.max(self.len() as u64);
        self.statistics.bytes = self.statistics.bytes.max(self.bytes());
        self.statistics.time = self.began.elapsed();
        let proves = self.task.proves_optimality() && !self.task.has_numbers();
        let bound = self.bound.filter(|_| proves);
        self.statistics.lower_bound = bound.map(|units| self.task.costs().value(units));
    }

    /// Returns the plan that leads to a state, and its cost in units. Moves the walker to the state.
    pub(crate) fn plan_to(&mut self, state: u32, proven_optimal: bool) -> (Plan, u64) {
        let mut actions = Vec::new();
        let mut at = state;
        while let Some((parent, action)) = self.states.way_to(at) {
            actions.push(action);
            at = parent;
        }
        actions.reverse();
        // The cost is recomputed, because a cheaper path to an inner state may have been found after its successors were
        // generated.
        self.go_to(0);
        let mut cost = 0_u64;
        for &action in &actions {
            let went = self.walker.apply(action, &mut self.unused);
            debug_assert!(went.is_ok(), "each step was taken before");
            cost = self
                .task
                .costs()
                .of_step(action, &self.walker)
                .saturating_add(cost);
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

    /// Returns the outcome of a search that exhausted all reachable states.
    pub(crate) const fn nothing_left(&self) -> SearchOutcome {
        if self.task.is_complete() {
            SearchOutcome::ProvenUnsolvable
        } else {
            SearchOutcome::Exhausted
        }
    }

    /// Ends the search. Where numbers may be rounded, it has proven nothing.
    pub(crate) fn report(mut self, mut outcome: SearchOutcome) -> Report {
        self.update();
        let words = (0..self.len() as u32).map(|state| self.states.words(state));
        self.statistics.rounding = Rounding::of(self.task.simulator().task(), words);
        let bound = self.bound.filter(|_| self.task.proves_optimality());
        self.statistics.lower_bound = bound.map(|units| self.task.costs().value(units));
        if self.statistics.rounding.is_some() {
            self.statistics.lower_bound = None;
            match &mut outcome {
                SearchOutcome::ProvenUnsolvable => outcome = SearchOutcome::Exhausted,
                SearchOutcome::Plan(plan) => plan.proven_optimal = false,
                _ => {}
            }
        }
        Report {
            outcome,
            statistics: self.statistics,
        }
    }
}

/// Returns the generator for shuffling successors; `None` for seed 0.
fn ties(seed: u64) -> Option<Random> {
    (seed != 0).then(|| Random::new(seed))
}
