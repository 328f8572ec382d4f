//! Policy files, which `herbrand plan --out` writes and `herbrand validate` reads: the networks of the planner `reactive`, and
//! the tables of `exact`.

use std::path::Path;
use std::sync::Arc;

use herbrand::rddl::exact::ExactPolicy;
use herbrand::rddl::gradient::{NeuralNetwork, ReactivePolicy};
use herbrand::rddl::plan::{Agent, Shield};
use herbrand::rddl::simulate::{CompiledInstance, RddlSimulator};
use herbrand::rddl::table::{ChoiceTable, TablePolicy};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::input;

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
pub fn reactive_text(policy: &ReactivePolicy, problem: &str, shield: bool) -> Result<String, Failure> {
    let mut file = PolicyFile::new(policy.compiled(), problem);
    file.shield = shield;
    file.network = Some(policy.network().clone());
    file.text()
}

/// Formats a policy of `exact`.
///
/// # Errors
/// Never fails: the table has no numbers that JSON does not have.
pub fn exact_text(policy: &ExactPolicy, problem: &str) -> Result<String, Failure> {
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

    fn text(&self) -> Result<String, Failure> {
        let json = serde_json::to_string(self).map_err(|error| Failure::Request(error.to_string()))?;
        Ok(format!("; a policy: `herbrand validate` evaluates it\n{json}\n"))
    }
}

/// Reads a policy for a problem; `None` if the file is not a policy, and so perhaps a plan. Standard input, `-`, is none.
/// `seed` determines the corrections of a shield.
///
/// # Errors
/// Fails if the file cannot be read, is faulty, or is a policy for a problem with other fluents.
pub fn read(
    path: &Path,
    compiled: &Arc<CompiledInstance>,
    seed: u64,
) -> Result<Option<SavedPolicy>, Failure> {
    if path == Path::new("-") {
        return Ok(None);
    }
    let source = input::read(path)?;
    let Some(json) = input::policy_json(source.text()) else {
        return Ok(None);
    };
    let fault = |message: String| Failure::Request(format!("{}: {message}", path.display()));
    let file: PolicyFile = serde_json::from_str(&json).map_err(|error| fault(error.to_string()))?;
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
        (None, None) => return Err(fault("the policy has no network and no table".to_owned())),
    };
    let other = || {
        fault(format!(
            "the policy is for {problem} of {domain}, which has other fluents"
        ))
    };
    saved.map(Some).ok_or_else(other)
}
