//! Typed edits of planning models.
//!
//! A [`PlanningModel`] is a domain with a problem. An [`Edit`] changes one element of it: a fact, an object, the goal, or a
//! literal of an action schema. [`PlanningModel::apply`] applies a batch of edits atomically and returns a new model. If
//! the batch is faulty, it returns all faults as [`EditFaults`], each with the index of its edit. [`EditRules`] state
//! constraints that PDDL cannot express: functional relations, and facts that stay true once they are known.
//!
//! ```text
//!   PlanningModel ── apply([Edit, …], EditRules) ──► PlanningModel'
//!     │                                                │
//!     └──────────── History: apply, undo, redo ────────┘
//!
//!   difference(PlanningModel, PlanningModel') = [Edit, …]
//! ```
//!
//! ```
//! use herbrand_edit::{Edit, EditRules, PlanningModel};
//!
//! let model = PlanningModel::from_text(
//!     "(define (domain house) (:requirements :typing) (:types room)
//!        (:predicates (at ?r - room) (door ?a ?b - room))
//!        (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (door ?a ?b))
//!           :effect (and (at ?b) (not (at ?a)))))",
//!     "(define (problem look) (:domain house) (:objects kitchen loc1 - room)
//!        (:init (at kitchen) (door kitchen loc1)) (:goal (at loc1)))",
//! )?;
//! let edits: Vec<Edit> = serde_json::from_str(
//!     r#"[{"edit": "rename-object", "object": "loc1", "to": "pantry"},
//!         {"edit": "add-object", "object": "hall", "type": "room"},
//!         {"edit": "add-fact", "fact": "(door kitchen hall)"}]"#,
//! )?;
//! let edited = model.apply(&edits, &EditRules::default())?;
//! assert_eq!(edited.problem().objects.len(), 3);
//! assert!(edited.problem_text().contains("(:goal (at pantry))"));
//!
//! // Batches are atomic: the second edit has a fault, so the first one has no effect either.
//! let faults = model
//!     .apply(&[Edit::delete_fact("(at kitchen)")?, Edit::add_fact("(at pantri)")?], &EditRules::default())
//!     .unwrap_err();
//! assert_eq!(faults.to_string(), "edit 2: undeclared-object: there is no object `pantri`");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Belief`] is an agent's knowledge of a partially observed problem. It integrates observations, merges placeholders
//! with the objects that they turn out to be, and provides a model for planning at any time.
//!
//! [`lines`] edits the text of a problem line by line, as PDDLEGO does ("PDDLEGO: Iterative Planning in Textual
//! Environments", Zhang et al. 2024, arXiv 2405.19793), and turns such edits into typed ones.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::edit`: there, read `herbrand_edit` in the examples as
//! `herbrand::edit`.

mod belief;
mod difference;
mod edit;
mod fault;
mod history;
pub mod lines;
mod literal;
mod model;
mod operators;
mod rules;
mod schema;

pub use belief::{Belief, Statement, Truth};
pub use difference::difference;
pub use edit::{Edit, SchemaPart};
pub use fault::{EditCode, EditFault, EditFaults};
pub use history::History;
pub use literal::{Ground, LiteralError, SchemaLiteral};
pub use model::PlanningModel;
pub use rules::{EditRules, Functional};
pub use schema::schema;
