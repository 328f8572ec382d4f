//! Replies.

use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::refusal::Refusal;
use crate::request::{JointTexts, ProblemName, Texts};
use herbrand_assist::Language;
use herbrand_tasks::any::{Internals, SuggestedPlan};
use herbrand_tasks::walk::EpisodeStatus;

/// A reply to a request. In JSON, the field `is` contains the variant. Its variant fits the request, unless it is
/// [`Refused`](Self::Refused). `Look` is answered by `View`, `Explain` by `Why`, `Hint` and `Plan` by `Plan`, `Ground`
/// and `Datalog` by `Inside`, `OpenTrace` by `Walk`, `Explanation` by `Assist`, and the other requests by the variant of the same name.
/// [`Playground::reply`](crate::Playground::reply) returns one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Reply {
    /// The bundled domains and the added sets, in reply to [`Catalogue`](crate::Request::Catalogue).
    Catalogue {
        /// The domains: the bundled ones in PDDL, those in RDDL, and the added sets.
        domains: Vec<DomainEntry>,
    },
    /// The texts of a problem, in reply to [`Texts`](crate::Request::Texts).
    Texts {
        /// The texts of domain, problem and settings.
        texts: Texts,
        /// The language of the texts.
        language: Language,
    },
    /// The result of checking texts, in reply to [`Check`](crate::Request::Check).
    Check {
        /// The faults and warnings in the order of the texts, up to
        /// [`RequestLimits::listed`](crate::RequestLimits::listed).
        findings: Vec<Finding>,
        /// The number of all errors, without the warnings; it may exceed the number listed.
        errors: usize,
        /// The language of the texts.
        language: Language,
    },
    /// The answer to an editor, in reply to [`Assist`](crate::Request::Assist) or [`Explanation`](crate::Request::Explanation).
    Assist {
        /// The answer as the Language Server Protocol writes it, or the text of the explanation; `null` for an
        /// unknown name or code.
        answer: serde_json::Value,
    },
    /// The view of a position, in reply to [`Look`](crate::Request::Look).
    View(Box<PositionView>),
    /// An explanation of why an action is invalid, in reply to [`Explain`](crate::Request::Explain).
    Why {
        /// The reason, or the statement that the action is valid.
        text: String,
    },
    /// A plan or a hint, in reply to [`Plan`](crate::Request::Plan) or [`Hint`](crate::Request::Hint), which has only the first
    /// step.
    Plan(SuggestedPlan),
    /// Text about the internals of the problem, in reply to [`Ground`](crate::Request::Ground) or
    /// [`Datalog`](crate::Request::Datalog).
    Inside(Internals),
    /// The answer of a task, in reply to [`Task`](crate::Request::Task).
    Task {
        /// The answer, as the program prints it with `--format json`.
        answer: serde_json::Value,
    },
    /// A walk as a trace file, in reply to [`Trace`](crate::Request::Trace).
    Trace {
        /// A suggested name for the file.
        name: String,
        /// The text of the file, at most 16 MiB; a longer trace is refused.
        text: String,
    },
    /// The walk of a trace, in reply to [`OpenTrace`](crate::Request::OpenTrace).
    Walk {
        /// The problem of the trace.
        problem: ProblemName,
        /// The seed of random draws.
        seed: u64,
        /// The steps of the first walk of the trace, each a joint action. It ends before the first step that is not
        /// valid.
        walk: Vec<JointTexts>,
        /// A remark about the walk, such as an invalid step; empty if it leads to the recorded state, or the trace
        /// records none.
        note: String,
    },
    /// The request was refused.
    Refused(Refusal),
}

/// A bundled domain, a domain of one's own or an added set of problems. [`Reply::Catalogue`] lists them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DomainEntry {
    /// The name of the domain, such as `blocks` or `rddl/elevators`.
    pub name: String,
    /// The language of the domain; `None` if it is one of the caller's ([`with_problems`](crate::Playground::with_problems)).
    pub language: Option<Language>,
    /// A description of the domain in one sentence.
    pub description: String,
    /// The names of the domain's problems, as [`ProblemName::Bundled`] takes them.
    pub problems: Vec<String>,
    /// Whether the domain is in the [`Library`](crate::Library) of the playground.
    #[serde(default, rename = "own", skip_serializing_if = "std::ops::Not::not")]
    pub is_own: bool,
}

/// The view of a position in a problem: everything that the page shows of the state after a walk. [`Reply::View`]
/// contains it. Lists have at most [`RequestLimits::listed`](crate::RequestLimits::listed) entries; after the end of
/// the episode, there are no actions.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PositionView {
    /// The title of the problem.
    pub title: String,
    /// The language of the problem; `None` if it is one of the caller's.
    pub language: Option<Language>,
    /// The number of steps taken since the initial state, which is the length of the walk.
    pub step: usize,
    /// The sum of the rewards of these steps.
    pub reward: f64,
    /// The cost of these steps, by the metric of the problem; `None` if it has none or the cost is unknown.
    #[serde(default)]
    pub cost: Option<f64>,
    /// The reward of the last step; `None` before the first step.
    pub last_reward: Option<f64>,
    /// Whether further steps can be taken, and if not, why.
    pub status: EpisodeStatus,
    /// The picture of the state; `None` if it has too many elements, or the problem more objects than
    /// [`RequestLimits::drawn`](crate::RequestLimits::drawn) or more than 20 times as many facts.
    pub picture: Option<Drawn>,
    /// The objects of the cells above, below, left and right of the agent in the picture; empty if the settings declare no
    /// `eye`.
    #[serde(default)]
    pub beside: [Vec<String>; 4],
    /// The valid actions, up to a limit.
    pub actions: Vec<Action>,
    /// The number of valid actions, which may exceed the number listed; 0 after the end of the episode.
    pub action_count: usize,
    /// The number of valid joint actions as text: `∞` if infinite, or `–` if there are too many to count.
    pub joint_actions: String,
    /// The maximum number of actions in a joint action; 1 in PDDL.
    pub together: usize,
    /// The actions that take a number as their value.
    pub numbers: Vec<NumberAction>,
    /// The facts of the state that may change, up to a limit.
    pub facts: Vec<String>,
    /// The number of facts, which may exceed the number listed.
    pub fact_count: usize,
    /// The facts that the last step made true.
    pub added: Vec<String>,
    /// The facts that the last step made false.
    pub removed: Vec<String>,
    /// The parts of the goal; empty if the problem has none.
    pub goal: Vec<GoalPart>,
    /// A description of the last step's effects, line by line; empty before the first step.
    pub effects: String,
}

/// A picture of a state with the positions of the objects in it. [`PositionView::picture`] has it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Drawn {
    /// The picture as SVG.
    pub svg: String,
    /// The width of the picture, in the units of the zones.
    pub width: f64,
    /// The height of the picture, in the units of the zones.
    pub height: f64,
    /// The positions of objects in the picture, topmost last.
    pub zones: Vec<Zone>,
}

/// The rectangle that one or more objects occupy in a picture. [`Drawn::zones`] lists them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Zone {
    /// The rectangle: left, top, width and height, in the units of [`Drawn::width`] and [`Drawn::height`].
    pub frame: [f64; 4],
    /// The names of the objects in this rectangle.
    pub names: Vec<String>,
}

/// A valid action of a state: a choice other than a default. [`PositionView::actions`] lists them. The text goes into
/// the [`JointTexts`] of a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Action {
    /// The text of the action, as a request contains it.
    pub text: String,
    /// The names of the objects in the action and in the operator that carries it out.
    pub names: Vec<String>,
}

/// An action of RDDL whose value is a number. [`PositionView::numbers`] lists them, whatever the state. Requests
/// contain it as `name=value`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NumberAction {
    /// The name of the action.
    pub name: String,
    /// Whether the value must be an integer.
    pub whole: bool,
    /// The smallest value; `None` if it is unbounded.
    pub low: Option<f64>,
    /// The largest value; `None` if it is unbounded.
    pub high: Option<f64>,
    /// The value if none is given.
    pub default: f64,
}

impl NumberAction {
    /// Returns the range of the value in words, such as `a number from 0 to 0.5`.
    #[must_use]
    pub fn range(&self) -> String {
        let kind = if self.whole { "a whole number" } else { "a number" };
        match (self.low, self.high) {
            (Some(low), Some(high)) => format!("{kind} from {low} to {high}"),
            (Some(low), None) => format!("{kind} of at least {low}"),
            (None, Some(high)) => format!("{kind} of at most {high}"),
            (None, None) => kind.to_owned(),
        }
    }
}

/// A part of a goal, such as a conjunct, and whether it is satisfied. [`PositionView::goal`] lists them. A part is not
/// satisfied if that depends on a comparison of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GoalPart {
    /// The text of the part.
    pub text: String,
    /// Whether the state satisfies the part.
    pub satisfied: bool,
}
