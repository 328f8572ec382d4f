//! What facts cost by the additive heuristic.

use herbrand_step::Walker;

use super::queue::FactQueue;
use crate::relax::{Lists, NONE, Relaxation, Shift};

/// Finds what each fact costs in the delete relaxation, where the costs of preconditions add up (Bonet and Geffner 2001), and
/// by which operator it is made true at that cost.
///
/// Facts are taken in ascending order of cost. Most of the work is counting how many preconditions of an operator are left,
/// and most of that is saved: those that are true in the state are counted from one state to the next, and an operator with
/// one precondition needs no count.
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
    relaxation: &'t Relaxation,
    /// By operator: its cost, repetitions apart.
    costs: Vec<u32>,
    /// The operators that are counted, and by operator its place among them, or [`NONE`].
    counted: Vec<u32>,
    places: Vec<u32>,
    /// By place: see [`progress`]; after the facts that are true in the last state.
    base: Vec<u64>,
    /// By place: the same after all facts that were reached.
    progress: Vec<u64>,
    /// By fact: the places of counted operators that need it.
    readers: Lists,
    /// By place: the facts that the operator adds.
    adds: Lists,
    /// The place of the operator that adds the goal, or [`NONE`].
    goal: u32,
    /// By fact: where its steps begin, and where the last ones end.
    step_starts: Vec<u32>,
    steps: Vec<Step>,
    /// The facts that are true in the last state, and by fact whether it is one of them.
    true_facts: Vec<u32>,
    is_true: Vec<bool>,
    /// The facts that were true before.
    before: Vec<u32>,
    /// By fact: its cost, and the operator that made it true at that cost.
    reached: Vec<Reached>,
    queue: FactQueue,
}

/// An operator with one precondition, which adds one fact.
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

/// The state of a fact that has not been reached.
const FAR: Reached = Reached {
    cost: u32::MAX,
    supporter: NONE,
};

/// Sums end here: facts that cost as much are reached, but not told apart.
pub(super) const MOST: u32 = u32::MAX - 1;

/// How far an operator is, in one word, so that a precondition that is reached takes one addition:
///
/// ```text
///   63                                                    24 23                    0
///   │ its own cost and that of preconditions that were reached │ preconditions left │
/// ```
///
/// An operator with more preconditions than the lower part can count happens without those beyond, which keeps the relaxation
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
    /// An exploration in which operators have these costs.
    pub(super) fn new(relaxation: &'t Relaxation, costs: Vec<u32>) -> Self {
        let operators = relaxation.operators();
        let mut is_counted = vec![false; operators];
        for (operator, needed) in relaxation.preconditions.iter().enumerate() {
            is_counted[operator] = needed.len() != 1;
        }
        // Their costs depend on the state, and the goal ends everything.
        let shifts = relaxation.shifts.iter().map(|shift: &Shift| shift.operator);
        for operator in shifts.chain([relaxation.goal_operator]) {
            if operator != NONE {
                is_counted[operator as usize] = true;
            }
        }
        // Of operators that make a fact true at one cost the first one counts. Searches expanded a fifth fewer states with later
        // actions first, in the geometric mean over twenty competition instances and three seeds.
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

    /// What an operator costs, repetitions apart.
    pub(super) fn cost(&self, operator: u32) -> u32 {
        self.costs[operator as usize]
    }

    /// What the goal costs.
    pub(super) fn goal_cost(&self) -> u32 {
        self.reached[self.relaxation.goal as usize].cost
    }

    /// The operator that makes a fact true at its cost; [`NONE`] if it is true in the state, or was not reached.
    #[inline]
    pub(super) fn supporter(&self, fact: u32) -> u32 {
        self.reached[fact as usize].supporter
    }

    /// Finds what each fact costs, up to the goal. False if the goal is not reached. Operators have to happen as often as
    /// `repetitions` says, and the others once.
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

    /// Finds which facts are true, and counts what has changed.
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
        // Those that stay true are marked twice.
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

    /// Takes all operators that the true facts permit. True if the goal holds.
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

    /// Goes on from the facts of least cost. True when the goal is reached.
    fn spread(&mut self) -> bool {
        // Slices, so that where they are is looked up once.
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
                    // All that the goal needs has come: what costs more has no part in it.
                    return true;
                }
            }
        }
        false
    }
}

/// Notes a way to make a fact true.
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

/// The steps from each fact, one for each fact that can be added: by the cheapest operator, the first of equals.
fn steps(relaxation: &Relaxation, costs: &[u32], is_counted: &[bool]) -> (Vec<u32>, Vec<Step>) {
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
