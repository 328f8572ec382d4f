//! The kinds of edits.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::literal::{Ground, Literal, LiteralError};

/// An elementary change of a [`PlanningModel`](crate::PlanningModel). Each edit of a batch applies to the result of the
/// edits before it, and refers to elements by their names at that point.
///
/// As JSON, an edit is an object whose key `edit` names the variant; [`schema`](crate::schema) describes the format.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// Makes an atom initially true. A fault if it is true already.
    AddFact {
        /// The atom.
        fact: Ground,
    },
    /// Makes an atom initially false. A fault if it is false already.
    DeleteFact {
        /// The atom.
        fact: Ground,
    },
    /// Replaces an initially true atom by another one. A fault if the first atom is false, or the second one is true
    /// already.
    ReplaceFact {
        /// The atom that is initially true before the edit.
        fact: Ground,
        /// The atom that is initially true after the edit, instead of the first one.
        with: Ground,
    },
    /// Declares an object.
    AddObject {
        /// The name of the object.
        object: String,
        /// The type of the object. `None` is a fault if the domain declares types.
        #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
    },
    /// Renames an object of the problem wherever it occurs. Constants of the domain cannot be renamed, merged into
    /// other objects or deleted.
    RenameObject {
        /// The name of the object.
        object: String,
        /// The new name.
        to: String,
    },
    /// Merges two objects: `object` is deleted and replaced by `into` in all facts, function values, the goal and the
    /// metric. The type of one of them must be a subtype of the other's; the merged object has the more special type.
    /// It is a fault if a function would have two values.
    MergeObject {
        /// The object that is deleted.
        object: String,
        /// The object that is kept.
        into: String,
    },
    /// Removes an object.
    DeleteObject {
        /// The name of the object.
        object: String,
        /// Whether to delete the facts, function values and goal literals about the object too. If `false`, it is a
        /// fault if there are any. In both cases it is a fault if the metric names the object.
        #[serde(default)]
        cascade: bool,
    },
    /// Sets the goal.
    SetGoal {
        /// The new goal: a condition in PDDL, such as `(and (at kitchen) (not (at hall)))`.
        goal: String,
    },
    /// Adds a literal to the precondition or the effect of an action schema.
    AddLiteral {
        /// The name of the action schema.
        schema: String,
        /// The part of the schema to extend.
        part: SchemaPart,
        /// The literal, over the parameters of the schema and the constants of the domain.
        literal: Literal,
    },
    /// Removes a literal from the precondition or the effect of an action schema. The literal must be the whole part or an
    /// element of its outermost `and`.
    DeleteLiteral {
        /// The name of the action schema.
        schema: String,
        /// The part of the schema that contains the literal.
        part: SchemaPart,
        /// The literal as it occurs in the schema.
        literal: Literal,
    },
}

/// A part of an action schema that edits can change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SchemaPart {
    /// The precondition.
    Precondition,
    /// The effect.
    Effect,
}

impl Edit {
    /// Creates an edit that makes an atom such as `(at kitchen)` initially true. Whether the domain has the predicate
    /// and the objects is checked by [`PlanningModel::apply`](crate::PlanningModel::apply).
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

    /// Creates an edit that replaces an initially true atom by another one. Applying it is a fault if the first atom is
    /// not initially true, or the second one is.
    ///
    /// # Errors
    /// Fails if one of the texts is not a ground atom.
    pub fn replace_fact(fact: &str, with: &str) -> Result<Self, LiteralError> {
        let (fact, with) = (fact.parse()?, with.parse()?);
        Ok(Self::ReplaceFact { fact, with })
    }

    /// Creates an edit that adds a literal, such as `(on ?x table)`, to the precondition or the effect of the action
    /// schema called `schema`. Applying it is a fault if the schema has the literal already.
    ///
    /// # Errors
    /// Fails if the text is not a literal.
    pub fn add_literal(schema: &str, part: SchemaPart, literal: &str) -> Result<Self, LiteralError> {
        let (schema, literal) = (schema.to_owned(), literal.parse()?);
        Ok(Self::AddLiteral {
            schema,
            part,
            literal,
        })
    }

    /// Creates an edit that removes a literal, such as `(not (clear ?x))`, from the precondition or the effect of the
    /// action schema called `schema`. Applying it is a fault if the schema does not have the literal.
    ///
    /// # Errors
    /// Fails if the text is not a literal.
    pub fn delete_literal(schema: &str, part: SchemaPart, literal: &str) -> Result<Self, LiteralError> {
        let (schema, literal) = (schema.to_owned(), literal.parse()?);
        Ok(Self::DeleteLiteral {
            schema,
            part,
            literal,
        })
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
