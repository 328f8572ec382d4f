//! Translation of a planning domain to a Rust module of typed [`ascent`](https://docs.rs/ascent) programs.
//!
//! [`Module::of`] takes a checked domain and brings it into the [normal form](herbrand_ground::NormalDomain) that grounding
//! uses. It then writes a module that depends on the crate `ascent` only. The module has one typed relation for each
//! predicate, type, action schema and function that a condition reads, one rule for each disjunct, and one program for each
//! stratum.
//!
//! ```
//! use herbrand_codegen::Module;
//! use herbrand_pddl::Domain;
//!
//! let domain = Domain::from_text("(define (domain switch) (:predicates (lamp ?l) (on ?l))
//!     (:action turn-on :parameters (?l) :precondition (and (lamp ?l) (not (on ?l))) :effect (on ?l)))")?;
//! let module = Module::of(&domain)?.to_string();
//! assert!(module.contains("turn_on(l) <-- lamp(l), !on(l);"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Methods of the module
//!
//! A `Problem` holds objects, static facts and the initial state; states are `Facts`. All conditions of PDDL are supported.
//! The methods of a problem are:
//!
//! - `applicable(&state)`: the applicable actions of a state, as lists of argument tuples, one list per schema. Negation,
//!   quantifiers and disjunctions have the semantics of PDDL. They are split into disjuncts and auxiliary relations, which
//!   are evaluated stratum by stratum. Comparisons are evaluated as in the engine, with 64-bit floating-point numbers. A
//!   comparison is false if a value is undefined, a divisor is zero or a result is out of range.
//! - `derived(&state)`: the derived atoms of a state, with the same semantics.
//! - `reachable()`: the delete relaxation. Deletes, comparisons and negated literals of changing predicates are ignored, and
//!   all probabilistic alternatives happen. Consequences of static atoms are exact. The atoms and actions are those of
//!   [`RelaxedProgram`](herbrand_ground::RelaxedProgram). A ground task can have fewer actions, because it omits actions
//!   whose ground precondition contradicts itself or compares constants.
//!
//! Effects on single states are not compiled; use the engine to apply actions. Goals, metrics and probabilities are not
//! compiled either, because they belong to problems or effects.
//!
//! # Structure
//!
//! `vocabulary` has the relations; `body` turns conjunctions into bodies, with `comparison` for numbers and `order` for the
//! order of the conditions; `exact` and `relaxed` write the rules of the two kinds of programs; `program` keeps the rules
//! that an answer depends on and puts them into strata; `text` is the module as Rust.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::codegen`: there, read `herbrand_codegen` in the examples as
//! `herbrand::codegen`.

mod body;
mod comparison;
mod exact;
mod module;
mod name;
mod order;
mod program;
mod programs;
mod relaxed;
mod rule;
mod text;
mod vocabulary;

pub use module::{CodegenError, Module};
