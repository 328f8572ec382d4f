//! Syntax tree to model: every name resolved, every argument's type compared with what is declared.
//!
//! A function that meets a fault reports it and returns something harmless, so that one reading finds all faults;
//! the caller gets a model only if no error was reported.

mod agent;
mod axioms;
mod condition;
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
mod types;
mod world;

use crate::{Object, Type, Variable};

pub(crate) use domain::check_domain;
pub(crate) use problem::check_problem;

/// The bytes that something of a model takes, in a list that has its old place beside its new one when it grows.
const fn listed<T>() -> usize {
    3 * size_of::<T>()
}

/// The bytes that a short name takes where it is kept.
const NAME_BYTES: usize = 48;

/// The bytes of an object with the given number of types.
const fn object_bytes(types: usize) -> usize {
    listed::<Object>() + NAME_BYTES + types * size_of::<crate::TypeId>()
}

/// The bytes of a variable that ranges over the given number of types.
const fn variable_bytes(types: usize) -> usize {
    listed::<Variable>() + NAME_BYTES + types * size_of::<crate::TypeId>()
}

/// The bytes that a type takes, with its place in the graph of the hierarchy.
const TYPE_BYTES: usize = listed::<Type>() + NAME_BYTES + 3 * 16;

/// The bytes that a supertype of a type takes: its number, and its edge in the graph of the hierarchy.
const SUPERTYPE_BYTES: usize = 3 * (4 + 2 * 16);
