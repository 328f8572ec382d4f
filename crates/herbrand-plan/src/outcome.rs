//! What a planner has to say.

use std::time::Duration;

use herbrand_ground::ActionId;
use herbrand_limits::{Budget, Spent};
use herbrand_step::PlanFormatError;

/// What a search came to.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// A plan was found.
    Plan(Plan),
    /// The goal holds in the state to start from: the plan is empty.
    GoalAlreadyTrue,
    /// There is no plan: every state that can be reached was visited, or is a dead end.
    ProvenUnsolvable,
    /// The planner looked at everything that it looks at and found no plan, which proves nothing.
    Exhausted,
    /// The time is over.
    OutOfTime,
    /// The memory is used up.
    OutOfMemory,
    /// Another thread cancelled the search.
    Cancelled,
    /// Another program was asked for a plan, and gave none that holds. The planners of this crate do not fail.
    Failed(PlannerError),
}

/// Why another program is no planner for a task.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlannerError {
    /// It cannot be started.
    #[error("{program} cannot be started: {reason}")]
    Start {
        /// The program.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// The files that it reads cannot be written, or those that it wrote cannot be read.
    #[error("the files of another planner: {0}")]
    Files(String),
    /// The task has chance in it, which is resolved for the planners of this crate alone.
    #[error("the domain has chance in it, which is not resolved for other programs")]
    Chance,
    /// It ended without a plan.
    #[error("{program} gave no plan ({ended}){}", .said.as_ref().map_or_else(String::new, |said| format!(": {said}")))]
    NoPlan {
        /// The program.
        program: String,
        /// How it ended, such as `exit status: 12`.
        ended: String,
        /// The last line that it wrote, if any.
        said: Option<String>,
    },
    /// It wrote more than is read.
    #[error("{program} wrote more than {limit} bytes")]
    TooLong {
        /// The program.
        program: String,
        /// What is read at most.
        limit: u64,
    },
    /// A line of its plan is no step.
    #[error(transparent)]
    Format(#[from] PlanFormatError),
    /// A step of its plan is no action of the task, or is not applicable where the plan takes it.
    #[error("step {step} of the plan that {program} gave, {action}, is refused: {reason}")]
    Refused {
        /// The program.
        program: String,
        /// The step, from 1.
        step: usize,
        /// What it says.
        action: String,
        /// Why.
        reason: String,
    },
    /// All steps of its plan are applicable, and the goal does not hold at the end.
    #[error("the plan that {program} gave ({steps} steps) does not reach the goal")]
    Misses {
        /// The program.
        program: String,
        /// How many steps the plan has.
        steps: usize,
    },
}

/// A plan.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The actions, those of the task that was given to be planned for.
    pub steps: Vec<ActionId>,
    /// What the steps cost together, by [`StepCosts`](crate::StepCosts).
    pub cost: f64,
    /// Whether no plan is cheaper. Plans under chance are compared by the outcomes that they rely on.
    pub proven_optimal: bool,
    /// The actions of the task that was searched: which outcomes the steps rely on.
    pub(crate) searched: Vec<ActionId>,
}

impl Outcome {
    /// The plan, if there is one; empty when the goal holds already.
    #[must_use]
    pub fn plan(&self) -> Option<&[ActionId]> {
        match self {
            Self::Plan(plan) => Some(&plan.steps),
            Self::GoalAlreadyTrue => Some(&[]),
            _ => None,
        }
    }

    /// The word for the outcome in texts and files: `plan`, `goal-already-true`, `proven-unsolvable`, `exhausted`,
    /// `out-of-time`, `out-of-memory`, `cancelled` or `failed`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Plan(_) => "plan",
            Self::GoalAlreadyTrue => "goal-already-true",
            Self::ProvenUnsolvable => "proven-unsolvable",
            Self::Exhausted => "exhausted",
            Self::OutOfTime => "out-of-time",
            Self::OutOfMemory => "out-of-memory",
            Self::Cancelled => "cancelled",
            Self::Failed(_) => "failed",
        }
    }
}

impl From<Spent> for Outcome {
    fn from(spent: Spent) -> Self {
        match spent {
            Spent::Memory { .. } => Self::OutOfMemory,
            Spent::Time { .. } => Self::OutOfTime,
            Spent::Cancelled { .. } => Self::Cancelled,
        }
    }
}

/// What a search has done so far.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Statistics {
    /// States whose successors were generated.
    pub expanded: u64,
    /// States that a heuristic was asked about.
    pub evaluated: u64,
    /// Successors that were generated, states found before included.
    pub generated: u64,
    /// States that are known to be dead ends.
    pub dead_ends: u64,
    /// Different states.
    pub states: u64,
    /// The least value of the heuristic so far.
    pub best_heuristic: Option<u64>,
    /// The cost of the best plan so far.
    pub best_cost: Option<f64>,
    /// Since the search began, what it prepares included.
    pub time: Duration,
    /// How much of that passed before the first state was evaluated: making the relaxation, looking for landmarks.
    pub preparation: Duration,
    /// The bytes that the search holds.
    pub bytes: u64,
}

/// What a planner may use, and whom it tells how it gets on.
pub struct Request<'a> {
    /// Memory and time; another thread can cancel it.
    pub budget: Budget,
    /// With 0, ties are broken in the order of the text. Any other seed shuffles the successors of each state. The same
    /// seed gives the same search on every platform.
    pub seed: u64,
    /// Is called from time to time, and when the best value of the heuristic or the best plan improves.
    pub progress: &'a mut dyn FnMut(&Statistics),
}

/// What a planner gives back.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// What it found.
    pub outcome: Outcome,
    /// What that took.
    pub statistics: Statistics,
}
