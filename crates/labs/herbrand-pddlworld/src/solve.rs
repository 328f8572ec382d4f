//! Planning with a model and executing the plan in the target.

use fxhash::FxHashMap;

use crate::arena::{GroundedProblem, Machine, State};

/// The result of planning for a problem with a model (the sketch of an agent) and executing the plan in the target.
/// [`Target::verdict`](crate::Target::verdict) returns it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The plan reaches the goal in the target too.
    Solved {
        /// The number of steps of the plan; 0 if the goal holds in the initial state.
        steps: usize,
    },
    /// A step of the plan is not applicable in the target.
    Inapplicable {
        /// The index of the first such step, from 0.
        step: usize,
    },
    /// The plan can be executed in the target, but does not reach the goal.
    Missed,
    /// The model has no plan: the search reached all states that the model can reach.
    NoPlan,
    /// The search reached the maximum number of states without an answer.
    Exhausted,
    /// The problem has no goal.
    NoGoal,
}

impl Verdict {
    /// Returns whether the model's plan solves the problem in the target.
    #[must_use]
    pub const fn is_solved(self) -> bool {
        matches!(self, Self::Solved { .. })
    }
}

/// The outcome of a search for a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Search {
    Plan(Vec<u32>),
    NoPlan,
    Exhausted,
}

/// Searches breadth-first for a shortest plan, and reaches at most `most_states` states. Ties are broken by the order of
/// actions.
pub(crate) fn search(machine: &Machine, initial: &[u64], most_states: usize) -> Search {
    if machine.is_goal(initial) {
        return Search::Plan(Vec::new());
    }
    // The index of each known state; and for each index the state, its predecessor and the action that reached it.
    let mut known: FxHashMap<State, u32> = FxHashMap::default();
    let mut reached: Vec<(State, u32, u32)> = vec![(initial.into(), 0, 0)];
    known.insert(initial.into(), 0);
    let mut next = 0;
    while next < reached.len() {
        for action in 0..machine.len() {
            let state = &reached[next].0;
            if !machine.applies(action, state) {
                continue;
            }
            let after = machine.after(action, state);
            if known.contains_key(&after) {
                continue;
            }
            if machine.is_goal(&after) {
                return Search::Plan(trace_back(&reached, next, action));
            }
            if reached.len() >= most_states {
                return Search::Exhausted;
            }
            known.insert(after.clone(), reached.len() as u32);
            reached.push((after, next as u32, action as u32));
        }
        next += 1;
    }
    Search::NoPlan
}

fn trace_back(reached: &[(State, u32, u32)], mut at: usize, last: usize) -> Vec<u32> {
    let mut plan = vec![last as u32];
    while at > 0 {
        let (_, before, action) = &reached[at];
        plan.push(*action);
        at = *before as usize;
    }
    plan.reverse();
    plan
}

/// Plans with `model` and executes the plan in `target`.
pub(crate) fn verdict(
    arena: &GroundedProblem,
    model: &Machine,
    target: &Machine,
    most_states: usize,
) -> Verdict {
    if arena.goal.is_none() {
        return Verdict::NoGoal;
    }
    let plan = match search(model, &arena.initial, most_states) {
        Search::Plan(plan) => plan,
        Search::NoPlan => return Verdict::NoPlan,
        Search::Exhausted => return Verdict::Exhausted,
    };
    let mut state = arena.initial.clone();
    for (step, &action) in plan.iter().enumerate() {
        if !target.applies(action as usize, &state) {
            return Verdict::Inapplicable { step };
        }
        state = target.after(action as usize, &state);
    }
    if target.is_goal(&state) {
        Verdict::Solved { steps: plan.len() }
    } else {
        Verdict::Missed
    }
}
