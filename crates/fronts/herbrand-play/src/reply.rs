//! Replies.

use serde::{Deserialize, Serialize};

use crate::Language;
use crate::request::{Joint, ProblemName, Texts};

/// A reply. In JSON, the field `is` contains the variant.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Reply {
    /// The bundled domains.
    Catalogue {
        /// The domains, those in PDDL first.
        domains: Vec<DomainEntry>,
    },
    /// The texts of a problem.
    Texts {
        /// The texts.
        texts: Texts,
        /// The language.
        language: Language,
    },
    /// The result of checking texts.
    Check {
        /// The faults and warnings in the order of the texts.
        findings: Vec<Finding>,
        /// The number of faults.
        errors: usize,
        /// The language.
        language: Language,
    },
    /// The view of a position.
    View(Box<View>),
    /// An explanation of why an action is invalid.
    Why {
        /// The reason, or the statement that the action is valid.
        text: String,
    },
    /// A plan or a hint.
    Plan {
        /// The steps; empty if no plan was found.
        steps: Vec<Joint>,
        /// A comment on the steps, or the reason why no plan was found.
        text: String,
    },
    /// Text about the internals of the problem.
    Inside {
        /// The number of each kind of component.
        counts: Vec<(String, u64)>,
        /// The sections of the text.
        sections: Vec<Section>,
    },
    /// A walk as a file.
    Trace {
        /// A suggested file name.
        name: String,
        /// The text of the file.
        text: String,
    },
    /// A walk from a trace.
    Walk {
        /// The problem.
        problem: ProblemName,
        /// The seed of random draws.
        seed: u64,
        /// The steps.
        walk: Vec<Joint>,
        /// A remark about the walk; empty if it leads to the recorded state.
        note: String,
    },
    /// The request was refused.
    Refused(crate::Refusal),
}

/// A bundled domain.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DomainEntry {
    /// The name.
    pub name: String,
    /// The language.
    pub language: Language,
    /// A description in one sentence.
    pub description: String,
    /// The names of its problems.
    pub problems: Vec<String>,
}

/// A fault or a warning in a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The text with the fault: `domain`, `problem` or `settings`; empty if the fault has no position.
    pub text: String,
    /// The code, such as `E0103`; empty if the finding has no code.
    pub code: String,
    /// `error` or `warning`.
    pub severity: String,
    /// The message.
    pub message: String,
    /// The position: start line, start column, end line and end column. Lines and columns count from 1, columns in
    /// characters; the end is exclusive.
    pub place: [usize; 4],
    /// A remark about the position.
    pub label: String,
    /// A suggestion to fix the fault.
    pub help: String,
    /// Further remarks.
    pub notes: Vec<String>,
}

/// The view of a position in a problem.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct View {
    /// The title of the problem.
    pub title: String,
    /// The language of the problem.
    pub language: Language,
    /// The number of steps taken.
    pub step: usize,
    /// The sum of the rewards.
    pub reward: f64,
    /// The reward of the last step.
    pub last_reward: Option<f64>,
    /// The status of the state.
    pub status: Status,
    /// The picture; `None` if it has too many elements.
    pub picture: Option<Drawn>,
    /// The objects of the cells above, below, left and right of the agent in the picture; empty if the settings declare no
    /// `eye`.
    #[serde(default)]
    pub beside: [Vec<String>; 4],
    /// The valid actions.
    pub actions: Vec<Action>,
    /// The number of valid actions, which may exceed the number listed.
    pub action_count: usize,
    /// The number of valid joint actions, `∞` if infinite, or `–` if there are too many to count.
    pub joint_actions: String,
    /// The maximum number of actions in a joint action.
    pub together: usize,
    /// The actions that take a number.
    pub numbers: Vec<NumberAction>,
    /// The facts that may change.
    pub facts: Vec<String>,
    /// The number of facts, which may exceed the number listed.
    pub fact_count: usize,
    /// The facts that the last step made true.
    pub added: Vec<String>,
    /// The facts that the last step made false.
    pub removed: Vec<String>,
    /// The parts of the goal.
    pub goal: Vec<Wanted>,
    /// A description of the last step's effects, line by line.
    pub effects: String,
}

/// The status of a state in its episode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Further steps can be taken.
    #[default]
    Running,
    /// The goal holds.
    Goal,
    /// No action is valid.
    DeadEnd,
    /// The episode ended by the rules of the problem.
    Terminal,
    /// The episode reached its horizon.
    Horizon,
    /// A state invariant is violated.
    Broken,
}

/// A picture with the positions of objects.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Drawn {
    /// The picture as SVG.
    pub svg: String,
    /// The width in the units of the zones.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// The positions of objects, topmost last.
    pub zones: Vec<Zone>,
}

/// The position of objects in a picture.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Zone {
    /// Left, top, width, height.
    pub frame: [f64; 4],
    /// The objects.
    pub names: Vec<String>,
}

/// A valid action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Action {
    /// The text of the action.
    pub text: String,
    /// The objects of the action and of the operator that carries it out.
    pub names: Vec<String>,
}

/// An action that takes a number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NumberAction {
    /// The name of the action.
    pub name: String,
    /// Whether the number must be an integer.
    pub whole: bool,
    /// The smallest number, if bounded.
    pub low: Option<f64>,
    /// The largest number, if bounded.
    pub high: Option<f64>,
    /// The number if none is given.
    pub default: f64,
}

/// A part of a goal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Wanted {
    /// The text of the part.
    pub text: String,
    /// Whether the state satisfies it.
    pub satisfied: bool,
}

/// A section of the text about a problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Section {
    /// The title.
    pub title: String,
    /// The lines, up to the limit of the allowance.
    pub lines: Vec<String>,
    /// The total number of lines.
    pub count: usize,
}
