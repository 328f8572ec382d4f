//! Tools for search in the state space of a ground task: sets of states, state spaces, and determinized tasks.

pub(crate) mod determinize;
pub(crate) mod rounding;
pub(crate) mod space;
pub(crate) mod store;
pub(crate) mod symmetry;
