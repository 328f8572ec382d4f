//! Computing the costs of facts by the additive heuristic.

use herbrand_step::Walker;

use super::queue::FactQueue;
use crate::relax::{DeleteRelaxation, Lists, NONE, Shift};

/// Computes the cost of each fact in the delete relaxation, where the costs of preconditions are added (Bonet and Geffner
/// 2001), and the operator that achieves the fact at that cost.
///
/// Facts are processed in ascending order of cost. Most of the work is counting the unreached preconditions of each
/// operator. Two optimisations avoid most of it: the preconditions that are true in the state are counted incrementally from
/// state to state, and operators with a single precondition are not counted.
///
/// ```text
///   state ──▶ facts that changed ──▶ base: preconditions left after the true facts
///                                      │ copied
///                                      ▼
///   fact of least cost ──▶ counted operators ──▶ none left ──▶ adds, with the sum of costs
///                     └──▶ steps: operators with one precondition ──▶ adds
/// ```
#[derive(Debug)]
pub(super) struct Exploration<'t> {
    relaxation: &'t DeleteRelaxation,
    /// For each operator, its cost per application.
    costs: Vec<u32>,
    /// The counted operators. `places` has the index of each operator in this list, or [`NONE`].
    counted: Vec<u32>,
    places: Vec<u32>,
    /// For each counted operator, its [`progress`] after the facts that are true in the last state.
    base: Vec<u64>,
    /// For each counted operator, its progress after all facts reached.
    progress: Vec<u64>,
    /// For each fact, the indices of the counted operators that need it.
    readers: Lists,
    /// For each counted operator, the facts that it adds.
    adds: Lists,
    /// The index of the counted operator that adds the goal, or [`NONE`].
    goal: u32,
    /// For each fact, the start of its entries in `steps`; then the end of the last ones.
    step_starts: Vec<u32>,
    steps: Vec<Step>,
    /// The facts that are true in the last state. `is_true` has a flag for each fact.
    true_facts: Vec<u32>,
    is_true: Vec<bool>,
    /// The facts that were true in the state before.
    before: Vec<u32>,
    /// For each fact, its cost and the operator that achieves it.
    reached: Vec<Reached>,
    queue: FactQueue,
}

/// An operator with a single precondition, for one of the facts that it adds.
#[derive(Clone, Copy, Debug)]
struct Step {
    add: u32,
    cost: u32,
    operator: u32,
}

#[derive(Clone, Copy, Debug)]
struct Reached {
    cost: u32,
    supporter: u32,
}

/// The value for an unreached fact.
const FAR: Reached = Reached {
    cost: u32::MAX,
    supporter: NONE,
};

/// The largest cost. Larger sums are capped, so facts this expensive are reached but not distinguished by cost.
pub(super) const MOST: u32 = u32::MAX - 1;

/// Packs the state of an operator into one word, so that reaching a precondition takes a single addition:
///
/// ```text
///   63                                                    24 23                    0
///   │ its own cost and that of preconditions that were reached │ preconditions left │
/// ```
///
/// If an operator has more preconditions than the lower part can count, the excess is ignored, which keeps the relaxation
/// sound.
fn progress(left: usize, cost: u32) -> u64 {
    u64::from(cost) << LEFT_BITS | (left as u64).min(LEFT)
}

const LEFT_BITS: u32 = 24;
const LEFT: u64 = (1 << LEFT_BITS) - 1;

fn cost_of(progress: u64) -> u32 {
    (progress >> LEFT_BITS).min(u64::from(MOST)) as u32
}

impl<'t> Exploration<'t> {
    /// Creates an exploration with these operator costs.
    pub(super) fn new(relaxation: &'t DeleteRelaxation, costs: Vec<u32>) -> Self {
        let operators = relaxation.operators();
        let mut is_counted = vec![false; operators];
        for (operator, needed) in relaxation.preconditions.iter().enumerate() {
            is_counted[operator] = needed.len() != 1;
        }
        // Shifts are counted because their costs depend on the state, and the goal operator because it ends the exploration.
        let shifts = relaxation.shifts.iter().map(|shift: &Shift| shift.operator);
        for operator in shifts.chain([relaxation.goal_operator]) {
            if operator != NONE {
                is_counted[operator as usize] = true;
            }
        }
        // Among operators that achieve a fact at the same cost, the first one is used. Later actions come first, because
        // searches then expand fewer states.
        let counted: Vec<u32> = (0..operators as u32)
            .rev()
            .filter(|&operator| is_counted[operator as usize])
            .collect();
        let mut places = vec![NONE; operators];
        let (mut needs, mut adds) = (Lists::default(), Lists::default());
        let mut base = Vec::with_capacity(counted.len());
        for (place, &operator) in (0..).zip(&counted) {
            let needed = relaxation.preconditions.row(operator);
            places[operator as usize] = place;
            base.push(progress(needed.len(), costs[operator as usize]));
            needs.push(needed.iter().copied());
            adds.push(relaxation.adds.row(operator).iter().copied());
        }
        let (step_starts, steps) = steps(relaxation, &costs, &is_counted);
        Self {
            progress: base.clone(),
            base,
            readers: needs.transposed(relaxation.facts),
            adds,
            goal: places
                .get(relaxation.goal_operator as usize)
                .copied()
                .unwrap_or(NONE),
            counted,
            places,
            step_starts,
            steps,
            costs,
            true_facts: Vec::new(),
            is_true: vec![false; relaxation.facts],
            before: Vec::new(),
            reached: vec![FAR; relaxation.facts],
            queue: FactQueue::default(),
            relaxation,
        }
    }

    /// Returns the cost of an operator per application.
    pub(super) fn cost(&self, operator: u32) -> u32 {
        self.costs[operator as usize]
    }

    /// Returns the cost of the goal.
    pub(super) fn goal_cost(&self) -> u32 {
        self.reached[self.relaxation.goal as usize].cost
    }

    /// Returns the operator that achieves a fact at its cost; [`NONE`] if the fact is true in the state or was not reached.
    #[inline]
    pub(super) fn supporter(&self, fact: u32) -> u32 {
        self.reached[fact as usize].supporter
    }

    /// Computes the costs of facts until the goal is reached; returns `false` if it is unreachable. `repetitions` lists the
    /// operators that must be applied more or less than once.
    pub(super) fn run(&mut self, walker: &Walker, repetitions: &[(u32, u32)]) -> bool {
        self.follow(walker);
        self.reached.fill(FAR);
        for &fact in &self.true_facts {
            self.reached[fact as usize].cost = 0;
        }
        self.queue.clear();
        self.progress.copy_from_slice(&self.base);
        for &(operator, times) in repetitions {
            let state = &mut self.progress[self.places[operator as usize] as usize];
            let cost = (*state >> LEFT_BITS).saturating_mul(u64::from(times));
            *state = cost.min(u64::from(MOST)) << LEFT_BITS | *state & LEFT;
        }
        self.leave_state() || self.spread()
    }

    /// Determines the true facts and updates `base` for the facts that changed.
    fn follow(&mut self, walker: &Walker) {
        std::mem::swap(&mut self.before, &mut self.true_facts);
        self.true_facts.clear();
        let Self {
            relaxation,
            base,
            readers,
            true_facts,
            is_true,
            before,
            ..
        } = self;
        relaxation.each_true(walker, |fact| true_facts.push(fact));
        // After this loop, facts that stay true are in both lists and have the flag set.
        before.iter().for_each(|&fact| is_true[fact as usize] = false);
        for &fact in true_facts.iter() {
            is_true[fact as usize] = true;
        }
        let mut count = |fact: u32, more: u64| {
            for &place in readers.row(fact) {
                let state = &mut base[place as usize];
                *state = state.wrapping_add(more);
            }
        };
        before.retain(|&fact| {
            let stays = is_true[fact as usize];
            if !stays {
                count(fact, 1);
            }
            stays
        });
        before.iter().for_each(|&fact| is_true[fact as usize] = false);
        for &fact in true_facts.iter() {
            if is_true[fact as usize] {
                count(fact, u64::MAX);
            }
        }
    }

    /// Applies all operators that the true facts enable. Returns `true` if one of them adds the goal.
    fn leave_state(&mut self) -> bool {
        let Self {
            adds,
            goal,
            counted,
            progress,
            step_starts,
            steps,
            true_facts,
            reached,
            queue,
            ..
        } = self;
        for (place, &state) in (0..).zip(progress.iter()) {
            if state & LEFT > 0 {
                continue;
            }
            let cost = cost_of(state);
            for &add in adds.row(place) {
                reach(reached, queue, add, cost, || counted[place as usize]);
            }
            if place == *goal {
                return true;
            }
        }
        for &fact in true_facts.iter() {
            for step in row(step_starts, steps, fact) {
                reach(reached, queue, step.add, step.cost, || step.operator);
            }
        }
        false
    }

    /// Processes reached facts in ascending order of cost. Returns `true` when the goal is reached.
    fn spread(&mut self) -> bool {
        // Local slices keep their addresses in registers.
        let (progress, reached) = (self.progress.as_mut_slice(), self.reached.as_mut_slice());
        let (steps, step_starts) = (self.steps.as_slice(), self.step_starts.as_slice());
        let (counted, queue) = (self.counted.as_slice(), &mut self.queue);
        while let Some((cost, fact)) = queue.pop() {
            if cost > reached[fact as usize].cost {
                continue;
            }
            for step in row(step_starts, steps, fact) {
                let sum = cost.saturating_add(step.cost).min(MOST);
                reach(reached, queue, step.add, sum, || step.operator);
            }
            let arrival = (u64::from(cost) << LEFT_BITS).wrapping_sub(1);
            for &place in self.readers.row(fact) {
                let state = &mut progress[place as usize];
                *state = state.wrapping_add(arrival);
                if *state & LEFT > 0 {
                    continue;
                }
                let sum = cost_of(*state);
                for &add in self.adds.row(place) {
                    reach(reached, queue, add, sum, || counted[place as usize]);
                }
                if place == self.goal {
                    // All preconditions of the goal are reached, so more expensive facts are irrelevant.
                    return true;
                }
            }
        }
        false
    }
}

/// Lowers the cost of a fact if the new cost is less.
#[inline]
fn reach(
    reached: &mut [Reached],
    queue: &mut FactQueue,
    fact: u32,
    cost: u32,
    supporter: impl FnOnce() -> u32,
) {
    let to = &mut reached[fact as usize];
    if cost < to.cost {
        let supporter = supporter();
        *to = Reached { cost, supporter };
        queue.push(cost, fact);
    }
}

#[inline]
fn row<'a>(starts: &[u32], steps: &'a [Step], fact: u32) -> &'a [Step] {
    &steps[starts[fact as usize] as usize..starts[fact as usize + 1] as usize]
}

/// Collects the steps from each fact, one per fact added: by the cheapest operator, the first among equals.
fn steps(relaxation: &DeleteRelaxation, costs: &[u32], is_counted: &[bool]) -> (Vec<u32>, Vec<Step>) {
    let (mut starts, mut steps) = (vec![0], Vec::new());
    for fact in 0..relaxation.facts as u32 {
        let start = steps.len();
        for &operator in relaxation.readers.row(fact) {
            if is_counted[operator as usize] {
                continue;
            }
            let cost = costs[operator as usize];
            let adds = relaxation.adds.row(operator).iter();
            steps.extend(adds.map(|&add| Step { add, cost, operator }));
        }
        let mut own = steps.split_off(start);
        own.sort_unstable_by_key(|step| (step.add, step.cost, step.operator));
        own.dedup_by_key(|step| step.add);
        steps.append(&mut own);
        let end = u32::try_from(steps.len());
        starts.push(end.expect("there are no more steps than facts in the lists of additions"));
    }
    (starts, steps)
}
