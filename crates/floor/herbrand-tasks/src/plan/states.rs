//! The states of a policy with its actions and values.

use herbrand_core::{Described as _, Group, System as _};
use herbrand_env::{EnvError, Suite};
use herbrand_ground::{ActionId, GroundTask};
use herbrand_plan::TableState;
use serde::Serialize;

use crate::failure::TaskFailure;

/// The states of a policy with its actions and values.
#[derive(Clone, Debug, Serialize)]
pub struct StateTable {
    /// The number of states; `rows` has the first of them.
    pub states: usize,
    /// Whether the states are all that can be reached, or only the states that this policy reaches.
    pub all: bool,
    /// The first states, in breadth-first order.
    pub rows: Vec<StateRow>,
    /// The starts: the number of each state, and the probability of starting there.
    #[serde(skip)]
    pub starts: Vec<(usize, f64)>,
}

/// A state of a policy.
#[derive(Clone, Debug, Serialize)]
pub struct StateRow {
    /// The number of the state, from 0 in breadth-first order.
    pub state: usize,
    /// The probability of starting here.
    pub start_probability: f64,
    /// The changing facts that hold.
    pub facts: Vec<String>,
    /// Whether the goal holds.
    pub goal: bool,
    /// The action of the policy; `None` in goal states, in dead ends, and where no action leads to the goal.
    pub action: Option<String>,
    /// The probability of reaching the goal from here.
    pub goal_probability: f64,
    /// The mean cost of the runs from here that reach the goal.
    pub expected_cost: Option<f64>,
    /// The valid actions, if the request asks for their values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<ValueOfAction>>,
    /// Whether any action is valid here.
    #[serde(skip)]
    pub has_actions: bool,
}

/// A valid action with its values, if the policy is followed after it.
#[derive(Clone, Debug, Serialize)]
pub struct ValueOfAction {
    /// The action.
    pub action: String,
    /// The probability of reaching the goal.
    pub goal_probability: f64,
    /// The mean cost of the runs that reach the goal.
    pub expected_cost: Option<f64>,
}

impl StateTable {
    /// Describes the first `most` states. `all` is whether any policy reaches them, and `values` whether to list all actions.
    pub(super) fn of(
        suite: &Suite,
        states: &[TableState],
        most: usize,
        all: bool,
        values: bool,
    ) -> Result<Self, TaskFailure> {
        let task = suite.instance(0)?.simulator().task();
        let mut system = suite.engine(0)?;
        let mut rows = Vec::new();
        for (number, state) in states.iter().enumerate().take(most) {
            system.set_state(&state.state).map_err(EnvError::from)?;
            let mut facts = Vec::new();
            system.facts(&mut |fact| {
                if matches!(fact.group, Group::Fluent | Group::Observed) {
                    facts.push(fact.to_string());
                }
            });
            rows.push(StateRow::of(number, state, facts, values, task));
        }
        let starts = states.iter().enumerate().filter(|(_, state)| state.start > 0.0);
        Ok(Self {
            states: states.len(),
            all,
            rows,
            starts: starts.map(|(number, state)| (number, state.start)).collect(),
        })
    }
}

impl StateRow {
    fn of(number: usize, state: &TableState, facts: Vec<String>, values: bool, task: &GroundTask) -> Self {
        let name = |action: ActionId| task.display_action(action).to_string();
        let value = |value: &herbrand_plan::ActionValue| ValueOfAction {
            action: name(value.action),
            goal_probability: value.goal_probability,
            expected_cost: value.cost,
        };
        Self {
            state: number,
            start_probability: state.start,
            facts,
            goal: state.is_goal,
            action: state.action.map(name),
            goal_probability: state.goal_probability,
            expected_cost: state.cost,
            values: values.then(|| state.values.iter().map(value).collect()),
            has_actions: state.has_actions,
        }
    }
}
