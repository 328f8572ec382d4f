//! Search algorithms.

use herbrand_limits::Spent;

mod astar;
mod climb;
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
pub(crate) use eager::EagerGreedy;
pub(crate) use lazy::Lazy;
pub(crate) use space::Space;
pub(crate) use width::Width;

/// The reason why a search stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// The budget is exceeded.
    Spent(Spent),
    /// The search has evaluated as many states as its turn allows; see [`Space::begin_turn`].
    Turn,
}

impl From<Spent> for Halt {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
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
