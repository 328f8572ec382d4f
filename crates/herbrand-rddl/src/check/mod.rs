//! From the syntax tree to the [model](crate::Domain): every name resolved, every range checked, all faults at once.
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
mod settings;
mod vector;

pub(crate) use declare::check_domain;
pub(crate) use instance::{Part, check_instance};

/// `count` things, as in "1 parameter" and "2 parameters".
fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}
