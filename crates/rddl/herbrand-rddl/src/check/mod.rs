//! Semantic checks: resolves the syntax tree into the [model](crate::Domain) and reports all faults.
//!
//! ```text
//!  declare ──▶ function ──▶ expression (with item, control, binder, call, vector) ──▶ depend
//!                                                          instance (objects, settings)
//! ```

mod binder;
mod call;
mod constant;
mod control;
mod declare;
mod depend;
mod expression;
mod formula;
mod function;
mod instance;
mod item;
mod lint;
mod names;
mod settings;
mod undeclared;
mod vector;

pub use call::distributions;
pub(crate) use declare::{check_declarations, check_domain};
pub(crate) use instance::{InstanceBlock, check_instance};
