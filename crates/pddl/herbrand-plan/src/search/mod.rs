//! Search algorithms.

use herbrand_limits::BudgetExhausted;

use crate::heuristic::EstimateError;
use crate::outcome::{PlannerError, SearchOutcome};

mod best_first;
mod climb;
mod deferred;
mod evaluators;
mod lazy;
mod leap;
mod novelty;
mod open;
mod space;
mod width;

pub(crate) use best_first::{BestFirst, Order};
pub(crate) use climb::Climb;
pub(crate) use deferred::Deferred;
pub(crate) use lazy::Lazy;
pub use novelty::NoveltyTable;
pub(crate) use space::Space;
pub(crate) use width::Width;

/// The reason why a search stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// The budget is exceeded.
    BudgetExhausted(BudgetExhausted),
    /// The answer of a heuristic cannot be used.
    Estimate(EstimateError),
    /// The search has evaluated as many states as its turn allows; see [`Space::begin_turn`].
    Turn,
}

impl From<BudgetExhausted> for Halt {
    fn from(exhausted: BudgetExhausted) -> Self {
        Self::BudgetExhausted(exhausted)
    }
}

impl From<Halt> for SearchOutcome {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::BudgetExhausted(exhausted) => exhausted.into(),
            Halt::Estimate(error) => Self::Failed(PlannerError::Estimate(error)),
            // Turns occur only in a portfolio, which handles this case.
            Halt::Turn => Self::Exhausted,
        }
    }
}

/// The end of a search that was not stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// A goal state was found.
    Goal(u32),
    /// All states to be searched were searched.
    Nothing,
}
