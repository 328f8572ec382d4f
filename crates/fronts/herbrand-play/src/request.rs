//! Requests.

use serde::{Deserialize, Serialize};

/// A request. In JSON, the field `ask` contains the variant.
///
/// A position consists of the problem, the seed of random draws and the steps so far, so the reply depends on nothing but
/// the request.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Request {
    /// Lists the bundled domains with their problems.
    Catalogue,
    /// Returns the texts of a problem for editing.
    Texts {
        /// The problem.
        problem: ProblemName,
    },
    /// Checks texts.
    Check {
        /// The texts.
        texts: Texts,
    },
    /// Returns the view of a position: picture, facts, goal and valid actions.
    Look(Position),
    /// Explains why an action is invalid.
    Explain {
        /// The position.
        #[serde(flatten)]
        position: Position,
        /// The joint action.
        action: Joint,
    },
    /// Returns the next step towards the goal.
    Hint(Position),
    /// Returns a plan.
    Plan(Position),
    /// Returns the ground task of the problem.
    Ground {
        /// The problem.
        problem: ProblemName,
    },
    /// Returns the Datalog program of the problem.
    Datalog {
        /// The problem.
        problem: ProblemName,
    },
    /// Returns the walk as a trace, in the format of `herbrand replay` and `herbrand render`.
    Trace(Position),
    /// Opens the walk of a trace.
    OpenTrace {
        /// The text of the trace.
        text: String,
        /// The texts of the problem, if the trace contains neither them nor the name of a bundled problem.
        #[serde(default)]
        texts: Option<Texts>,
    },
}

/// A problem, either bundled or given by texts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize, Serialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum ProblemName {
    /// A bundled problem.
    Bundled {
        /// The name of the domain, such as `blocks` or `rddl/elevators`.
        domain: String,
        /// The name of the problem, such as `train/01`.
        problem: String,
    },
    /// A problem given by texts.
    Texts {
        /// The texts.
        texts: Texts,
    },
}

/// The texts of a domain and a problem, in PDDL or RDDL.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    /// The text of the domain.
    pub domain: String,
    /// The text of the problem; in RDDL, of the instance and its non-fluents.
    pub problem: String,
    /// The text of the settings (`env.toml`); empty if there are no settings.
    #[serde(default)]
    pub settings: String,
}

/// A joint action: exactly one action in PDDL, any number in RDDL.
pub type Joint = Vec<String>;

/// A position in a problem: the state that a walk leads to.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
pub struct Position {
    /// The problem.
    pub problem: ProblemName,
    /// The seed of random draws.
    #[serde(default)]
    pub seed: u64,
    /// The steps of the walk.
    #[serde(default)]
    pub walk: Vec<Joint>,
}
