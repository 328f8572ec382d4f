//! From a planning model to its ground task, by way of Datalog.

mod task;

pub use task::*;
