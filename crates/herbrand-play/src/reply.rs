//! What is answered.

use serde::{Deserialize, Serialize};

use crate::Language;
use crate::request::{Joint, ProblemName, Texts};

/// An answer. As JSON, `is` says which one it is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Reply {
    /// What is bundled.
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
    /// What is wrong with texts.
    Check {
        /// Faults and warnings, in the order of the texts.
        findings: Vec<Finding>,
        /// How many of them are faults.
        errors: usize,
        /// The language.
        language: Language,
    },
    /// A position.
    View(Box<View>),
    /// Why an action cannot be taken.
    Why {
        /// The reason; that it can be taken, if it can.
        text: String,
    },
    /// Steps towards the goal.
    Plan {
        /// The steps; none if none were found.
        steps: Vec<Joint>,
        /// What is said about them, or why there are none.
        text: String,
    },
    /// Text about the problem.
    Inside {
        /// What there is how often.
        counts: Vec<(String, u64)>,
        /// The parts.
        sections: Vec<Section>,
    },
    /// A walk as a file.
    Trace {
        /// What the file might be called.
        name: String,
        /// The text.
        text: String,
    },
    /// A walk that a trace recorded.
    Walk {
        /// Which problem.
        problem: ProblemName,
        /// What its draws follow from.
        seed: u64,
        /// The steps.
        walk: Vec<Joint>,
        /// What is to be said about it; empty if the walk is as recorded.
        note: String,
    },
    /// There is no answer.
    Refused(crate::Refusal),
}

/// A bundled domain.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DomainEntry {
    /// The name.
    pub name: String,
    /// The language.
    pub language: Language,
    /// What it is about, in one sentence.
    pub description: String,
    /// The names of its problems.
    pub problems: Vec<String>,
}

/// A fault or a warning in a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// In which text: `domain`, `problem` or `settings`; empty if it is about no place.
    pub text: String,
    /// The code, such as `E0103`; empty where there is none.
    pub code: String,
    /// `error` or `warning`.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// Where it begins and ends, as lines and columns from 1, columns in characters; the end is after the last one.
    pub place: [usize; 4],
    /// What is said about the place.
    pub label: String,
    /// What may help.
    pub help: String,
    /// Further remarks.
    pub notes: Vec<String>,
}

/// A position in a problem, as it is shown.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct View {
    /// What the problem is called.
    pub title: String,
    /// The language that it is in.
    pub language: Language,
    /// How many steps have been taken.
    pub step: usize,
    /// The sum of the rewards.
    pub reward: f64,
    /// The reward of the last step.
    pub last_reward: Option<f64>,
    /// What the state is to an episode.
    pub status: Status,
    /// The picture; `None` if it has too many parts.
    pub picture: Option<Drawn>,
    /// What can be done.
    pub actions: Vec<Action>,
    /// How much can be done; more than is listed, if there is too much to list.
    pub action_count: usize,
    /// How many joint actions are valid: a number, `∞`, or `–` if they are too many to count.
    pub joint_actions: String,
    /// How many actions may be taken together.
    pub together: usize,
    /// Actions that take a number.
    pub numbers: Vec<NumberAction>,
    /// The facts that may change.
    pub facts: Vec<String>,
    /// How many there are.
    pub fact_count: usize,
    /// The facts that the last step brought.
    pub added: Vec<String>,
    /// The facts that the last step ended.
    pub removed: Vec<String>,
    /// What the goal asks for.
    pub goal: Vec<Wanted>,
    /// What the last step did, in lines.
    pub effects: String,
}

/// What a state is to an episode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Steps can be taken.
    #[default]
    Running,
    /// The goal holds.
    Goal,
    /// No action is valid.
    DeadEnd,
    /// The episode ends here by the rules of the problem.
    Terminal,
    /// The episode has had all its steps.
    Horizon,
    /// A condition that should hold in every state does not.
    Broken,
}

/// A picture, and where it shows what.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Drawn {
    /// The picture.
    pub svg: String,
    /// Its width, in the units of the zones.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Where objects are shown, those on top last.
    pub zones: Vec<Zone>,
}

/// Where objects are shown.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Zone {
    /// Left, top, width, height.
    pub frame: [f64; 4],
    /// The objects.
    pub names: Vec<String>,
}

/// What can be done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Action {
    /// The action.
    pub text: String,
    /// The objects that it is about: its own, and those of the operator that carries it out.
    pub names: Vec<String>,
}

/// An action that takes a number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NumberAction {
    /// The action.
    pub name: String,
    /// Whether the number is whole.
    pub whole: bool,
    /// The least number, if there is one.
    pub low: Option<f64>,
    /// The largest number, if there is one.
    pub high: Option<f64>,
    /// The number if nothing is said.
    pub default: f64,
}

/// A part of a goal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Wanted {
    /// The part.
    pub text: String,
    /// Whether the state satisfies it.
    pub satisfied: bool,
}

/// A part of the text about a problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Section {
    /// What it is about.
    pub title: String,
    /// The lines, as many as are listed.
    pub lines: Vec<String>,
    /// How many there are.
    pub count: usize,
}
