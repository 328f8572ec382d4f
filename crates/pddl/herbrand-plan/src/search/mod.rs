//! Search algorithms.

use herbrand_limits::BudgetExhausted;

mod astar;
mod climb;
mod deferred;
mod eager;
mod lazy;
mod leap;
mod novelty;
mod open;
mod space;
mod states;
mod width;

pub(crate) use astar::AStar;
pub(crate) use climb::Climb;
pub(crate) use deferred::Deferred;
pub(crate) use eager::EagerGreedy;
pub(crate) use lazy::Lazy;
pub(crate) use space::Space;
pub(crate) use width::Width;

/// The reason why a search stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// The budget is exceeded.
    BudgetExhausted(BudgetExhausted),
    /// The search has evaluated as many states as its turn allows; see [`Space::begin_turn`].
    Turn,
}

impl From<BudgetExhausted> for Halt {
    fn from(exhausted: BudgetExhausted) -> Self {
        Self::BudgetExhausted(exhausted)
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
