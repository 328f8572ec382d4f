//! Tables of states with the actions and values of a policy.

use herbrand_ground::ActionId;
use herbrand_limits::Budget;
use herbrand_step::State;

use super::exact::value;
use super::model::Model;
use super::policy::{Policy, PolicyValue, StateValue};
use super::solve::{self, NONE};
use super::task::ProbabilisticTask;
use crate::task::TaskError;

/// The states under a policy. [`policy_table`] computes it.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyTable {
    /// The states in breadth-first order, the start states first.
    pub states: Vec<TableState>,
    /// The value of the policy from the start states, as [`evaluate`](fn@super::evaluate) returns it.
    pub value: PolicyValue,
}

/// A state in a [`PolicyTable`].
#[derive(Clone, PartialEq, Debug)]
pub struct TableState {
    /// The state, of [`ProbabilisticTask::simulator`]. Atoms that no condition and no goal depends on are false in it.
    pub state: State,
    /// The probability of starting here, from 0 to 1.
    pub start: f64,
    /// Whether the goal holds.
    pub is_goal: bool,
    /// Whether any action is valid. If none is, a state without the goal is a dead end.
    pub has_actions: bool,
    /// The action of the policy; `None` in goal states, and where the policy gives up.
    pub action: Option<ActionId>,
    /// The probability of reaching the goal from here by the policy, from 0 to 1.
    pub goal_probability: f64,
    /// The expected cost of the runs from here that reach the goal; `None` if no run does.
    pub cost: Option<f64>,
    /// The valid actions with their values; with a table of the states that a policy reaches, its action only. Actions whose
    /// numeric effects have no result are left out. Empty in goal states.
    pub values: Vec<ActionValue>,
}

/// The value of an action in a state: that of taking it and then following the policy, also known as its Q-value.
/// [`TableState::values`] lists them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ActionValue {
    /// The action.
    pub action: ActionId,
    /// The probability of reaching the goal, from 0 to 1.
    pub goal_probability: f64,
    /// The expected cost of the runs that reach the goal; `None` if no run does.
    pub cost: Option<f64>,
}

/// Computes the exact value of a policy in each state, up to rounding. The table has the states that the policy can reach
/// from the start states or, with `all`, every state that any policy can reach. The policy is queried once per state that
/// is not a goal state. If it gives up, or returns an action that is not valid or whose numeric effects have no result, the state
/// counts as a dead end.
///
/// # Errors
/// Fails if a query of the policy fails, if an action has more outcomes than the simulator's limit, or if the budget is
/// exhausted.
pub fn policy_table(
    task: &ProbabilisticTask,
    policy: &mut dyn Policy,
    all: bool,
    budget: &Budget,
) -> Result<PolicyTable, TaskError> {
    let mut followed = Followed::new(task, policy, all, budget)?;
    let given = task.given_states();
    let (mut states, mut listed) = (Vec::with_capacity(followed.model.len()), 0);
    for number in 0..followed.model.len() as u32 {
        let bytes = size_of::<TableState>() + 8 * task.starts()[0].1.words().len();
        budget.check("listing states", (states.len() * bytes + listed) as u64)?;
        let walker = followed.model.go_to(number)?;
        let (is_goal, has_actions) = (walker.is_goal(), !walker.valid().is_empty());
        let state = given.of(walker.state())?;
        let choice = followed.choices[number as usize];
        let worth = followed.worths[number as usize].value(false);
        let values: Vec<ActionValue> = followed.values(number).collect();
        listed += values.len() * size_of::<ActionValue>();
        states.push(TableState {
            state,
            start: 0.0,
            is_goal,
            has_actions,
            action: (choice != NONE).then(|| followed.model.choice(choice).action),
            goal_probability: worth.goal_probability,
            cost: worth.cost,
            values,
        });
    }
    for &(probability, start) in &followed.model.starts {
        states[start as usize].start += probability;
    }
    Ok(PolicyTable {
        states,
        value: followed.value(policy),
    })
}

/// The states that a policy reaches, with its choices and their worths.
pub(crate) struct Followed<'t> {
    model: Model<'t>,
    choices: Vec<u32>,
    worths: Vec<StateValue>,
}

impl<'t> Followed<'t> {
    /// Enumerates the states that the policy reaches, or all reachable states, and evaluates its choices.
    pub(crate) fn new(
        task: &'t ProbabilisticTask,
        policy: &mut dyn Policy,
        all: bool,
        budget: &Budget,
    ) -> Result<Self, TaskError> {
        let mut model = Model::new(task)?;
        let given = task.given_states();
        let mut choices = Vec::new();
        while choices.len() < model.len() {
            let next = choices.len() as u32;
            model.check(budget)?;
            let walker = model.go_to(next)?;
            let action = if walker.is_goal() {
                None
            } else {
                let state = given.of(walker.state())?;
                policy.begin();
                policy.act(&state)?
            };
            model.expand(next, |valid| all || Some(valid) == action)?;
            let chosen = model
                .choices(next)
                .find(|&choice| Some(model.choice(choice).action) == action);
            choices.push(chosen.unwrap_or(NONE));
        }
        let worths = solve::evaluate(&model, &choices, budget)?;
        Ok(Self {
            model,
            choices,
            worths,
        })
    }

    /// Iterates over the actions of a state with their values.
    fn values(&self, state: u32) -> impl Iterator<Item = ActionValue> {
        self.model.choices(state).map(|choice| {
            let mut worth = StateValue::NOTHING;
            for branch in self.model.branches(choice) {
                worth.add(
                    branch.probability,
                    branch.cost,
                    self.worths[branch.state as usize],
                );
            }
            let PolicyValue {
                goal_probability,
                cost,
                ..
            } = worth.value(false);
            ActionValue {
                action: self.model.choice(choice).action,
                goal_probability,
                cost,
            }
        })
    }

    /// Returns the value of the policy from the start states.
    pub(crate) fn value(&self, policy: &dyn Policy) -> PolicyValue {
        let optimal = policy.value().is_some_and(|value| value.optimal);
        value(&self.model, &self.worths, optimal)
    }
}
