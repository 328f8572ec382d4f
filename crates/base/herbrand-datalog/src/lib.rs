//! A Datalog engine whose programs are data: rules, strata, join plans, and bottom-up evaluation.
//!
//! A [`Program`] holds relations and [`Rule`]s; [`Facts`] are its input. An [`Evaluator`] checks the program, orders its
//! rules into strata ([`Stratification`]) and computes the [`Model`]: all facts that hold. Meanwhile it reports each
//! [`Firing`] to a [`Sink`]: one for each binding of a rule's variables that satisfies the rule's body, with the ids of its
//! premises and conclusions. [`Limits`] bound memory and time. The finished model also holds the join orders ([`JoinPlan`])
//! and counters per rule ([`RuleStatistics`]). [`naive::evaluate`] is a slow, simple reference implementation for tests.
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
//! [`Queries`] prepare the bodies of rules. A query returns the bindings that satisfy a body over the current facts of a
//! [`Database`], to which facts are added and removed; it uses the same kind of join plan. A [`View`] maintains a whole
//! model while its input changes.
//!
//! # Why it is fast
//!
//! - Rules are not split into binary joins. A body of any length is joined at once, by one plan per atom whose facts arrive.
//! - One pass of symbol sets through the rules computes, before the first join, the symbols that each column can hold.
//!   Therefore tuples are packed into small keys, type atoms cost nothing at run time, and a fact is only joined by the
//!   plans that it can match.
//! - A relation that fills up is addressed directly by packed key; other relations are hashed. A relation whose facts can be
//!   derived in one way only needs no lookup at all.
//! - Joins neither recurse nor allocate.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::datalog`: there, read `herbrand_datalog` in the examples as
//! `herbrand::datalog`.

mod eval;
mod plan;
mod program;
mod store;
mod view;

pub use eval::database::Database;
pub use eval::firing::{Firing, Sink};
pub use eval::limits::{BusiestRule, EvaluationError, RuleStatistics};
pub use eval::model::Model;
pub use eval::query::{Queries, QueriesError, Query};
pub use eval::{Evaluator, naive};
pub use herbrand_limits::Limits;
pub use plan::explain::{JoinPlan, JoinStep};
pub use program::check::{FactError, InvalidProgram, ProgramError, ProgramFault};
pub use program::facts::Facts;
pub use program::ids::{FactId, RelationId, RuleId, Symbol, Variable};
pub use program::strata::{NegativeCycle, Stratification};
pub use program::text::TextError;
pub use program::{Atom, Literal, Program, Relation, Rule, RuleBuilder, Term};
pub use view::{View, Views};
