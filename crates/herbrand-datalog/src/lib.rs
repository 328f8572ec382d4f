//! Datalog as a value: rules, strata, join plans, bottom-up evaluation by ascent.
//!
//! A [`Program`] holds relations and [`Rule`]s; [`Facts`] are its input. An [`Evaluator`] checks the
//! program, orders its rules into strata ([`Stratification`]), finds the [`Model`] of all facts that hold,
//! and tells a [`Sink`] of every [`Firing`] on the way: once for each binding of a rule's variables that
//! satisfies its body, with the numbers of its premises and conclusions. [`Limits`] bound its memory and
//! time. The model says afterwards how joins were ordered ([`JoinPlan`]) and what each rule did
//! ([`Statistics`]). [`naive::evaluate`] does the same, slowly and obviously.
//!
//! ```
//! use herbrand_datalog::{Evaluator, Program};
//!
//! let (program, facts) = Program::parse("
//!     edge(a, b). edge(b, c). edge(c, a). edge(c, d). blocked(d).
//!     path(X, Y) :- edge(X, Y), not blocked(Y).
//!     path(X, Z) :- path(X, Y), path(Y, Z), X != Z.
//! ")?;
//! let model = Evaluator::new(&program)?.run(&facts, &mut ())?;
//! let facts: Vec<String> = model
//!     .ids()
//!     .map(|fact| program.display_fact(model.relation(fact), model.tuple(fact)).to_string())
//!     .collect();
//! assert_eq!(facts.join(" "), "path(a, b) path(b, c) path(c, a) path(a, c) path(c, b) path(b, a)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//!   Program  rules ──strata──▶ plans: for each atom of a body, how a new fact of it meets the others
//!                                 │
//!   Facts ──▶ table of relation ──┴──▶ new facts ──▶ table ──▶ … until nothing is new ──▶ Model
//!             [ packed tuple → number ]                 │
//!                                                       └──▶ Sink: (rule, premises, conclusions), each firing once
//! ```
//!
//! [`Queries`] prepare the bodies of rules to be asked, through the same join plans, of a [`Database`]
//! whose facts come and go: which bindings make this body true now? A [`View`] keeps a whole model while its
//! input changes; [`Derivations`] keep every firing too, so that facts that come back need no join.
//!
//! # How it is fast
//!
//! - Rules are not split: a body of any length is joined at once, by a plan for each atom whose facts arrive.
//! - What each column can hold is known before the first join, from one pass of sets of symbols through the
//!   rules. So tuples are packed into small keys, a type atom costs nothing at run time, and a fact meets only
//!   the plans that it fits.
//! - A relation that fills up is direct-addressed by packed key; others are hashed; one whose facts can be found
//!   in one way only is not looked up at all.
//! - Joins neither recurse nor allocate.

mod derivations;
mod eval;
mod plan;
mod program;
mod store;
mod view;

pub use derivations::{Derivations, DerivationsError, Shift};
pub use eval::firing::{Firing, Sink};
pub use eval::limits::{Culprit, EvaluationError, Statistics};
pub use eval::query::{Queries, QueriesError, Query};
pub use eval::{Evaluator, EvaluatorKind, naive};
pub use herbrand_limits::Limits;
pub use plan::explain::{JoinPlan, JoinStep};
pub use program::check::{FactError, Fault, InvalidProgram, ProgramError};
pub use program::facts::Facts;
pub use program::ids::{FactId, FiringId, RelationId, RuleId, Symbol, Variable};
pub use program::strata::{NegativeCycle, Stratification};
pub use program::text::TextError;
pub use program::{Atom, Literal, Program, Relation, Rule, RuleBuilder, Term};
pub use store::database::Database;
pub use store::model::Model;
pub use view::{View, Views};
