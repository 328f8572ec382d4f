//! Searching the states of a ground task.

pub(crate) mod determinize;
pub(crate) mod reachable;
pub(crate) mod store;
