//! What an agent sees: atoms by number, as bits, as a graph, and what the goal still lacks.

mod atoms;
mod goal;
mod graph;
mod grid;

pub use atoms::{AtomSpace, ObservedId, Part};
pub use goal::GoalProgress;
pub use graph::{Graph, Role};
pub use grid::Grid;
