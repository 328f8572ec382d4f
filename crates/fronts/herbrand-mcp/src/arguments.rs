//! The arguments of tools.

use herbrand_edit::Edit;
use serde::Deserialize;

/// A problem: bundled, given by texts, or in files.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Problem {
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
    pub seed: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Domains {
    pub domain: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfSession {
    pub session: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    pub session: String,
    pub most: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfAction {
    pub session: String,
    pub action: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Undo {
    pub session: String,
    pub steps: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub session: String,
    pub plan: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edits {
    pub session: String,
    pub edits: Vec<Edit>,
    pub seed: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    pub session: String,
    pub seed: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    pub session: String,
    pub file: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    pub session: String,
    pub domain_file: Option<String>,
    pub problem_file: Option<String>,
}
