//! The entries of a problem in the header of a trace.

use serde_json::Value;

use crate::request::ProblemName;

/// Returns the names of domain and problem for the header: those of a bundled problem, or file names next to the trace.
pub(crate) fn names(problem: &ProblemName, ending: &str) -> (String, String) {
    match problem {
        ProblemName::Bundled { domain, problem } => (domain.clone(), problem.clone()),
        ProblemName::Texts { .. } => (format!("domain.{ending}"), format!("problem.{ending}")),
    }
}

/// The texts of a problem that is not bundled, for the header of its trace, so that one file says everything.
pub(crate) fn own_texts(problem: &ProblemName) -> Option<Value> {
    match problem {
        ProblemName::Bundled { .. } => None,
        ProblemName::Texts { texts } => serde_json::to_value(texts).ok(),
    }
}
