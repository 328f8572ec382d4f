//! The arguments of tools.

use serde::Deserialize;
use serde_json::Value;

/// The arguments of all tools. [`Listing::read`](crate::listing::Listing::read) checks that a call has every argument that its
/// tool needs, and no argument that it does not take.
#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Arguments {
    pub session: String,
    pub domain: Option<String>,
    pub problem: Option<String>,
    pub domain_text: Option<String>,
    pub problem_text: Option<String>,
    pub settings_text: Option<String>,
    pub sentences_text: Option<String>,
    pub domain_file: Option<String>,
    pub problem_file: Option<String>,
    pub settings_file: Option<String>,
    pub sentences_file: Option<String>,
    pub file: Option<String>,
    pub seed: u64,
    pub most: Option<usize>,
    pub steps: Option<usize>,
    pub action: String,
    pub plan: String,
    pub edits: Vec<Value>,
}
