//! Policy files, which `herbrand plan --out` writes, and `herbrand validate` and `herbrand rollout` read: in PDDL the actions by
//! state, in RDDL the networks of the planner `reactive` and the tables of `exact`.

use std::sync::{Arc, Mutex};

use herbrand_core::{RolloutPolicy, StateFunction};
use herbrand_limits::Budget;
use herbrand_plan::{ActionTable, ActionTableError, ProbabilisticTask, TabledPolicy};
use herbrand_rddl_plan::exact::ExactPolicy;
use herbrand_rddl_plan::gradient::{NeuralNetwork, ReactivePolicy};
use herbrand_rddl_plan::plan::{Agent, Shield};
use herbrand_rddl_plan::table::{ChoiceTable, TablePolicy};
use herbrand_rddl_sim::simulate::{CompiledInstance, RddlSimulator, Values};
use herbrand_step::State;
use serde::{Deserialize, Serialize};

use crate::failure::TaskFailure;
use crate::problems::AnyProblems;

/// The contents of a policy file, as JSON below comments.
#[derive(Default, Serialize, Deserialize)]
struct PolicyFile {
    domain: String,
    problem: String,
    /// Whether a shield corrects the actions of the network.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    shield: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<NeuralNetwork>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<ChoiceTable>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<ActionTable>,
}

/// A policy from a file. It gives up in states that it does not know.
pub enum SavedPolicy {
    /// In PDDL, an action for each state.
    Actions(TabledPolicy),
    /// In RDDL, a network.
    Network(ReactivePolicy),
    /// In RDDL, a network whose actions a shield corrects.
    Shielded(Box<Shield<ReactivePolicy>>),
    /// In RDDL, a joint action for each state and step.
    Choices(TablePolicy),
}

/// The bytes in memory for a byte of JSON, at most: an empty list of two bytes and a comma takes 24, and twice that while the
/// list around it grows.
const EXPANSION: u64 = 16;

/// Formats a policy of `reactive`. `shield` tells whether a shield corrects its actions.
///
/// # Errors
/// Fails if a weight is no number.
pub(crate) fn reactive_text(
    policy: &ReactivePolicy,
    problem: &str,
    shield: bool,
) -> Result<String, TaskFailure> {
    let mut file = PolicyFile::of_rddl(policy.compiled(), problem);
    file.shield = shield;
    file.network = Some(policy.network().clone());
    file.text()
}

/// Formats a policy of `exact`.
///
/// # Errors
/// Never fails: the table has no numbers that JSON does not have.
pub(crate) fn exact_text(policy: &ExactPolicy, problem: &str) -> Result<String, TaskFailure> {
    let mut file = PolicyFile::of_rddl(policy.compiled(), problem);
    file.table = Some(policy.table());
    file.text()
}

/// Formats a policy for a problem in PDDL.
///
/// # Errors
/// Never fails: the table has no numbers that JSON does not have.
pub fn actions_text(actions: ActionTable, domain: &str, problem: &str) -> Result<String, TaskFailure> {
    let file = PolicyFile {
        domain: domain.to_owned(),
        problem: problem.to_owned(),
        actions: Some(actions),
        ..PolicyFile::default()
    };
    file.text()
}

impl PolicyFile {
    fn of_rddl(compiled: &CompiledInstance, problem: &str) -> Self {
        Self {
            domain: compiled.instance.domain.name.to_string(),
            problem: problem.to_owned(),
            ..Self::default()
        }
    }

    fn text(&self) -> Result<String, TaskFailure> {
        let json = serde_json::to_string(self)?;
        Ok(format!(
            "; a policy: `herbrand validate` evaluates it, and `herbrand rollout --policy` follows it\n{json}\n"
        ))
    }

    /// Reads a file; `None` if the text is no policy.
    fn read(text: &str, budget: &Budget) -> Result<Option<Self>, TaskFailure> {
        let Some(json) = policy_json(text) else {
            return Ok(None);
        };
        budget.check("reading a policy", EXPANSION.saturating_mul(json.len() as u64))?;
        Ok(Some(serde_json::from_str(json)?))
    }

    /// Returns the failure of a file that has no policy for problems of a language.
    fn lacks(self) -> TaskFailure {
        if self.network.is_none() && self.table.is_none() && self.actions.is_none() {
            return TaskFailure::EmptyPolicy;
        }
        let Self { problem, domain, .. } = self;
        TaskFailure::OtherFluents { problem, domain }
    }

    fn for_rddl(self, compiled: &Arc<CompiledInstance>, seed: u64) -> Result<SavedPolicy, TaskFailure> {
        let shared = || Arc::clone(compiled);
        let saved = match (&self.network, &self.table) {
            (Some(network), _) => ReactivePolicy::from_network(shared(), network.clone()).map(|policy| {
                if self.shield {
                    SavedPolicy::Shielded(Box::new(Shield::new(policy, shared(), seed)))
                } else {
                    SavedPolicy::Network(policy)
                }
            }),
            (None, Some(table)) => TablePolicy::new(compiled, table).map(SavedPolicy::Choices),
            (None, None) => None,
        };
        saved.ok_or_else(|| self.lacks())
    }
}

/// Reads a policy for a task in PDDL; `None` if the text is not a policy, and so perhaps a plan.
///
/// # Errors
/// Fails if the text is faulty, is a policy for another problem, or too large for the budget.
pub fn read_actions(
    text: &str,
    task: &ProbabilisticTask,
    budget: &Budget,
) -> Result<Option<TabledPolicy>, TaskFailure> {
    let Some(mut file) = PolicyFile::read(text, budget)? else {
        return Ok(None);
    };
    let Some(actions) = file.actions.take() else {
        return Err(file.lacks());
    };
    let policy = TabledPolicy::new(task, &actions, budget).map_err(|error| match error {
        ActionTableError::Budget(exhausted) => TaskFailure::Limit(exhausted),
        error => TaskFailure::OtherProblem {
            problem: file.problem,
            domain: file.domain,
            error,
        },
    })?;
    Ok(Some(policy))
}

/// Reads a policy for the first of the problems; `None` if the text is not a policy, and so perhaps a plan. `seed` determines the
/// corrections of a shield.
///
/// # Errors
/// Fails if the text is faulty, is a policy for another problem, or too large for the budget, or if the problem is faulty.
pub fn read_policy(
    text: &str,
    problems: &AnyProblems,
    seed: u64,
    budget: &Budget,
) -> Result<Option<SavedPolicy>, TaskFailure> {
    match problems {
        AnyProblems::Pddl(suite) if policy_json(text).is_some() => {
            let task =
                ProbabilisticTask::from_initial(suite.timeless_instance(0, "a policy")?.simulator(), budget)?;
            Ok(read_actions(text, &task, budget)?.map(SavedPolicy::Actions))
        }
        AnyProblems::Rddl(suite) => {
            let file = PolicyFile::read(text, budget)?;
            file.map(|file| file.for_rddl(suite.compiled(0)?, seed))
                .transpose()
        }
        AnyProblems::Pddl(_) | AnyProblems::World(_) => Ok(None),
    }
}

impl SavedPolicy {
    /// Returns the number of steps of the policy; `None` for any number.
    #[must_use]
    pub const fn steps(&self) -> Option<u32> {
        match self {
            Self::Choices(policy) => Some(policy.steps()),
            _ => None,
        }
    }

    /// Returns the agent that follows the policy in RDDL; `None` in PDDL.
    #[must_use]
    pub fn into_agent(self) -> Option<Box<dyn Agent<RddlSimulator>>> {
        match self {
            Self::Actions(_) => None,
            Self::Network(policy) => Some(Box::new(policy)),
            Self::Shielded(policy) => Some(policy),
            Self::Choices(policy) => Some(Box::new(policy)),
        }
    }

    /// Returns the policy for rollouts of the problems that it was read for. There, a shield draws its corrections from the stream
    /// of the episode's actions.
    ///
    /// # Errors
    /// Fails if the problem is faulty.
    pub fn into_rollout(self, problems: &AnyProblems) -> Result<RolloutPolicy, TaskFailure> {
        let function = match (self, problems) {
            (Self::Actions(policy), AnyProblems::Pddl(suite)) => {
                let space = Arc::clone(suite.instance(0)?.space());
                StateFunction::new(move |_, state: &State, _| {
                    Some(vec![space.action_of(policy.action(state)?).into()])
                })
            }
            (Self::Network(policy), _) => {
                StateFunction::new(move |_, state: &Values, _| policy.act(state).ok())
            }
            (Self::Shielded(policy), _) => {
                let policy = Mutex::new(policy);
                StateFunction::new(move |_, state: &Values, random| {
                    policy.lock().ok()?.act_by(state, random).ok()?
                })
            }
            (Self::Choices(policy), _) => StateFunction::new(move |step, state: &Values, _| {
                policy.joint(step, state).map(<[_]>::to_vec)
            }),
            (Self::Actions(_), _) => return Err(TaskFailure::EmptyPolicy),
        };
        Ok(RolloutPolicy::OfState(function))
    }
}

/// Returns the JSON of a policy file, which is below its comments; `None` if the text is no policy, and so perhaps a plan.
#[must_use]
pub fn policy_json(text: &str) -> Option<&str> {
    let mut json = text.trim_start();
    while json.starts_with(';') {
        json = json.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    json.starts_with('{').then_some(json)
}
