//! What holds of a domain's facts beyond what PDDL can say.

use serde::{Deserialize, Serialize};

/// Rules that edits keep to.
///
/// ```
/// use herbrand_edit::{EditCode, Edit, Functional, Model, Rules};
///
/// let model = Model::from_text(
///     "(define (domain d) (:predicates (at ?r) (seen ?r)) (:action a :parameters (?r) :effect (at ?r)))",
///     "(define (problem p) (:domain d) (:objects hall attic) (:init (at hall) (seen hall)))",
/// )?;
/// // The agent is in one place at a time, and what it has seen stays seen.
/// let rules = Rules {
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
pub struct Rules {
    /// The relations that are functions of some of their arguments. Only facts that a batch brings in are checked.
    pub functional: Vec<Functional>,
    /// The predicates whose facts stay true. Merging and renaming objects keeps them.
    pub monotone: Vec<String>,
}

/// A relation that has one fact at most for each value of its keys.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Functional {
    /// The predicate.
    pub predicate: String,
    /// The places of the arguments that fix the others, from 0; none for a relation with one fact at most.
    #[serde(default)]
    pub keys: Vec<usize>,
}
