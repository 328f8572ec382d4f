//! From the syntax tree to the [model](crate::Domain): every name resolved, every range checked, all faults at once.
//!
//! ```text
//!  declare ──▶ expression (with binder, call, item) ──▶ depend
//!                                                          instance (objects, settings)
//! ```

mod binder;
mod call;
mod constant;
mod declare;
mod depend;
mod expression;
mod formula;
mod instance;
mod lint;
mod settings;
mod vector;

pub(crate) use declare::check_domain;
pub(crate) use instance::{Part, check_instance};
