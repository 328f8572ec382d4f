//! Datalog programs of a problem: what some state could make true, and what one state does.

mod reachability;
mod rule;
mod signature;
mod strata;

pub use signature::Change;

pub(crate) use reachability::{Meaning, ReachabilityProgram};
pub(crate) use rule::{Exactness, RuleWriter, axiom_rule, symbol};
pub(crate) use signature::{Signature, for_each_outcome};
pub(crate) use strata::strata;
