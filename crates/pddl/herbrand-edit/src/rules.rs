//! Constraints on facts that PDDL cannot express.

use serde::{Deserialize, Serialize};

/// Constraints on the facts of a problem that a batch of edits must satisfy. The default has none. Pass them to
/// [`PlanningModel::apply`](crate::PlanningModel::apply), [`History::apply`](crate::History::apply) or
/// [`Belief::new`](crate::Belief::new). Names that the domain does not have are ignored.
///
/// ```
/// use herbrand_edit::{Edit, EditCode, EditRules, Functional, PlanningModel};
///
/// let model = PlanningModel::from_text(
///     "(define (domain d) (:predicates (at ?r) (seen ?r)) (:action a :parameters (?r) :effect (at ?r)))",
///     "(define (problem p) (:domain d) (:objects hall attic) (:init (at hall) (seen hall)))",
/// )?;
/// // The agent is in one place at a time, and a seen room stays seen.
/// let rules = EditRules {
///     functional: vec![Functional { predicate: "at".into(), keys: vec![] }],
///     monotone: vec!["seen".into()],
/// };
/// let faults = model
///     .apply(&[Edit::add_fact("(at attic)")?, Edit::delete_fact("(seen hall)")?], &rules)
///     .unwrap_err();
/// assert!(faults.codes().eq([EditCode::Functional, EditCode::Monotone]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EditRules {
    /// The functional relations, which have at most one fact per combination of keys. Only facts that a batch adds are
    /// checked. A fact of the problem that breaks one before the batch is no fault.
    pub functional: Vec<Functional>,
    /// The names of the predicates whose facts stay true: edits cannot delete or replace them, nor delete an object in
    /// them. Merging and renaming of objects are permitted.
    pub monotone: Vec<String>,
}

/// A functional relation, listed in [`EditRules::functional`]: a predicate with at most one fact for each combination
/// of key values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Functional {
    /// The name of the predicate. Case does not matter.
    pub predicate: String,
    /// The positions of the key arguments, from 0. If empty, the relation has at most one fact. Positions beyond the
    /// arity are ignored.
    #[serde(default)]
    pub keys: Vec<usize>,
}
