//! The parts of a picture. Each part draws a state as a separate scene.

mod board;
mod lines;
mod place;
mod plane;
mod route;
mod side;
mod stacks;
mod table;

pub(crate) use board::{Board, Content, heat_level};
pub(crate) use place::{Cells, sort};
pub(crate) use plane::plane;
pub(crate) use route::Router;
pub(crate) use side::side;
#[cfg(feature = "png")]
pub(crate) use side::side_of_state;
pub(crate) use stacks::{Tower, has_bases, largest_bar, stacks, towers, towers_of_goal};
pub(crate) use table::table;

/// The font size of ordinary text.
pub(crate) const TEXT: f64 = 11.0;

/// The font size of small text.
pub(crate) const SMALL: f64 = 9.0;
