//! What is wrong with edits.

use std::fmt;

use serde::Serialize;

/// The kind of a fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum EditCode {
    /// A name that no object of the problem has.
    UndeclaredObject,
    /// An object of this name exists already.
    DuplicateObject,
    /// An object without a type, where the domain declares types.
    UntypedObject,
    /// An object that the domain declares: edits of a problem cannot change it.
    Constant,
    /// A name that PDDL does not allow.
    Name,
    /// A type that the domain does not declare.
    UnknownType,
    /// A predicate that the domain does not declare.
    UnknownPredicate,
    /// A predicate that initial states do not hold: a derived one, or an action of the agent.
    NotAFact,
    /// Too few or too many arguments.
    Arity,
    /// An object or variable of a type that does not fit.
    Type,
    /// A fact or literal that is to go is not there.
    NotFound,
    /// A fact or literal that is to come is there already.
    DuplicateFact,
    /// One batch adds a fact and deletes it, or merging gives a function two values.
    Contradiction,
    /// A functional relation would have two values.
    Functional,
    /// A monotone fact would be deleted.
    Monotone,
    /// The goal, the metric or a random part of the initial state needs the object.
    NeededObject,
    /// An action schema that the domain does not declare.
    UnknownSchema,
    /// A variable that is no parameter of the schema.
    UnknownVariable,
    /// A goal, or a domain after an edit, that is no valid PDDL.
    Pddl,
}

impl EditCode {
    /// The code as text, such as `undeclared-object`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UndeclaredObject => "undeclared-object",
            Self::DuplicateObject => "duplicate-object",
            Self::UntypedObject => "untyped-object",
            Self::Constant => "constant",
            Self::Name => "name",
            Self::UnknownType => "unknown-type",
            Self::UnknownPredicate => "unknown-predicate",
            Self::NotAFact => "not-a-fact",
            Self::Arity => "arity",
            Self::Type => "type",
            Self::NotFound => "not-found",
            Self::DuplicateFact => "duplicate-fact",
            Self::Contradiction => "contradiction",
            Self::Functional => "functional",
            Self::Monotone => "monotone",
            Self::NeededObject => "needed-object",
            Self::UnknownSchema => "unknown-schema",
            Self::UnknownVariable => "unknown-variable",
            Self::Pddl => "pddl",
        }
    }
}

impl fmt::Display for EditCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One fault of a batch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EditFault {
    /// The place of the edit in its batch, from 0.
    pub edit: usize,
    /// The kind.
    pub code: EditCode,
    /// What is wrong, with a suggestion where there is one.
    pub message: String,
}

/// All faults of a batch, in the order of its edits. Never empty.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
pub struct EditFaults(pub Vec<EditFault>);

impl EditFaults {
    /// The kinds, in order.
    pub fn codes(&self) -> impl Iterator<Item = EditCode> {
        self.0.iter().map(|fault| fault.code)
    }
}

impl fmt::Display for EditFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "edit {}: {}: {}", self.edit, self.code, self.message)
    }
}

impl fmt::Display for EditFaults {
    /// A line for each fault.
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

/// What is wrong with one edit, before its number is known.
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
