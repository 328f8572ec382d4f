//! Pictures of small hand-made worlds.

mod bundled;
mod declarations;
mod gallery;
mod geometry;
#[cfg(feature = "png")]
mod mosaic;
#[cfg(feature = "png")]
mod raster;
mod snapshots;
mod worlds;
