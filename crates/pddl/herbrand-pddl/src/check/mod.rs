//! Semantic analysis: from the syntax tree to a model with resolved names and checked types.
//!
//! After a fault, each function reports it and returns a harmless value, so one run finds all faults. The caller gets a
//! model only if no error was reported.

mod agent;
mod axioms;
mod condition;
mod context;
mod declare;
mod domain;
mod effect;
mod expression;
mod features;
mod fit;
mod initial;
mod number;
mod problem;
mod scope;
mod time;
mod types;

use crate::model::{Object, Type, Variable};

pub(crate) use domain::check_domain;
pub(crate) use problem::check_problem;

/// Returns the memory charged for an element of a growing list, in bytes: while the list grows, its old and new buffers
/// coexist.
const fn listed<T>() -> usize {
    3 * size_of::<T>()
}

/// The memory charged for a short name, in bytes.
const NAME_BYTES: usize = 48;

/// Returns the memory charged for an object with the given number of types, in bytes.
const fn object_bytes(types: usize) -> usize {
    listed::<Object>() + NAME_BYTES + types * size_of::<crate::model::TypeId>()
}

/// Returns the memory charged for a variable with the given number of types, in bytes.
const fn variable_bytes(types: usize) -> usize {
    listed::<Variable>() + NAME_BYTES + types * size_of::<crate::model::TypeId>()
}

/// The memory charged for a type and its node in the graph of the hierarchy, in bytes.
const TYPE_BYTES: usize = listed::<Type>() + NAME_BYTES + 3 * 16;

/// The memory charged for a supertype of a type, its id and its edge in the graph of the hierarchy, in bytes.
const SUPERTYPE_BYTES: usize = 3 * (4 + 2 * 16);
