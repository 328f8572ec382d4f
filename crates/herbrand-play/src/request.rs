//! What is asked for.

use serde::{Deserialize, Serialize};

/// A request. As JSON, `ask` says which one it is.
///
/// A position in a problem is given by the problem, the seed of its draws and the steps so far, so a request says everything
/// that its answer depends on.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Request {
    /// What is bundled: all domains with their problems.
    Catalogue,
    /// The texts of a problem, as a reader would edit them.
    Texts {
        /// Which problem.
        problem: ProblemName,
    },
    /// What is wrong with texts.
    Check {
        /// The texts.
        texts: Texts,
    },
    /// A position: its picture, its facts, the goal, what can be done.
    Look(Position),
    /// Why an action cannot be taken.
    Explain {
        /// Where.
        #[serde(flatten)]
        position: Position,
        /// The action, or the actions that are taken together.
        action: Joint,
    },
    /// A step that leads towards the goal.
    Hint(Position),
    /// A plan.
    Plan(Position),
    /// What the problem comes down to.
    Ground {
        /// Which problem.
        problem: ProblemName,
    },
    /// The Datalog program of the problem.
    Datalog {
        /// Which problem.
        problem: ProblemName,
    },
    /// The walk so far as a trace, which `herbrand replay` and `herbrand render` read.
    Trace(Position),
    /// The walk that a trace recorded.
    OpenTrace {
        /// The text of the trace.
        text: String,
        /// The texts of its problem, where the trace is not of a bundled one and does not bring them.
        #[serde(default)]
        texts: Option<Texts>,
    },
}

/// A problem: one that is bundled, or texts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize, Serialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum ProblemName {
    /// A bundled problem.
    Bundled {
        /// The domain, such as `blocks` or `rddl/elevators`.
        domain: String,
        /// The problem, such as `train/01`.
        problem: String,
    },
    /// Texts.
    Texts {
        /// The texts.
        texts: Texts,
    },
}

/// The texts of a domain and a problem, in PDDL or RDDL.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    /// The domain.
    pub domain: String,
    /// The problem; in RDDL the instance, and its non-fluents.
    pub problem: String,
    /// The settings, as in `env.toml`; empty if there are none.
    #[serde(default)]
    pub settings: String,
}

/// Actions that are taken together: one in PDDL, any number in RDDL.
pub type Joint = Vec<String>;

/// A position in a problem: where a walk has led.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
pub struct Position {
    /// Which problem.
    pub problem: ProblemName,
    /// What all draws follow from.
    #[serde(default)]
    pub seed: u64,
    /// The steps so far.
    #[serde(default)]
    pub walk: Vec<Joint>,
}
