//! Pictures of small worlds, made by hand.

mod bundled;
mod declarations;
mod gallery;
mod geometry;
mod snapshots;
mod worlds;
