//! Searches.

mod astar;
mod climb;
mod eager;
mod lazy;
mod novelty;
mod open;
mod space;
mod width;

pub(crate) use astar::AStar;
pub(crate) use climb::Climb;
pub(crate) use eager::EagerGreedy;
pub(crate) use lazy::Lazy;
pub(crate) use space::Space;
pub(crate) use width::Width;

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// At a goal state.
    Goal(u32),
    /// Nothing is left to be looked at.
    Nothing,
}
