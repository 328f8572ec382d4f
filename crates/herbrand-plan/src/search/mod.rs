//! Searches.

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

/// Why a search stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// The budget is spent.
    Spent(Spent),
    /// It has evaluated as many states as it may in one turn: see [`Space::begin_turn`].
    Turn,
}

impl From<Spent> for Halt {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// At a goal state.
    Goal(u32),
    /// Nothing is left to be looked at.
    Nothing,
}
