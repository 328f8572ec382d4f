//! The answers of sessions.

use serde::{Deserialize, Serialize};

use crate::reply::GoalPart;
use crate::request::JointTexts;
use herbrand_assist::Language;
use herbrand_tasks::walk::EpisodeStatus;

/// The state of a session, without its picture and its actions. [`Session::view`](crate::Session::view) returns it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SessionView {
    /// The title of the problem.
    pub title: String,
    /// The language of the problem; `None` if it is one of the caller's.
    pub language: Option<Language>,
    /// The number of steps taken.
    pub step: usize,
    /// The maximum number of steps; `None` for no limit.
    #[serde(default)]
    pub horizon: Option<u32>,
    /// The maximum number of actions taken together; 1 in PDDL.
    #[serde(default)]
    pub together: usize,
    /// The sum of the rewards of these steps.
    pub reward: f64,
    /// The cost of these steps, by the metric of the problem; `None` if it has none or the cost is unknown.
    pub cost: Option<f64>,
    /// Whether further steps can be taken, and if not, why.
    pub status: EpisodeStatus,
    /// The state as sentences, a line per fact.
    pub text: String,
    /// The goal as sentences, a line per part; empty if the problem has no goal.
    pub goal_text: String,
    /// The facts of the state in the syntax of its language, up to a limit.
    pub facts: Vec<String>,
    /// The number of facts, which may exceed the number listed.
    pub fact_count: usize,
    /// The parts of the goal in the syntax of its language, and whether each is satisfied.
    pub goal: Vec<GoalPart>,
    /// The number of valid actions. Actions that take a number do not count.
    pub action_count: usize,
}

/// A valid action of a session. [`Session::actions`](crate::Session::actions) lists them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ListedAction {
    /// The number of the action in the list, from 1, by which a step may name it in this state.
    pub number: usize,
    /// The action in the syntax of its language.
    pub action: String,
    /// The action as a sentence.
    pub text: String,
}

/// The effect of a step. [`Session::step`](crate::Session::step) returns it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SessionStep {
    /// The actions that were taken, in the syntax of their language; exactly one in PDDL.
    pub action: JointTexts,
    /// The number of steps taken so far, with this one.
    pub step: usize,
    /// The reward of the step.
    pub reward: f64,
    /// Whether further steps can be taken, and if not, why.
    pub status: EpisodeStatus,
    /// The changes as sentences, a line each.
    pub text: String,
    /// The facts that became true or have a new value.
    pub added: Vec<String>,
    /// The facts that became false, and old values.
    pub removed: Vec<String>,
}

/// A plan. [`Session::plan`](crate::Session::plan) returns it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SessionPlan {
    /// The steps in the syntax of their language, each a joint action. Empty if there is no plan or the goal holds.
    pub steps: Vec<JointTexts>,
    /// The steps as sentences.
    pub sentences: Vec<String>,
    /// A comment on the plan, or the reason why there are no steps.
    pub text: String,
}

/// The result of executing a plan from the initial state. [`Session::validate`](crate::Session::validate) returns it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlanCheck {
    /// Whether all steps can be taken and lead to the goal. In problems without a goal, whether all can be taken.
    pub valid: bool,
    /// The number of steps that can be taken.
    pub steps: usize,
    /// The number of steps that the plan states.
    pub lines: usize,
    /// The number of these lines that are written like an action, valid or not.
    pub readable: usize,
    /// The cost by the metric of the problem, or the number of steps if it has no metric; `None` if the plan is not
    /// valid.
    pub cost: Option<f64>,
    /// The sum of the rewards.
    pub reward: f64,
    /// The first fault: the step that cannot be taken and why, or the parts of the goal that do not hold. `None` if the
    /// plan is valid.
    pub fault: Option<String>,
}
