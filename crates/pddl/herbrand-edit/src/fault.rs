//! Faults of edits.

use std::fmt;

use serde::Serialize;

herbrand_text::named! {
    /// The kind of a fault in a batch of edits: a field of [`EditFault`]. More kinds may be added, so a `match` needs a
    /// default.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum EditCode {
        /// No object has this name. Also: an object to delete without `cascade` occurs in a fact, or a literal of a schema
        /// names no constant of the domain.
        UndeclaredObject = "undeclared-object",
        /// An object with this name exists already.
        DuplicateObject = "duplicate-object",
        /// An object has no type although the domain declares types.
        UntypedObject = "untyped-object",
        /// The object is a constant of the domain, which edits cannot change.
        Constant = "constant",
        /// PDDL does not allow this name for an object.
        Name = "name",
        /// The domain does not declare this type.
        UnknownType = "unknown-type",
        /// The domain does not declare this predicate.
        UnknownPredicate = "unknown-predicate",
        /// The predicate cannot occur in an initial state: it is derived, or an action of the agent.
        NotAFact = "not-a-fact",
        /// The number of arguments is wrong.
        Arity = "arity",
        /// The type of an object or variable does not match the predicate, or two objects to merge have unrelated types.
        Type = "type",
        /// The fact to delete or replace is not initially true, or the literal to delete is not in the schema.
        NotFound = "not-found",
        /// The fact or literal to add exists already.
        DuplicateFact = "duplicate-fact",
        /// A batch adds and deletes the same fact, merging would give a function two values, an object would be merged
        /// into itself, or an effect has the opposite literal. In a belief: the fact is static and known to be otherwise.
        Contradiction = "contradiction",
        /// A functional relation of [`EditRules`](crate::EditRules) would have two values for the same keys.
        Functional = "functional",
        /// A fact that [`EditRules::monotone`](crate::EditRules::monotone) keeps true would be deleted. In a belief, also
        /// a static fact.
        Monotone = "monotone",
        /// The goal, the metric, a function value or a random part of the initial state still refers to the object.
        NeededObject = "needed-object",
        /// The domain does not declare this action schema.
        UnknownSchema = "unknown-schema",
        /// The variable is not a parameter of the schema.
        UnknownVariable = "unknown-variable",
        /// A new goal, or the domain after an edit, is not valid PDDL.
        Pddl = "pddl",
    }
    /// Returns the code as text in kebab case, such as `undeclared-object`. `Display` and JSON write the same text.
    pub fn name
}

/// A fault of an edit in a batch. [`EditFaults`] lists the faults of a batch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EditFault {
    /// The index of the edit in its batch, from 0; the text of the fault counts from 1. For [`Belief::observe`](crate::Belief::observe), the index of the
    /// statement.
    pub edit: usize,
    /// The kind of the fault.
    pub code: EditCode,
    /// A description of the fault in English, with the most similar name if a name is unknown.
    pub message: String,
}

/// All faults of a batch of edits, sorted by edit; at least one, and one edit may have several. The error of
/// [`PlanningModel::apply`](crate::PlanningModel::apply), which leaves the model unchanged. Correct the edits and
/// apply the whole batch again. [`Belief::observe`](crate::Belief::observe) returns it too, with indices of
/// statements.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
pub struct EditFaults(pub Vec<EditFault>);

impl EditFaults {
    /// Iterates over the kinds of the faults in order. There is one per fault, so a kind may occur several times.
    pub fn codes(&self) -> impl Iterator<Item = EditCode> {
        self.0.iter().map(|fault| fault.code)
    }
}

impl fmt::Display for EditFault {
    /// Writes the fault with the number of its edit, from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "edit {}: {}: {}", self.edit + 1, self.code, self.message)
    }
}

impl fmt::Display for EditFaults {
    /// Writes one line per fault.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.0.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

/// A fault whose edit is not known yet.
pub(crate) struct Fault {
    pub(crate) code: EditCode,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(code: EditCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub(crate) fn at(self, edit: usize) -> EditFault {
        EditFault {
            edit,
            code: self.code,
            message: self.message,
        }
    }
}
