//! Pictures of small worlds, made by hand.

mod declarations;
mod geometry;
mod snapshots;
mod worlds;
