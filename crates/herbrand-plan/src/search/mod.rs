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
pub(crate) use lazy::{Lazy, LazySearch};
pub(crate) use space::Space;
pub(crate) use width::Width;
