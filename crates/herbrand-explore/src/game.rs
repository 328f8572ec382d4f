//! The record of a game.

use herbrand_edit::{Edit, Ground};
use serde::{Deserialize, Serialize};

use crate::feedback::Feedback;
use crate::solver::PlanStep;
use crate::world::Status;

/// A game that was played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Game {
    /// Its number.
    pub game: u64,
    /// How it ended.
    pub ending: Ending,
    /// How many commands were given.
    pub steps: usize,
    /// How much was done, from 0 to 1, as the world counts it.
    pub score: f64,
    /// What happened, in order.
    pub events: Vec<Event>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The task is done.
    Won,
    /// The task cannot be done any more.
    Lost,
    /// All commands are used up.
    OutOfSteps,
    /// No goal of the ladder can be planned for.
    Stuck,
    /// The reader gave no answer that could be used.
    Unread,
    /// Somebody asked to stop.
    Stopped,
}

impl Ending {
    /// The word for it in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::OutOfSteps => "out-of-steps",
            Self::Stuck => "stuck",
            Self::Unread => "unread",
            Self::Stopped => "stopped",
        }
    }
}

/// Something that happened in a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The world answered.
    Seen {
        /// How many commands were given so far.
        step: usize,
        /// The last of them.
        command: Option<String>,
        /// The answer.
        text: String,
        /// Whether the game goes on.
        status: Status,
    },
    /// The reader's answer was taken in, and changed the problem so.
    Read {
        /// The edits.
        edits: Vec<Edit>,
        /// Sentences without a meaning for the reader.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        unread: Vec<String>,
    },
    /// The reader's answer was refused.
    Refused {
        /// How often it has answered to this text.
        attempt: usize,
        /// What was wrong.
        feedback: Feedback,
    },
    /// A goal was planned for.
    Planned {
        /// The goal's name.
        rung: String,
        /// The goal in PDDL.
        goal: String,
        /// What that came to.
        outcome: String,
        /// The plan, if there is one.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        plan: Vec<Ground>,
    },
    /// What a step was predicted to change, and what of it was seen.
    Effects(Effects),
    /// The rest of a plan was given up.
    GivenUp {
        /// Why.
        reason: Surprise,
    },
    /// The rest of a plan is carried on, since the plan that was just made for the same goal is not shorter.
    Kept,
}

/// What a step was predicted to change, by what is known after it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Effects {
    /// Was seen to be so.
    pub confirmed: Vec<String>,
    /// Was seen not to be so.
    pub contradicted: Vec<String>,
    /// Was not seen.
    pub unconfirmed: Vec<String>,
}

/// Why a plan is not carried on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Surprise {
    /// The world did not carry out the command.
    Refused,
    /// Something that was predicted is not so, or was not seen.
    Prediction,
    /// Something was seen that was not predicted.
    News,
    /// A plan that was made after the step is shorter, or has another goal.
    BetterPlan,
}

/// The steps of the plan as far as they can be checked: what is predicted.
pub(crate) fn literals(step: &PlanStep) -> impl Iterator<Item = (&Ground, bool)> {
    let adds = step.adds.iter().map(|fact| (fact, true));
    adds.chain(step.deletes.iter().map(|fact| (fact, false)))
}
