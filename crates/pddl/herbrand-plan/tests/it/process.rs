//! A slow reference implementation for probabilistic planning: all states, value iteration, and enumeration of all policies.

use std::collections::BTreeMap;

use herbrand_ground::ActionId;
use herbrand_plan::ProbabilisticTask;
use herbrand_step::{State, StepError};

use crate::exhaustive::step_cost;

/// All reachable states of a probabilistic task, with the outcomes of all actions. Goal states have no actions.
pub struct Process {
    pub states: Vec<State>,
    /// For each state, its actions with their successors.
    pub actions: Vec<Vec<(ActionId, Vec<Successor>)>>,
    pub goals: Vec<bool>,
    pub starts: Vec<(f64, usize)>,
}

/// The probability, the cost and the index of a successor.
pub type Successor = (f64, f64, usize);

/// The probability of reaching the goal, and the cost of the paths to it, weighted by their probabilities.
pub type StateValue = (f64, f64);

impl Process {
    /// Enumerates the states; `None` if there are more than `limit`, or if an action has too many outcomes.
    pub fn of(task: &ProbabilisticTask, limit: usize) -> Option<Self> {
        let simulator = task.simulator();
        let mut places = BTreeMap::new();
        let mut found = Self {
            states: Vec::new(),
            actions: Vec::new(),
            goals: Vec::new(),
            starts: Vec::new(),
        };
        for (probability, state) in task.starts() {
            let place = found.place(&mut places, state);
            found.starts.push((*probability, place));
        }
        while let Some(state) = found.states.get(found.actions.len()).cloned() {
            if found.states.len() > limit {
                return None;
            }
            let mut actions = Vec::new();
            let is_goal = simulator.is_goal(&state);
            let valid = if is_goal {
                Vec::new()
            } else {
                simulator.valid_actions(&state)
            };
            for action in valid {
                let outcomes = match simulator.outcomes(&state, action) {
                    Ok(outcomes) => outcomes,
                    Err(StepError::TooManyOutcomes { .. }) => return None,
                    // An action whose effects have no result is not applicable.
                    Err(_) => continue,
                };
                let successor = |outcome: &herbrand_step::Outcome| {
                    let cost = step_cost(simulator.task(), &state, outcome);
                    (
                        outcome.probability,
                        cost,
                        found.place(&mut places, &outcome.state),
                    )
                };
                actions.push((action, outcomes.iter().map(successor).collect()));
            }
            found.actions.push(actions);
            found.goals.push(is_goal);
        }
        Some(found)
    }

    fn place(&mut self, places: &mut BTreeMap<State, usize>, state: &State) -> usize {
        let next = self.states.len();
        let place = *places.entry(state.clone()).or_insert(next);
        if place == next {
            self.states.push(state.clone());
        }
        place
    }

    /// Averages the worths of the start states.
    pub fn at_start(&self, by_state: &[StateValue]) -> StateValue {
        let starts = self.starts.iter();
        starts.fold((0.0, 0.0), |(reached, paid), &(probability, place)| {
            let (more, pay) = by_state[place];
            (reached + probability * more, paid + probability * pay)
        })
    }

    /// Computes the optimal worth of each state by value iteration: first probabilities from below; then costs from above,
    /// among the actions that preserve the probability. Successors are weighted by their contribution to it.
    pub fn best(&self) -> Vec<StateValue> {
        let goal = |&is_goal: &bool| if is_goal { 1.0 } else { 0.0 };
        let mut reached: Vec<f64> = self.goals.iter().map(goal).collect();
        let kept = |reached: &[f64], outcomes: &[Successor]| -> f64 {
            outcomes
                .iter()
                .map(|&(probability, _, next)| probability * reached[next])
                .sum()
        };
        repeat(|| {
            let mut change = 0.0_f64;
            for state in (0..self.states.len()).filter(|&state| !self.goals[state]) {
                let best = self.actions[state]
                    .iter()
                    .map(|(_, outcomes)| kept(&reached, outcomes));
                let best = best.fold(0.0, f64::max);
                change = change.max(best - reached[state]);
                reached[state] = best;
            }
            change
        });
        let unknown = |&is_goal: &bool| if is_goal { 0.0 } else { 1e5 };
        let mut costs: Vec<f64> = self.goals.iter().map(unknown).collect();
        repeat(|| {
            let mut change = 0.0_f64;
            for state in (0..self.states.len()).filter(|&state| !self.goals[state] && reached[state] > 0.0) {
                let keeping = self.actions[state].iter().filter_map(|(_, outcomes)| {
                    let all = kept(&reached, outcomes);
                    let pay = |&(probability, cost, next): &Successor| match reached[next] {
                        0.0 => 0.0,
                        share => probability * share / all * (cost + costs[next]),
                    };
                    (all >= reached[state] - 1e-9).then(|| outcomes.iter().map(pay).sum())
                });
                let best = keeping.fold(f64::INFINITY, f64::min);
                change = change.max((best - costs[state]).abs() / best.max(1.0));
                costs[state] = best;
            }
            change
        });
        let both = reached.iter().zip(&costs);
        both.map(|(&reached, &cost)| (reached, if reached > 0.0 { reached * cost } else { 0.0 }))
            .collect()
    }

    /// Returns the number of deterministic policies, if it is at most `limit`.
    pub fn count(&self, limit: usize) -> Option<usize> {
        let mut counts = self.actions.iter().map(|actions| actions.len().max(1));
        let product = counts.try_fold(1_usize, |product, count| product.checked_mul(count));
        product.filter(|&count| count <= limit)
    }

    /// Returns the best worth of all deterministic policies at the start. Each policy is simulated until almost no
    /// probability mass is left.
    pub fn best_of_all(&self, count: usize) -> StateValue {
        let mut best = (0.0, 0.0);
        for mut number in 0..count {
            let mut policy = Vec::with_capacity(self.states.len());
            for actions in &self.actions {
                policy.push(number % actions.len().max(1));
                number /= actions.len().max(1);
            }
            let (reached, paid) = self.followed(&policy);
            let (highest, least): StateValue = best;
            let is_higher = reached > highest + 1e-9;
            if is_higher || reached > highest - 1e-9 && paid < least {
                best = (reached, paid);
            }
        }
        best
    }

    /// Propagates the probability mass from the start states under a policy.
    fn followed(&self, policy: &[usize]) -> StateValue {
        // For each state, the probability of being there, and the cost paid on the way weighted by that probability.
        let mut mass = vec![(0.0, 0.0); self.states.len()];
        for &(probability, place) in &self.starts {
            mass[place].0 += probability;
        }
        for _ in 0..600 {
            let mut next = vec![(0.0, 0.0); self.states.len()];
            for (state, &(here, paid)) in mass.iter().enumerate() {
                if self.goals[state] {
                    next[state].0 += here;
                    next[state].1 += paid;
                } else if let (Some((_, outcomes)), true) =
                    (self.actions[state].get(policy[state]), here > 1e-300)
                {
                    for &(probability, cost, to) in outcomes {
                        next[to].0 += here * probability;
                        next[to].1 += probability * (paid + here * cost);
                    }
                }
            }
            mass = next;
        }
        let goals = mass.iter().zip(&self.goals).filter(|(_, is_goal)| **is_goal);
        goals.fold((0.0, 0.0), |(all, sum), ((here, paid), _)| {
            (all + here, sum + paid)
        })
    }
}

/// Repeats sweeps until the change is negligible.
fn repeat(mut sweep: impl FnMut() -> f64) {
    for _ in 0..20_000 {
        if sweep() < 1e-12 {
            return;
        }
    }
}
