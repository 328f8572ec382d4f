//! The checked model: [`Domain`] and [`Problem`], typed and resolved.

mod domain;
mod effect;
mod formula;
mod hierarchy;
mod ids;
mod name;
mod number;
pub(super) mod problem;
#[cfg(feature = "serde")]
mod serial;
mod snaps;
mod stepped;
mod symbols;
mod visit;

pub use domain::{
    ActionSchema, Axiom, Domain, DurationBound, DurativeAction, Function, Object, Predicate, PredicateKind,
    Type,
};
pub use effect::{AssignOperator, Assignment, Effect, TimeSpecifier};
pub use formula::{
    ArithmeticOperator, Atom, Comparison, Expression, Formula, FunctionTerm, Special, Term, TypeUnion,
    Variable,
};
pub use hierarchy::Hierarchy;
pub use ids::{AxiomId, FunctionId, ObjectId, PredicateId, SchemaId, TypeId, VariableId};
pub use name::Name;
pub use number::{Number, Probability};
pub use problem::{
    AtomList, AtomRef, FunctionValue, InitialChance, InitialOutcome, Metric, MetricDirection, Problem,
    TimedLiterals,
};
pub use stepped::{EPSILON, SnapRole, SteppedAction, SteppedDomain, conjuncts};
pub use visit::Polarity;
