//! The kinds of edits.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::literal::{Ground, LiteralError, SchemaLiteral};

/// An elementary change of a [`PlanningModel`](crate::PlanningModel). Each edit of a batch applies to the result of
/// the edits before it, and refers to elements by their names at that point.
/// [`PlanningModel::apply`](crate::PlanningModel::apply) takes a list of them, and [`difference`](crate::difference)
/// and [`Belief::observe`](crate::Belief::observe) return one. Names are not case-sensitive.
///
/// As JSON, an edit is an object whose key `edit` names the variant; [`schema`](crate::schema) describes the format.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// Makes an atom initially true, as the last fact. A fault if it is true already, or if the batch deleted it.
    AddFact {
        /// The atom, over objects of the problem and constants of the domain.
        fact: Ground,
    },
    /// Makes an atom initially false. A fault if it is false already, if the batch added it, or if its predicate is
    /// monotone.
    DeleteFact {
        /// The atom.
        fact: Ground,
    },
    /// Replaces an initially true atom by another one. A fault if the first atom is false, or the second one is true
    /// already. Equal atoms change nothing. The rules of `AddFact` and `DeleteFact` apply.
    ReplaceFact {
        /// The atom that is initially true before the edit.
        fact: Ground,
        /// The atom that is initially true after the edit, instead of the first one.
        with: Ground,
    },
    /// Declares an object, after the others. A fault if an object or constant has the name already.
    AddObject {
        /// The name of the object.
        object: String,
        /// The type of the object. `None` is a fault if the domain declares types.
        #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
    },
    /// Renames an object of the problem wherever it occurs. A fault if another object has the new name; the own name
    /// changes nothing. Constants of the domain cannot be renamed, merged into other objects or deleted.
    RenameObject {
        /// The name of the object.
        object: String,
        /// The new name.
        to: String,
    },
    /// Merges two objects: `object` is deleted and replaced by `into` in all facts, function values, the goal and the
    /// metric. The type of one of them must be a subtype of the other's; the merged object has the more special type.
    /// It is a fault if a function would have two values. It is also a fault if the two are the same object, or if a
    /// random part of the initial state gives a function value for `object`. `into` may be a constant of the domain,
    /// whose type then stays.
    MergeObject {
        /// The object that is deleted.
        object: String,
        /// The object that is kept.
        into: String,
    },
    /// Removes an object. A fault if the metric or a random part of the initial state names it.
    DeleteObject {
        /// The name of the object.
        object: String,
        /// Whether to delete the facts, function values and goal literals about the object too. If `false`, it is a
        /// fault if there are any. If `true`, it is a fault if a fact is monotone, or if the goal is not a conjunction
        /// that keeps another part without these literals.
        #[serde(default)]
        cascade: bool,
    },
    /// Sets the goal, whether or not there is one.
    SetGoal {
        /// The new goal: one condition in parentheses in PDDL, such as `(and (at kitchen) (not (at hall)))`. Anything
        /// else is a fault.
        goal: String,
    },
    /// Adds a literal to the precondition or the effect of an action schema, at the end of its outermost `and`. A
    /// fault if it is there already, or if the effect has its opposite there.
    AddLiteral {
        /// The name of the action schema.
        schema: String,
        /// The part of the schema to extend.
        part: SchemaPart,
        /// The literal, over the parameters of the schema and the constants of the domain.
        literal: SchemaLiteral,
    },
    /// Removes a literal from the precondition or the effect of an action schema. The literal must be the whole part
    /// or an element of its outermost `and`. It is a fault otherwise.
    DeleteLiteral {
        /// The name of the action schema.
        schema: String,
        /// The part of the schema that contains the literal.
        part: SchemaPart,
        /// The literal as it occurs in the schema.
        literal: SchemaLiteral,
    },
}

/// A part of an action schema that edits can change. It is a field of [`Edit::AddLiteral`] and [`Edit::DeleteLiteral`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SchemaPart {
    /// The precondition.
    Precondition,
    /// The effect.
    Effect,
}

impl Edit {
    /// Creates an edit that makes an atom such as `(at kitchen)` initially true.
    /// [`PlanningModel::apply`](crate::PlanningModel::apply) checks that the domain has the predicate and the objects,
    /// and that the atom is not true already.
    ///
    /// # Errors
    /// Fails if the text is not a ground atom.
    pub fn add_fact(fact: &str) -> Result<Self, LiteralError> {
        Ok(Self::AddFact { fact: fact.parse()? })
    }

    /// Creates an edit that makes an atom such as `(at kitchen)` initially false. Applying it is a fault if the atom is
    /// not initially true.
    ///
    /// # Errors
    /// Fails if the text is not a ground atom.
    pub fn delete_fact(fact: &str) -> Result<Self, LiteralError> {
        Ok(Self::DeleteFact { fact: fact.parse()? })
    }
}

impl fmt::Display for SchemaPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Precondition => "precondition",
            Self::Effect => "effect",
        })
    }
}

impl fmt::Display for Edit {
    /// Describes the edit in a few words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AddFact { fact } => write!(f, "add {fact}"),
            Self::DeleteFact { fact } => write!(f, "delete {fact}"),
            Self::ReplaceFact { fact, with } => write!(f, "replace {fact} with {with}"),
            Self::AddObject { object, of: None } => write!(f, "add object {object}"),
            Self::AddObject { object, of: Some(of) } => write!(f, "add object {object} - {of}"),
            Self::RenameObject { object, to } => write!(f, "rename {object} to {to}"),
            Self::MergeObject { object, into } => write!(f, "merge {object} into {into}"),
            Self::DeleteObject { object, cascade } => {
                let with = if *cascade { " with its facts" } else { "" };
                write!(f, "delete object {object}{with}")
            }
            Self::SetGoal { goal } => write!(f, "set the goal {goal}"),
            Self::AddLiteral {
                schema,
                part,
                literal,
            } => write!(f, "add {literal} to the {part} of {schema}"),
            Self::DeleteLiteral {
                schema,
                part,
                literal,
            } => {
                write!(f, "delete {literal} from the {part} of {schema}")
            }
        }
    }
}
