//! The results of planners.

use std::time::Duration;

use herbrand_ground::ActionId;
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::{PlanFormatError, Rounding};

use crate::heuristic::EstimateError;

/// How a planner's search ended. The planner's statistics are in [`Report`]. Only `ProvenUnsolvable` says that there is
/// no plan; after a limit, try again with a larger budget.
#[derive(Clone, PartialEq, Debug)]
pub enum SearchOutcome {
    /// A plan was found.
    Plan(Plan),
    /// The goal holds in the start state, so the empty plan solves the task.
    GoalAlreadyTrue,
    /// There is no plan: every reachable state was visited, or was recognised as one from which the goal cannot be
    /// reached.
    ProvenUnsolvable,
    /// The search space of the planner is exhausted without a plan. A plan may still exist: the outcome for
    /// probabilistic tasks under [`Determinization::MostLikely`](crate::Determinization::MostLikely), and if numbers may be
    /// [rounded](SearchStatistics::rounding).
    Exhausted,
    /// The time limit was reached before a plan was found.
    OutOfTime,
    /// The memory limit was reached before a plan was found.
    OutOfMemory,
    /// The budget was cancelled before a plan was found.
    Cancelled,
    /// An external planner gave no valid plan, or a [`Heuristic`](crate::Heuristic) no valid estimates.
    Failed(PlannerError),
}

/// The reason why an external planner gave no valid plan, or a [`Heuristic`](crate::Heuristic) no valid estimates: the
/// content of [`SearchOutcome::Failed`]. If several plan files are invalid, the reason of the one tried first. Programs are named by their file name, without the folder.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlannerError {
    /// A heuristic gave an answer that cannot be used.
    #[error(transparent)]
    Estimate(EstimateError),
    /// The program cannot be started.
    #[error("{program} cannot be started: {reason}")]
    Start {
        /// The program.
        program: String,
        /// The reason that the operating system gives.
        reason: String,
    },
    /// The input files cannot be written, the output files cannot be read, or a plan is not a plain file. Contains the
    /// reason.
    #[error("the files of another planner: {0}")]
    Files(String),
    /// The task is probabilistic. Only the planners of this crate determinize it.
    #[error("the domain has probabilistic effects; determinize it before you pass it to another program")]
    Chance,
    /// The program ended without a plan.
    #[error("{program} returned no plan ({ended}){}", .said.as_ref().map_or_else(String::new, |said| format!(": {said}")))]
    NoPlan {
        /// The name of the program.
        program: String,
        /// How the program's process ended, such as `exit status: 12`.
        ended: String,
        /// The last non-blank line of its standard error, or else of its standard output, if any.
        said: Option<String>,
    },
    /// A plan, the standard output or the standard error of the program is longer than allowed.
    #[error("{program} wrote more than {limit} bytes")]
    TooLong {
        /// The program.
        program: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// A line of the plan cannot be parsed as a step.
    #[error(transparent)]
    Format(#[from] PlanFormatError),
    /// A step of the plan is not an action of the task, or is not applicable in the state reached by then. Also the
    /// result of a budget that was cancelled while the plan was checked.
    #[error("step {step} of the plan from {program}, {action}, is rejected: {reason}")]
    Refused {
        /// The program.
        program: String,
        /// The number of the step, from 1.
        step: usize,
        /// The text of the step in the plan.
        action: String,
        /// The reason why it is refused.
        reason: String,
    },
    /// All steps of the plan are applicable, but the goal does not hold at the end.
    #[error("the plan from {program} ({steps} steps) does not reach the goal")]
    Misses {
        /// The program.
        program: String,
        /// The number of steps of the plan.
        steps: usize,
    },
}

/// A plan that a planner found: the content of [`SearchOutcome::Plan`].
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The actions of the ground task given to [`SearchTask::new`](crate::SearchTask::new), in order. Apply them from
    /// the start state with a walker of its simulator.
    pub steps: Vec<ActionId>,
    /// The total cost of the steps, by [`StepCosts`](crate::StepCosts), in terms of the metric.
    pub cost: f64,
    /// Whether it is proven that no plan is cheaper. Only `Anytime` and `AStar` of [`PlannerKind`](crate::PlannerKind)
    /// prove it, and only if the costs are exact and follow the metric, and no number may be
    /// [rounded](SearchStatistics::rounding). For a probabilistic task, this is a statement
    /// about the determinized task, in which a plan chooses the outcome of every step.
    pub proven_optimal: bool,
    /// The actions of the searched task, which determine the outcomes that the plan relies on.
    pub(crate) searched: Vec<ActionId>,
}

impl Plan {
    /// Creates a plan that was found in another way than by a search of this crate.
    #[must_use]
    pub fn new(steps: Vec<ActionId>, cost: f64) -> Self {
        Self {
            searched: steps.clone(),
            steps,
            cost,
            proven_optimal: false,
        }
    }
}

impl SearchOutcome {
    /// Returns the steps of the plan; empty if the goal already holds, `None` if no plan was found. In a determinized
    /// task, the plan works only if the outcomes happen that it relies on.
    #[must_use]
    pub fn plan(&self) -> Option<&[ActionId]> {
        match self {
            Self::Plan(plan) => Some(&plan.steps),
            Self::GoalAlreadyTrue => Some(&[]),
            _ => None,
        }
    }

    /// Returns the name of the outcome in texts and files: `plan`, `goal-already-true`, `proven-unsolvable`, `exhausted`,
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

impl From<BudgetExhausted> for SearchOutcome {
    fn from(exhausted: BudgetExhausted) -> Self {
        match exhausted {
            BudgetExhausted::Memory { .. } => Self::OutOfMemory,
            BudgetExhausted::Time { .. } => Self::OutOfTime,
            BudgetExhausted::Cancelled { .. } => Self::Cancelled,
        }
    }
}

/// The statistics of a search, at its end or, in [`Progress`], so far. [`Report::statistics`] has them at
/// the end.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SearchStatistics {
    /// The number of states whose successors were generated.
    pub expanded: u64,
    /// The number of states evaluated by a heuristic or a novelty measure.
    pub evaluated: u64,
    /// The number of successors generated, including duplicates.
    pub generated: u64,
    /// The number of states recognised as dead ends, from which the goal is unreachable.
    pub dead_ends: u64,
    /// The number of different states stored. If a planner runs several searches, the largest number among them.
    pub states: u64,
    /// The smallest heuristic value of a state so far, in the unit of the planner's heuristic; `None` if no state was
    /// evaluated by one. For [`PlannerKind::Width`](crate::PlannerKind::Width), the number of unsatisfied goals.
    pub best_heuristic: Option<u64>,
    /// The cost of the best plan so far, in terms of the metric; `None` if there is no plan yet.
    pub best_cost: Option<f64>,
    /// A cost that no plan is below, in terms of the metric, as far as the search has shown it. Only `AStar` of
    /// [`PlannerKind`](crate::PlannerKind) shows one, if the costs are exact and follow the metric; otherwise `None`.
    pub lower_bound: Option<f64>,
    /// The reason why the search proves neither that there is no plan nor that a plan is optimal: numbers of the states may be
    /// rounded. `None` while the search runs, if all numbers are exact, and from other programs.
    pub rounding: Option<Rounding>,
    /// The time since the start of the search, including its preparation.
    pub time: Duration,
    /// The part of `time` before the first state was evaluated, for building the relaxation and finding landmarks.
    pub preparation: Duration,
    /// The largest number of bytes used by the search so far.
    pub bytes: u64,
}

/// The resources that a planner may use, and a callback for its progress. An argument of
/// [`Planner::plan`](crate::Planner::plan) and [`Planner::solve`](crate::Planner::solve). The callback cannot end the
/// search; cancel the budget for that.
pub struct PlanRequest<'a> {
    /// The limits of memory and time. Another thread can cancel the budget.
    pub budget: Budget,
    /// The seed for breaking ties. With 0, ties are broken in the order of the text; with any other seed, the
    /// successors of each state are shuffled. [`PlannerKind::Portfolio`](crate::PlannerKind::Portfolio) shuffles with
    /// any seed from its second round on. The same seed gives the same search on every platform.
    pub seed: u64,
    /// A callback that is called at intervals of about 50 milliseconds (by external planners, 20), and when the best
    /// heuristic value or the best plan improves.
    pub progress: &'a mut dyn FnMut(Progress<'_>),
}

/// The progress of a search, for [`PlanRequest::progress`].
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The statistics so far.
    pub statistics: &'a SearchStatistics,
    /// A plan that the search has just found, and after which it looks for cheaper ones; `None` in calls for another
    /// reason. Only [`PlannerKind::Anytime`](crate::PlannerKind::Anytime) has such plans. The best of them is the
    /// outcome.
    pub plan: Option<&'a Plan>,
}

/// The outcome of a planner's search with its statistics, returned by [`Planner::plan`](crate::Planner::plan) and
/// [`Planner::solve`](crate::Planner::solve). [`SearchOutcome::plan`] gives the steps, and [`SearchOutcome::name`] how
/// the search ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// How the search ended, with the plan if one was found.
    pub outcome: SearchOutcome,
    /// The statistics of the search.
    pub statistics: SearchStatistics,
}
