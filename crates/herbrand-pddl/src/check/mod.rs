//! Syntax tree to model: every name resolved, every argument's type compared with what is declared.
//!
//! A function that meets a fault reports it and returns something harmless, so that one reading finds all faults;
//! whoever asked for a model gets it only if no error was reported.

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

pub(crate) use domain::check_domain;
pub(crate) use problem::check_problem;
