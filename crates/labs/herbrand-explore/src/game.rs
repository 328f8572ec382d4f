//! The record of a game.

use herbrand_edit::{Edit, Ground};
use serde::{Deserialize, Serialize};

use crate::feedback::Feedback;
use crate::solver::PredictedStep;
use crate::world::GameStatus;

/// The record of a finished game, returned by [`Explorer::play`](crate::Explorer::play). [`Ending::Won`] means success.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Game {
    /// The number of the game in its world.
    pub game: u64,
    /// The reason why the game ended.
    pub ending: Ending,
    /// The number of commands that the agent gave, including those that the world did not execute.
    pub steps: usize,
    /// The final score that the world gave, from 0 to 1.
    pub score: f64,
    /// The events of the game, in order, as the callback saw them.
    pub events: Vec<Event>,
}

herbrand_text::named! {
    /// The reason why a game ended, in [`Game::ending`].
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Ending {
        /// The task is accomplished.
        Won = "won",
        /// The world reported that the task can no longer be accomplished.
        Lost = "lost",
        /// The maximum number of commands was given ([`Task::steps`](crate::Task::steps)).
        OutOfSteps = "out-of-steps",
        /// No goal of the task's ladder has a plan of at least one step, also after all attempts of the reader. Goals that
        /// hold already count as having none.
        Stuck = "stuck",
        /// The reader gave no usable answer to a text, after all attempts.
        Unread = "unread",
        /// The `watch` callback stopped the game before it was won or lost.
        Stopped = "stopped",
        /// The reader was out of reach ([`Reader::is_gone`](crate::Reader::is_gone)), so the game was not played to its end. It
        /// says nothing about the agent.
        NotPlayed = "not-played",
    }
    /// Returns the name of the ending in reports, such as `out-of-steps`.
    pub fn name
}

/// An event in a game, passed to the callback of [`Explorer::play`](crate::Explorer::play) and stored in the record.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The world returned an observation: the text after a command, or at the start.
    Seen {
        /// The number of commands given so far, including the one that led to this observation; 0 at the start.
        step: usize,
        /// The command that led to the observation; `None` at the start.
        command: Option<String>,
        /// The text of the observation.
        text: String,
        /// Whether the game continues, is won or is lost.
        status: GameStatus,
    },
    /// The reader's answer was accepted. Not in [`Mode::EndToEnd`](crate::Mode::EndToEnd).
    Read {
        /// The resulting edits of the known problem. In [`Mode::WholeProblem`](crate::Mode::WholeProblem), the
        /// difference to the problem before; empty if edits cannot express it.
        edits: Vec<Edit>,
        /// Sentences that the reader did not understand.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        unread: Vec<String>,
    },
    /// The reader's answer was rejected, the reader failed, or no goal has a plan.
    Refused {
        /// The number of the attempt for this text, from 1.
        attempt: usize,
        /// The reason for the rejection.
        feedback: Feedback,
    },
    /// The planner was called for a goal of the task's ladder. Goals that do not apply yet have no such event.
    Planned {
        /// The name of the goal in the ladder.
        rung: String,
        /// The goal in PDDL.
        goal: String,
        /// The name of the planner's outcome, by [`SolverOutcome::name`](crate::SolverOutcome::name).
        outcome: String,
        /// The actions of the plan in order; empty if none was found or the goal already holds.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        plan: Vec<Ground>,
    },
    /// The comparison of a step's predicted and observed effects. It comes after the `Read` event of the observation.
    Effects(PredictedEffects),
    /// The rest of a plan was dropped, so the agent plans again.
    GivenUp {
        /// The reason why it was dropped.
        reason: ReplanReason,
    },
    /// The rest of the plan is kept, because replanning found neither a shorter plan nor a plan for another goal. Only
    /// with [`Execution::EveryStep`](crate::Execution::EveryStep).
    Kept,
}

/// The effects that the plan predicted for a step, in PDDL, grouped by whether they took place according to the
/// agent's belief after the next observation. A deleted fact is written as `(not (at a))`. [`Event::Effects`] contains
/// it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PredictedEffects {
    /// Predicted effects that took place.
    pub confirmed: Vec<String>,
    /// Predicted effects that did not take place.
    pub contradicted: Vec<String>,
    /// Predicted effects whose truth the belief does not know.
    pub unconfirmed: Vec<String>,
}

/// The reason why the rest of a plan was dropped; of several, the first in this order. [`Event::GivenUp`] contains it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplanReason {
    /// The world did not execute the command.
    Refused,
    /// A predicted effect did not take place, or was not observed.
    Prediction,
    /// The observation contains information that the plan did not predict.
    News,
    /// A new plan is shorter or has another goal.
    BetterPlan,
}

/// Returns the predicted literals of a step: each fact with its truth value after the step.
pub(crate) fn literals(step: &PredictedStep) -> impl Iterator<Item = (&Ground, bool)> {
    let adds = step.adds.iter().map(|fact| (fact, true));
    adds.chain(step.deletes.iter().map(|fact| (fact, false)))
}
