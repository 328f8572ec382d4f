//! The Datalog programs of a problem: the relaxed program, for reachability, and the exact program of one state.

mod reachability;
mod relaxed;
mod rule;
mod signature;
mod strata;

pub use relaxed::RelaxedProgram;
pub use signature::TruthSource;

pub(crate) use reachability::{ReachabilityProgram, RuleMeaning};
pub(crate) use rule::{Exactness, RuleWriter, axiom_rule, symbol};
pub(crate) use signature::{Signature, for_each_outcome};
pub(crate) use strata::strata;
