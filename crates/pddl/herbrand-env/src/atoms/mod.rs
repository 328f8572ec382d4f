//! The observable atoms of a problem: their ids and names, and states as bits, graphs, and distances from the goal.

pub(crate) mod bitrow;
mod goal;
mod graph;
mod lifted;
mod numbers;
mod space;

pub use goal::GoalProgress;
pub(crate) use graph::object_nodes;
pub use graph::{AtomRole, GraphSizes, InstanceLearningGraph};
pub use lifted::{LiftedAtoms, TooManyAtoms};
pub(crate) use numbers::{FluentPlaces, changed_functions, grounded_numbers, lifted_numbers};
pub use space::AtomSpace;
