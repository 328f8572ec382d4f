//! The checked and resolved model: [`Domain`] and [`Instance`].
//!
//! ```text
//!  Domain                                            Instance ──▶ Arc<Domain>
//!   ├─ types: objects or enums         TypeId         ├─ objects of each object type, in order
//!   ├─ pvariables: kind, parameters,   PvariableId    ├─ non-fluents ┐ values that differ
//!   │   range, default                                ├─ init-state  ┘ from defaults
//!   ├─ cpfs: head ← Formula            CpfId          └─ max-nondef-actions, horizon, discount
//!   ├─ levels: CpfIds in order of evaluation
//!   ├─ reward, preconditions, constraints, invariants, termination: Formula
//!   └─ draws: the variables in scope of each random draw   DrawId
//!
//!  Formula = variables (parameters first, then bound ones)  +  Expression tree, each node with its range
//! ```
//!
//! Expressions contain no names: variables, parameterised variables, types and enum values are numbers. An enum value or an
//! object is its position in the type ([`Value::Item`]).

mod condition;
mod domain;
mod expression;
mod ids;
mod instance;
mod name;
mod operator;
mod sites;
mod value;

pub use condition::{Condition, Formula, Variable};
pub use domain::{Cpf, Domain, Draw, Pvariable, PvariableKind, Type, TypeKind};
pub use expression::{Case, Expression, Lambda, Node, Time};
pub use ids::{CpfId, DrawId, PvariableId, TypeId, VariableId};
pub use instance::{Horizon, Instance, Limit, Object, Settings};
pub use name::Name;
pub use operator::{
    Aggregation, Binary, Comparison, Connective, Extremum, Matrix, Quantifier, Unary, Vector,
};
pub use sites::Sites;
pub use value::{Range, Value};
