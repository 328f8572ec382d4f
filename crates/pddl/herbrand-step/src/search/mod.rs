//! Tools for search in the state space of a ground task: sets of states, the reachable states, and determinized tasks.

pub(crate) mod determinize;
pub(crate) mod reachable;
pub(crate) mod store;
