//! Datalog as a value: rules, strata, join plans, bottom-up evaluation by ascent.
//!
//! A [`Program`] holds relations and rules; [`Facts`] are its input. An [`Evaluator`] checks the program,
//! orders its rules into strata ([`Stratification`]), finds the [`Model`] of all facts that hold, and tells
//! a [`Sink`] of every [`Firing`] on the way. [`naive::evaluate`] does the same, slowly and obviously.
//!
//! ```
//! use herbrand_datalog::{Evaluator, Program};
//!
//! let (program, facts) = Program::parse("
//!     edge(a, b). edge(b, c). blocked(c).
//!     path(X, Y) :- edge(X, Y), not blocked(Y).
//!     path(X, Z) :- path(X, Y), path(Y, Z).
//! ")?;
//! let model = Evaluator::new(&program)?.run(&facts, &mut ())?;
//! assert_eq!(model.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrivals;
mod body;
mod check;
mod columns;
mod database;
mod dispatch;
mod display;
mod domain;
mod evaluate;
mod explain;
mod facts;
mod firing;
mod ids;
mod index;
mod join;
mod key;
mod limits;
mod model;
pub mod naive;
mod order;
mod plan;
mod program;
mod query;
mod rows;
mod run;
mod stage;
mod strata;
mod table;
mod tables;
mod text;

pub use check::{FactError, Fault, InvalidProgram, ProgramError};
pub use database::Database;
pub use evaluate::Evaluator;
pub use explain::{JoinPlan, JoinStep};
pub use facts::Facts;
pub use firing::{Firing, Sink};
pub use ids::{FactId, RelationId, RuleId, Symbol, Variable};
pub use limits::{Culprit, EvaluationError, Limits, Statistics};
pub use model::Model;
pub use program::{Atom, Literal, Program, Relation, Rule, RuleBuilder, Term};
pub use query::{Queries, QueriesError, Query};
pub use strata::{NegativeCycle, Stratification};
pub use text::TextError;
