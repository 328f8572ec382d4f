//! From a planning domain to a Rust module of typed [`ascent`](https://docs.rs/ascent) programs.
//!
//! [`Module::of`] takes a checked domain, brings it into the [normal form](herbrand_ground::NormalDomain) that grounding
//! uses too, and writes a module that needs nothing but the crate `ascent`: one typed relation for each predicate, type,
//! action schema and function that a condition reads, one rule for each disjunct, and one program for each stratum.
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
//! # What the module answers
//!
//! A `Problem` holds objects, static facts and the initial state; states are `Facts`. All of PDDL that a domain can say is
//! compiled:
//!
//! - `applicable(&state)`: the actions that are applicable in a state, as argument tuples in one list per schema. Negation,
//!   quantifiers and disjunctions are as PDDL means them: they are split into disjuncts and auxiliary relations, which are
//!   evaluated stratum by stratum. Comparisons of numbers are evaluated as the engine does it: with 64-bit floating-point
//!   numbers, false where a value is undefined, a divisor zero or a result out of range.
//! - `derived(&state)`: the derived atoms of a state, on the same terms.
//! - `reachable()`: the delete relaxation. Deletes, comparisons and negated literals of what can change are left out, every
//!   alternative of a draw counts as happening; what follows from static atoms alone is exact. The atoms and actions are
//!   those of [`RelaxedProgram`](herbrand_ground::RelaxedProgram); a ground task can have fewer actions, as it leaves out
//!   those whose ground precondition contradicts itself or compares constants.
//!
//! Effects are not compiled for single states: a module says what can be done, and the engine does it. Neither are goals,
//! metrics and probabilities, which belong to problems or to effects.
//!
//! # How it gets there
//!
//! `vocabulary` has the relations; `body` turns conjunctions into bodies, with `comparison` for numbers and `order` for the
//! order of the conditions; `exact` and `relaxed` write the rules of the two kinds of programs; `program` keeps those that
//! an answer depends on and puts them into strata; `text` is the module as Rust.

mod body;
mod comparison;
mod exact;
mod module;
mod name;
mod order;
mod program;
mod relaxed;
mod rule;
mod text;
mod vocabulary;

pub use module::{CodegenError, Module};
