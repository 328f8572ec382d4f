//! Requests.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// The name of the domain text in messages.
pub(crate) const DOMAIN: &str = "domain";
/// The name of the problem text in messages.
pub(crate) const PROBLEM: &str = "problem";
/// The name of the settings text in messages.
pub(crate) const SETTINGS: &str = "settings";

/// A request to a [`Playground`](crate::Playground), which [`reply`](crate::Playground::reply) takes. In JSON, the
/// field `ask` contains the variant. [`Reply`](crate::Reply) names the variant that answers each.
///
/// A position consists of the problem, the seed of random draws and the steps so far, so the reply depends on nothing but
/// the request.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Request {
    /// Lists the bundled domains and added sets with their problems.
    Catalogue,
    /// Returns the texts of a problem, for editing.
    Texts {
        /// The problem.
        problem: ProblemName,
    },
    /// Checks the texts of a domain and a problem, and returns their faults and warnings.
    Check {
        /// The texts.
        texts: Texts,
    },
    /// Answers a question of an editor about one of the texts, as the language server does.
    Assist {
        /// The texts.
        texts: Texts,
        /// The text that the question is about.
        text: TextName,
        /// The question.
        #[serde(flatten)]
        want: Want,
    },
    /// Returns the explanation of a code of a fault or warning, in Markdown.
    Explanation {
        /// The code, such as `E0102`.
        code: String,
    },
    /// Returns the view of a position: picture, facts, goal and valid actions.
    Look(WalkPosition),
    /// Explains why an action is invalid, or says that it is valid.
    Explain {
        /// The position.
        #[serde(flatten)]
        position: WalkPosition,
        /// The joint action to explain. A single action may be given as text, without a list.
        #[serde(deserialize_with = "one_or_several")]
        action: JointTexts,
    },
    /// Returns the next step towards the goal from a position.
    Hint(WalkPosition),
    /// Returns a plan from a position to the goal.
    Plan(WalkPosition),
    /// Returns the ground task of the problem as text.
    Ground {
        /// The problem.
        problem: ProblemName,
    },
    /// Returns the Datalog program of the problem as text.
    Datalog {
        /// The problem.
        problem: ProblemName,
    },
    /// Answers a task of the floor, one of [`TASKS`](herbrand_tasks::TASKS), without options that only trusted callers may give.
    Task {
        /// The name of the task.
        task: String,
        /// The problem.
        problem: ProblemName,
        /// The values of options by their names.
        #[serde(default)]
        options: Map<String, Value>,
        /// The seed of random draws.
        #[serde(default)]
        seed: u64,
    },
    /// Returns the walk to a position as a trace, in the format of `herbrand replay` and `herbrand render`.
    Trace(WalkPosition),
    /// Reads a trace and returns its first walk, so that it can be continued.
    OpenTrace {
        /// The text of the trace.
        text: String,
        /// The texts of the problem, if the trace contains neither them nor the name of a bundled problem. If given,
        /// they take the place of those in the trace.
        #[serde(default)]
        texts: Option<Texts>,
    },
}

impl Request {
    /// Returns the problem that the request is about; `None` if it is about none, or has texts instead.
    #[must_use]
    pub const fn problem(&self) -> Option<&ProblemName> {
        match self {
            Self::Look(WalkPosition { problem, .. })
            | Self::Hint(WalkPosition { problem, .. })
            | Self::Plan(WalkPosition { problem, .. })
            | Self::Trace(WalkPosition { problem, .. })
            | Self::Explain {
                position: WalkPosition { problem, .. },
                ..
            }
            | Self::Texts { problem }
            | Self::Task { problem, .. }
            | Self::Ground { problem }
            | Self::Datalog { problem } => Some(problem),
            Self::Catalogue
            | Self::Check { .. }
            | Self::Assist { .. }
            | Self::Explanation { .. }
            | Self::OpenTrace { .. } => None,
        }
    }

    pub(crate) const fn problem_mut(&mut self) -> Option<&mut ProblemName> {
        match self {
            Self::Look(WalkPosition { problem, .. })
            | Self::Hint(WalkPosition { problem, .. })
            | Self::Plan(WalkPosition { problem, .. })
            | Self::Trace(WalkPosition { problem, .. })
            | Self::Explain {
                position: WalkPosition { problem, .. },
                ..
            }
            | Self::Texts { problem }
            | Self::Task { problem, .. }
            | Self::Ground { problem }
            | Self::Datalog { problem } => Some(problem),
            _ => None,
        }
    }
}

/// A problem, either of a bundled domain or added set, or given by texts. It is not checked here: a request about an
/// unknown or faulty problem is refused. In JSON, an object with `domain` and `problem`, or with `texts`. Requests and
/// [`WalkPosition::problem`] have it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize, Serialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum ProblemName {
    /// A problem of a bundled domain or of an added set.
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

/// The texts of a domain and a problem, in PDDL or RDDL. They may be faulty; [`Request::Check`] lists their faults.
/// The language is that of the text of the domain ([`Language::of`](crate::Language::of)).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    /// The text of the domain; in RDDL, it may contain all blocks if the text of the problem is empty.
    pub domain: String,
    /// The text of the problem; in RDDL, of the instance and its non-fluents.
    pub problem: String,
    /// The text of the settings (`env.toml`); empty if there are no settings.
    #[serde(default)]
    pub settings: String,
}

/// One of the [`Texts`]. [`Request::Assist`] names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextName {
    /// The text of the domain.
    Domain,
    /// The text of the problem.
    Problem,
    /// The text of the settings, about which all answers are empty.
    Settings,
}

/// A question of an editor about a text, which [`Request::Assist`] asks. In JSON, the field `want` contains the variant. Lines and
/// columns count from 0, columns in UTF-16 code units, as in the Language Server Protocol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize, Serialize)]
#[serde(tag = "want", rename_all = "kebab-case")]
pub enum Want {
    /// Asks what the name at a position is. The answer is a `Hover`.
    Hover {
        /// The line of the position.
        line: u32,
        /// The column of the position.
        character: u32,
    },
    /// Asks for the words that fit at a position. The answer is a list of `CompletionItem`.
    Completion {
        /// The line of the position.
        line: u32,
        /// The column of the position.
        character: u32,
    },
    /// Asks for the edits that format the text. The answer is a list of `TextEdit`. A text with faults of syntax is refused.
    Format,
    /// Asks for the edits that mend faults of the text. The answer is a list of `CodeAction`, which edit
    /// `file:///domain.pddl` and `file:///problem.pddl`, or the same with the ending `rddl`.
    Fixes,
}

/// A joint action as the texts of its actions: exactly one in PDDL, any number in RDDL. In RDDL, the empty list is the
/// action in which every fluent keeps its default.
pub type JointTexts = Vec<String>;

/// Reads a joint action: a list of texts, or a text.
fn one_or_several<'de, D: Deserializer<'de>>(given: D) -> Result<JointTexts, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "an action is a text such as \"(move a b)\", or a list of texts"
    )]
    enum Given {
        One(String),
        Several(JointTexts),
    }
    Ok(match Given::deserialize(given)? {
        Given::One(action) => vec![action],
        Given::Several(joint) => joint,
    })
}

/// A position in a problem: the state at the end of a walk, a list of steps from the initial state. An empty walk is
/// the initial state. A walk with an invalid step is refused, and the [`Refusal`](crate::Refusal) has its index. A
/// walk longer than [`RequestLimits::steps`](crate::RequestLimits::steps) is refused too.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
pub struct WalkPosition {
    /// The problem.
    pub problem: ProblemName,
    /// The seed of the random draws of the initial state and along the walk.
    #[serde(default)]
    pub seed: u64,
    /// The steps of the walk, each a joint action.
    #[serde(default)]
    pub walk: Vec<JointTexts>,
}
