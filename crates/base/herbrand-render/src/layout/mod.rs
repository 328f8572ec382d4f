//! Layouts: the positions of places.

mod cells;
mod force;
mod layers;

pub use cells::CellNames;
pub(crate) use force::force;
pub(crate) use layers::{circle, layers, line, ring};
