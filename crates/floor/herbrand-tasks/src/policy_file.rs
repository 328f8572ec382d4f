//! Policy files, which `herbrand plan --out` writes and `herbrand validate` reads: the networks of the planner `reactive`, and
//! the tables of `exact`.

use std::sync::Arc;

use herbrand_rddl_plan::exact::ExactPolicy;
use herbrand_rddl_plan::gradient::{NeuralNetwork, ReactivePolicy};
use herbrand_rddl_plan::plan::{Agent, Shield};
use herbrand_rddl_plan::table::{ChoiceTable, TablePolicy};
use herbrand_rddl_sim::simulate::{CompiledInstance, RddlSimulator};
use serde::{Deserialize, Serialize};

use crate::failure::TaskFailure;

/// The contents of a policy file, as JSON below comments.
#[derive(Serialize, Deserialize)]
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
}

/// A policy from a file.
pub struct SavedPolicy {
    /// The agent that follows the policy.
    pub agent: Box<dyn Agent<RddlSimulator>>,
    /// The number of steps of the policy; `None` for any number.
    pub steps: Option<u32>,
}

/// Formats a policy of `reactive`. `shield` tells whether a shield corrects its actions.
///
/// # Errors
/// Fails if a weight is no number.
pub(crate) fn reactive_text(
    policy: &ReactivePolicy,
    problem: &str,
    shield: bool,
) -> Result<String, TaskFailure> {
    let mut file = PolicyFile::new(policy.compiled(), problem);
    file.shield = shield;
    file.network = Some(policy.network().clone());
    file.text()
}

/// Formats a policy of `exact`.
///
/// # Errors
/// Never fails: the table has no numbers that JSON does not have.
pub(crate) fn exact_text(policy: &ExactPolicy, problem: &str) -> Result<String, TaskFailure> {
    let mut file = PolicyFile::new(policy.compiled(), problem);
    file.table = Some(policy.table());
    file.text()
}

impl PolicyFile {
    fn new(compiled: &CompiledInstance, problem: &str) -> Self {
        Self {
            domain: compiled.instance.domain.name.to_string(),
            problem: problem.to_owned(),
            shield: false,
            network: None,
            table: None,
        }
    }

    fn text(&self) -> Result<String, TaskFailure> {
        let json = serde_json::to_string(self)?;
        Ok(format!("; a policy: `herbrand validate` evaluates it\n{json}\n"))
    }
}

/// Reads a policy for a problem; `None` if the text is not a policy, and so perhaps a plan. `seed` determines the corrections of
/// a shield.
///
/// # Errors
/// Fails if the text is faulty, or is a policy for a problem with other fluents.
pub fn read_policy(
    text: &str,
    compiled: &Arc<CompiledInstance>,
    seed: u64,
) -> Result<Option<SavedPolicy>, TaskFailure> {
    let Some(json) = policy_json(text) else {
        return Ok(None);
    };
    let file: PolicyFile = serde_json::from_str(&json)?;
    let PolicyFile {
        domain,
        problem,
        shield,
        network,
        table,
    } = file;
    let saved = match (network, table) {
        (Some(network), _) => {
            let policy = ReactivePolicy::from_network(Arc::clone(compiled), network);
            policy.map(|policy| SavedPolicy {
                agent: if shield {
                    Box::new(Shield::new(policy, Arc::clone(compiled), seed))
                } else {
                    Box::new(policy)
                },
                steps: None,
            })
        }
        (None, Some(table)) => TablePolicy::new(compiled, &table).map(|policy| SavedPolicy {
            steps: Some(policy.steps()),
            agent: Box::new(policy),
        }),
        (None, None) => return Err(TaskFailure::EmptyPolicy),
    };
    saved
        .map(Some)
        .ok_or(TaskFailure::OtherFluents { problem, domain })
}

/// Returns the JSON of a policy file, which is below its comments; `None` if the text is no policy, and so perhaps a plan.
#[must_use]
pub fn policy_json(text: &str) -> Option<String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with(';'));
    let json = lines.collect::<Vec<_>>().join("\n");
    json.trim_start().starts_with('{').then_some(json)
}
