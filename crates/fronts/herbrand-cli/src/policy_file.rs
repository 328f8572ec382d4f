//! Policy files: the networks that `herbrand plan --planner reactive --out` writes and `herbrand validate` reads.

use std::path::Path;
use std::sync::Arc;

use herbrand::rddl::gradient::{NeuralNetwork, ReactivePolicy};
use herbrand::rddl::simulate::CompiledInstance;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::input;

/// The contents of a policy file, as JSON below comments.
#[derive(Serialize, Deserialize)]
struct PolicyFile {
    domain: String,
    problem: String,
    /// Whether a shield corrects the actions.
    shield: bool,
    network: NeuralNetwork,
}

/// A policy from a file.
pub struct SavedPolicy {
    pub policy: ReactivePolicy,
    /// Whether a shield corrects the actions.
    pub shield: bool,
}

/// Formats a policy.
///
/// # Errors
/// Fails if a weight is no number.
pub fn text(policy: &ReactivePolicy, problem: &str, shield: bool) -> Result<String, Failure> {
    let instance = &policy.compiled().instance;
    let file = PolicyFile {
        domain: instance.domain.name.to_string(),
        problem: problem.to_owned(),
        shield,
        network: policy.network().clone(),
    };
    let json = serde_json::to_string(&file).map_err(|error| Failure::Request(error.to_string()))?;
    Ok(format!("; a policy: `herbrand validate` evaluates it\n{json}\n"))
}

/// Reads a policy for a problem; `None` if the file is not a policy, and so perhaps a plan. Standard input, `-`, is none.
///
/// # Errors
/// Fails if the file cannot be read, is faulty, or is a policy for a problem with other fluents.
pub fn read(path: &Path, compiled: &Arc<CompiledInstance>) -> Result<Option<SavedPolicy>, Failure> {
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
    } = file;
    match ReactivePolicy::from_network(Arc::clone(compiled), network) {
        Some(policy) => Ok(Some(SavedPolicy { policy, shield })),
        None => Err(fault(format!(
            "the policy is for {problem} of {domain}, which has other fluents"
        ))),
    }
}
