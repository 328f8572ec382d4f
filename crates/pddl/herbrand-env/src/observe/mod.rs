//! Observers that write states as bits, matrices, graphs or pixels.

mod action_arrays;
mod bits;
mod graph_rows;
mod named;
mod named_lifted;
mod numbers;
mod one_hot;
mod packed;
#[cfg(feature = "png")]
mod pixels;
mod visible;

pub use action_arrays::ActionArrays;
pub use bits::{Bits, GoalBits};
pub use graph_rows::GraphRows;
pub use named::{NamedObserver, ObservationMode};
pub use named_lifted::LiftedObserver;
pub use numbers::BitsAndNumbers;
pub use one_hot::OneHotByObject;
pub use packed::PackedBits;
pub use visible::VisibleBits;
