//! The parts of a picture: each draws a state as a scene of its own.

mod board;
mod item;
mod place;
mod plane;
mod side;
mod stacks;
mod table;

pub(crate) use board::{Board, heat_level};
pub(crate) use item::{Item, labels, number, value};
pub(crate) use place::sort;
pub(crate) use plane::plane;
pub(crate) use side::side;
pub(crate) use stacks::{stacks, towers_of_goal};
pub(crate) use table::table;

/// The size of ordinary text.
pub(crate) const TEXT: f64 = 11.0;

/// The size of small text.
pub(crate) const SMALL: f64 = 9.0;
