//! What can be edited.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Ground, Literal, LiteralError};

/// A change of one thing of a [`Model`](crate::Model). Names are those of the model when the edit's turn comes, so an
/// edit sees what the ones before it in its batch have done.
///
/// As JSON, an edit is an object whose `edit` says which one it is; [`schema`](crate::schema) describes the form.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// Makes an atom initially true.
    AddFact {
        /// The atom.
        fact: Ground,
    },
    /// Makes an atom initially false.
    DeleteFact {
        /// The atom.
        fact: Ground,
    },
    /// Puts one initial atom in the place of another.
    ReplaceFact {
        /// The atom that is true so far.
        fact: Ground,
        /// The one that is true instead.
        with: Ground,
    },
    /// Declares an object.
    AddObject {
        /// Its name.
        object: String,
        /// Its type. Needed if the domain declares types.
        #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
    },
    /// Calls an object by another name wherever it occurs.
    RenameObject {
        /// The object.
        object: String,
        /// Its new name.
        to: String,
    },
    /// Takes two objects for one: `object` goes, and what was said of it is said of `into`.
    MergeObject {
        /// The object that goes.
        object: String,
        /// The one that stays.
        into: String,
    },
    /// Removes an object.
    DeleteObject {
        /// The object.
        object: String,
        /// Whether the facts and the literals of the goal that name it go with it. Otherwise they are faults.
        #[serde(default)]
        cascade: bool,
    },
    /// Sets the goal.
    SetGoal {
        /// A condition in PDDL, such as `(and (at kitchen) (not (at hall)))`.
        goal: String,
    },
    /// Adds a literal to the precondition or the effect of an action schema.
    AddLiteral {
        /// The action schema.
        schema: String,
        /// Where it is added.
        part: Part,
        /// The literal, over the parameters of the schema and the constants of the domain.
        literal: Literal,
    },
    /// Removes a literal from the precondition or the effect of an action schema, where it stands by itself or in the
    /// outermost `and`.
    DeleteLiteral {
        /// The action schema.
        schema: String,
        /// Where it stands.
        part: Part,
        /// The literal.
        literal: Literal,
    },
}

/// A part of an action schema.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The precondition.
    Precondition,
    /// The effect.
    Effect,
}

impl Edit {
    /// Makes an atom initially true.
    ///
    /// # Errors
    /// When the text is no ground atom.
    pub fn add_fact(fact: &str) -> Result<Self, LiteralError> {
        Ok(Self::AddFact { fact: fact.parse()? })
    }

    /// Makes an atom initially false.
    ///
    /// # Errors
    /// When the text is no ground atom.
    pub fn delete_fact(fact: &str) -> Result<Self, LiteralError> {
        Ok(Self::DeleteFact { fact: fact.parse()? })
    }

    /// Puts one initial atom in the place of another.
    ///
    /// # Errors
    /// When one of the texts is no ground atom.
    pub fn replace_fact(fact: &str, with: &str) -> Result<Self, LiteralError> {
        let (fact, with) = (fact.parse()?, with.parse()?);
        Ok(Self::ReplaceFact { fact, with })
    }

    /// Adds a literal to an action schema.
    ///
    /// # Errors
    /// When the text is no literal.
    pub fn add_literal(schema: &str, part: Part, literal: &str) -> Result<Self, LiteralError> {
        let (schema, literal) = (schema.to_owned(), literal.parse()?);
        Ok(Self::AddLiteral {
            schema,
            part,
            literal,
        })
    }

    /// Removes a literal from an action schema.
    ///
    /// # Errors
    /// When the text is no literal.
    pub fn delete_literal(schema: &str, part: Part, literal: &str) -> Result<Self, LiteralError> {
        let (schema, literal) = (schema.to_owned(), literal.parse()?);
        Ok(Self::DeleteLiteral {
            schema,
            part,
            literal,
        })
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Precondition => "precondition",
            Self::Effect => "effect",
        })
    }
}

impl fmt::Display for Edit {
    /// The edit in a few words.
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
