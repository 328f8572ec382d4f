//! The semantics of effects, chance, numbers, explanations and errors, shared by the ground and the lifted engine.

pub(crate) mod arithmetic;
pub(crate) mod chance;
pub(crate) mod combinations;
pub(crate) mod error;
pub(crate) mod exact;
pub(crate) mod explanation;
pub(crate) mod fired;
pub(crate) mod firing;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod options;
pub(crate) mod plan;
pub(crate) mod simultaneous;
pub(crate) mod tape;
pub(crate) mod transition;
