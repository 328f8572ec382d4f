//! Observations: numbered atoms, and observers that write states as bits, matrices, graphs or pixels.

mod atoms;
mod bitrow;
mod bits;
mod goal;
mod graph;
mod graph_rows;
mod lifted_atoms;
mod named;
mod named_lifted;
mod one_hot;
mod packed;
#[cfg(feature = "png")]
mod pixels;
mod seen;

pub use atoms::{AtomSpace, ObservedId, Part};
pub use bits::{Bits, GoalBits};
pub use goal::GoalProgress;
pub use graph::{Graph, Role};
pub use graph_rows::GraphRows;
pub use lifted_atoms::{LiftedAtoms, TooManyAtoms};
pub use named::{NamedObserver, ObservationMode};
pub use named_lifted::LiftedObserver;
pub use one_hot::OneHotByObject;
pub use packed::PackedBits;
#[cfg(feature = "png")]
pub use pixels::Pixels;
pub(crate) use seen::Eye;
pub use seen::Seen;
