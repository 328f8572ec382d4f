//! State-space search in ground tasks.

pub(crate) mod determinize;
pub(crate) mod reachable;
pub(crate) mod store;
