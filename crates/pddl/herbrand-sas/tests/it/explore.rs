//! Slow exploration of ground and finite-domain tasks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use herbrand_ground::{AtomId, GroundTask};
use herbrand_sas::FiniteDomainTask;
use herbrand_step::{Simulator, State};

/// The reachable states of a task with their distances from the start, and the cost of a cheapest plan.
pub struct Explored<S> {
    pub states: BTreeSet<S>,
    pub optimum: Option<u64>,
}

/// Explores by uniform-cost search; `None` if there are more than `limit` states.
fn explore<S: Ord + Clone>(
    start: S,
    limit: usize,
    is_goal: impl Fn(&S) -> bool,
    successors: impl Fn(&S) -> Vec<(u64, S)>,
) -> Option<Explored<S>> {
    let mut best = BTreeMap::from([(start.clone(), 0)]);
    let mut open = BTreeSet::from([(0, start)]);
    let mut optimum = None;
    while let Some((distance, state)) = open.pop_first() {
        if best[&state] < distance {
            continue;
        }
        if optimum.is_none() && is_goal(&state) {
            optimum = Some(distance);
        }
        for (cost, next) in successors(&state) {
            let reached = distance + cost;
            if best.get(&next).is_none_or(|&old| reached < old) {
                best.insert(next.clone(), reached);
                open.insert((reached, next));
            }
        }
        if best.len() > limit {
            return None;
        }
    }
    let states = best.into_keys().collect();
    Some(Explored { states, optimum })
}

/// Explores a ground task, whose states are the true atoms. With draws, all outcomes are followed.
pub fn ground(task: &GroundTask, costs: &[u64], limit: usize) -> Option<Explored<Vec<AtomId>>> {
    let simulator = Simulator::new(Arc::new(task.clone()));
    let found = explore(
        simulator.initial_state(),
        limit,
        |state: &State| simulator.is_goal(state),
        |state| {
            let actions = simulator.valid_actions(state).into_iter();
            let outcomes = |action| simulator.outcomes(state, action).unwrap_or_default();
            let all = actions.flat_map(|action| {
                outcomes(action)
                    .into_iter()
                    .map(move |outcome| (costs[action.index()], outcome.state))
            });
            all.collect()
        },
    )?;
    let atoms = |state: &State| simulator.atoms(state).collect();
    Some(Explored {
        states: found.states.iter().map(atoms).collect(),
        optimum: found.optimum,
    })
}

/// Explores a finite-domain task.
pub fn finite(task: &FiniteDomainTask, limit: usize) -> Option<Explored<Vec<u32>>> {
    explore(
        task.initial_state(),
        limit,
        |state: &Vec<u32>| task.is_goal(state),
        |state| {
            let indices = 0..task.operators.len();
            let applicable = indices.filter(|&index| task.operators[index].is_applicable(state));
            applicable
                .map(|index| (task.step_cost(index), task.successor(state, index)))
                .collect()
        },
    )
}
