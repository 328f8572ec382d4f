//! A slow reference implementation for planners: all reachable states with exact costs.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_ground::{ActionId, GroundExpression, GroundTask, NumericId};
use herbrand_pddl::{ArithmeticOperator, MetricDirection};
use herbrand_plan::SearchTask;
use herbrand_step::{Outcome, Simulator, State};

/// All states that are reachable from the start of a task, and the steps between them.
pub struct Exhaustive {
    pub states: Vec<State>,
    /// For each state, the cost and the index of each successor.
    pub steps: Vec<Vec<(f64, usize)>>,
    pub goals: Vec<bool>,
}

impl Exhaustive {
    /// Enumerates the states; `None` if there are more than `limit`.
    pub fn of(task: &SearchTask, limit: usize) -> Option<Self> {
        let simulator = task.simulator();
        let mut places = BTreeMap::from([(task.start().clone(), 0)]);
        let mut found = Self {
            states: vec![task.start().clone()],
            steps: Vec::new(),
            goals: Vec::new(),
        };
        while let Some(state) = found.states.get(found.steps.len()).cloned() {
            let mut steps = Vec::new();
            for (cost, successor) in successors(simulator, &state) {
                let next = found.states.len();
                let place = *places.entry(successor.clone()).or_insert(next);
                if place == next {
                    found.states.push(successor);
                }
                steps.push((cost, place));
            }
            found.goals.push(simulator.is_goal(&state));
            found.steps.push(steps);
            if found.states.len() > limit {
                return None;
            }
        }
        Some(found)
    }

    /// Returns, for each state, the cost of a cheapest path to a goal state, by repeated relaxation of all steps. Costs must
    /// not be negative.
    pub fn distances(&self) -> Vec<f64> {
        let goal = |&is_goal: &bool| if is_goal { 0.0 } else { f64::INFINITY };
        let mut distances: Vec<f64> = self.goals.iter().map(goal).collect();
        loop {
            let before = distances.clone();
            for (state, steps) in self.steps.iter().enumerate() {
                for &(cost, next) in steps {
                    distances[state] = distances[state].min(cost + distances[next]);
                }
            }
            if before == distances {
                return distances;
            }
        }
    }

    /// Returns whether a goal state is reachable without visiting a state for which `left_out` holds.
    pub fn reaches_goal_without(&self, left_out: impl Fn(&State) -> bool) -> bool {
        let mut seen = BTreeSet::from([0]);
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            if left_out(&self.states[state]) {
                continue;
            }
            if self.goals[state] {
                return true;
            }
            open.extend(
                self.steps[state]
                    .iter()
                    .map(|step| step.1)
                    .filter(|&next| seen.insert(next)),
            );
        }
        false
    }
}

/// The successors by all actions whose effects have a result.
fn successors(simulator: &Simulator, state: &State) -> Vec<(f64, State)> {
    let mut all = Vec::new();
    for action in simulator.valid_actions(state) {
        if let Ok(outcomes) = simulator.outcomes(state, action) {
            let with_cost = |outcome: Outcome| (step_cost(simulator.task(), state, &outcome), outcome.state);
            all.extend(outcomes.into_iter().map(with_cost));
        }
    }
    all
}

/// The amount that a step adds to a metric to be minimised, or takes away from one to be maximised; 1 without a metric.
pub fn step_cost(task: &GroundTask, before: &State, outcome: &Outcome) -> f64 {
    let Some((direction, root)) = task.metric else {
        return 1.0;
    };
    let delta = |id: NumericId| {
        outcome
            .deltas
            .iter()
            .find(|delta| delta.0 == id)
            .map_or(0.0, |delta| delta.1)
    };
    let accumulates = |id: NumericId| id.number() >= task.state_numerics;
    let old = value(
        task,
        root,
        &|id| {
            if accumulates(id) {
                0.0
            } else {
                before.numeric(id).unwrap_or(0.0)
            }
        },
        0.0,
    );
    let new = |id: NumericId| {
        if accumulates(id) {
            delta(id)
        } else {
            outcome.state.numeric(id).unwrap_or(0.0)
        }
    };
    let added = value(task, root, &new, 1.0) - old;
    match direction {
        MetricDirection::Minimize => added,
        MetricDirection::Maximize => -added,
    }
}

fn value(
    task: &GroundTask,
    id: herbrand_ground::ExpressionId,
    number: &dyn Fn(NumericId) -> f64,
    steps: f64,
) -> f64 {
    match task.expressions[id.index()] {
        GroundExpression::Number(value) => value,
        GroundExpression::Fluent(id) => number(id),
        GroundExpression::Special(_) => steps,
        GroundExpression::Undefined => 0.0,
        GroundExpression::Apply(operator, left, right) => {
            let [left, right] = [left, right].map(|side| value(task, side, number, steps));
            match operator {
                ArithmeticOperator::Add => left + right,
                ArithmeticOperator::Subtract => left - right,
                ArithmeticOperator::Multiply => left * right,
                ArithmeticOperator::Divide => left / right,
                ArithmeticOperator::Negate => -left,
            }
        }
    }
}

/// Returns the cost of a plan given as actions of the original task; `None` if it does not lead to the goal.
pub fn cost_of(task: &SearchTask, steps: &[ActionId]) -> Option<f64> {
    let simulator = task.simulator();
    // An action of the original task may have several outcomes, so all possible states are tracked.
    let mut states = BTreeMap::from([(task.start().clone(), 0.0)]);
    for &step in steps {
        let mut next = BTreeMap::<State, f64>::new();
        for (state, cost) in &states {
            let actions = simulator.valid_actions(state);
            for action in actions.into_iter().filter(|&action| task.origin(action) == step) {
                // An effect may have no result in a state that the plan does not visit.
                for outcome in simulator.outcomes(state, action).unwrap_or_default() {
                    let reached = cost + step_cost(simulator.task(), state, &outcome);
                    let known = next.entry(outcome.state).or_insert(reached);
                    *known = known.min(reached);
                }
            }
        }
        states = next;
    }
    let goals = states.into_iter().filter(|(state, _)| simulator.is_goal(state));
    goals.map(|(_, cost)| cost).min_by(f64::total_cmp)
}
