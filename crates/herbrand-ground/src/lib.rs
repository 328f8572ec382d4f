//! From a planning model to its ground task, by way of Datalog.

pub mod normal;
mod task;

pub use task::*;
