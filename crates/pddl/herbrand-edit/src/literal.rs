//! Atoms and literals by name, as they are written in edits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A ground atom by name, such as `(on a b)`. Names are in lower case. `FromStr` parses the syntax; whether a domain
/// has the names is not checked. Edits, statements and [`PlanningModel::facts`](crate::PlanningModel::facts) contain
/// it. In JSON it is its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Ground {
    /// The name of the predicate.
    pub predicate: String,
    /// The names of the objects, in order; empty for an atom without arguments.
    pub arguments: Vec<String>,
}

/// A literal in an action schema, by name: an atom over variables (`?x`) and constants, or its negation, such as `(on
/// ?x table)` or `(not (clear ?x))`. `FromStr` parses it, in lower case; [`Edit::AddLiteral`](crate::Edit::AddLiteral)
/// and [`Edit::DeleteLiteral`](crate::Edit::DeleteLiteral) contain it. In JSON it is its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SchemaLiteral {
    /// Whether the literal is negated.
    pub negated: bool,
    /// The atom. An argument that begins with a question mark is a variable.
    pub atom: Ground,
}

/// The error that a text is not an atom or literal. `FromStr` of [`Ground`] and [`SchemaLiteral`] returns it. `Display`
/// quotes the text and shows an example.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not a {expected}: write it in PDDL, such as `{example}`")]
pub struct LiteralError {
    text: String,
    expected: &'static str,
    example: &'static str,
}

impl Ground {
    /// Creates a ground atom from the names of its predicate and objects. Names are converted to lower case; whether
    /// they are valid names is not checked.
    pub fn new<'t>(predicate: &str, arguments: impl IntoIterator<Item = &'t str>) -> Self {
        let lower = str::to_ascii_lowercase;
        Self {
            predicate: lower(predicate),
            arguments: arguments.into_iter().map(lower).collect(),
        }
    }

    /// Parses a single list in parentheses. Variables are accepted only if `variables` is set.
    fn read(text: &str, variables: bool) -> Option<Self> {
        let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
        let mut names = inner.split_whitespace();
        let predicate = names.next().filter(|name| is_name(name))?;
        let arguments: Vec<_> = names.collect();
        let fits = |name: &&str| match name.strip_prefix('?') {
            Some(variable) => variables && is_name(variable),
            None => is_name(name),
        };
        arguments
            .iter()
            .all(fits)
            .then(|| Self::new(predicate, arguments.iter().copied()))
    }
}

impl SchemaLiteral {
    fn read(text: &str) -> Option<Self> {
        let trimmed = text.trim();
        let negated = trimmed.strip_prefix('(').and_then(|rest| {
            let rest = rest.trim_start().strip_prefix("not")?.trim_start();
            rest.strip_suffix(')').filter(|inner| inner.starts_with('('))
        });
        Some(Self {
            negated: negated.is_some(),
            atom: Ground::read(negated.unwrap_or(trimmed), true)?,
        })
    }
}

/// Returns whether a text is a valid name. Names that consist of digits are valid, as in the PDDL parser.
pub(crate) fn is_name(text: &str) -> bool {
    let is_first = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '#');
    let is_other = |c: char| is_first(c) || "-.@$%&!'`^~|[]".contains(c);
    text.starts_with(is_first) && text.chars().all(is_other)
}

impl FromStr for Ground {
    type Err = LiteralError;

    fn from_str(text: &str) -> Result<Self, LiteralError> {
        Self::read(text, false).ok_or_else(|| LiteralError {
            text: text.to_owned(),
            expected: "ground atom",
            example: "(on a b)",
        })
    }
}

impl FromStr for SchemaLiteral {
    type Err = LiteralError;

    fn from_str(text: &str) -> Result<Self, LiteralError> {
        Self::read(text).ok_or_else(|| LiteralError {
            text: text.to_owned(),
            expected: "literal",
            example: "(not (on ?x ?y))",
        })
    }
}

impl TryFrom<String> for Ground {
    type Error = LiteralError;

    fn try_from(text: String) -> Result<Self, LiteralError> {
        text.parse()
    }
}

impl TryFrom<String> for SchemaLiteral {
    type Error = LiteralError;

    fn try_from(text: String) -> Result<Self, LiteralError> {
        text.parse()
    }
}

impl From<Ground> for String {
    fn from(atom: Ground) -> Self {
        atom.to_string()
    }
}

impl From<SchemaLiteral> for String {
    fn from(literal: SchemaLiteral) -> Self {
        literal.to_string()
    }
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}", self.predicate)?;
        self.arguments.iter().try_for_each(|name| write!(f, " {name}"))?;
        f.write_str(")")
    }
}

impl fmt::Display for SchemaLiteral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negated {
            write!(f, "(not {})", self.atom)
        } else {
            self.atom.fmt(f)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in ["(clear a)", "(handempty)", "(on a b2)"] {
            assert_eq!(text.parse::<Ground>().unwrap().to_string(), text);
        }
        for text in ["(clear ?x)", "(not (on ?x table))", "(notable ?x)"] {
            assert_eq!(text.parse::<SchemaLiteral>().unwrap().to_string(), text);
        }
        assert_eq!("( NOTE  A )".parse::<Ground>().unwrap().to_string(), "(note a)");
    }

    #[test]
    fn what_is_no_atom_is_refused() {
        for text in [
            "",
            "on a b",
            "(on a b",
            "()",
            "(on (a) b)",
            "(on ?x b)",
            "(on a b) (c)",
            "(o\u{e9} a)",
        ] {
            assert!(text.parse::<Ground>().is_err(), "{text}");
        }
        for text in ["(not clear)x", "(not (not (a)))", "(and (a) (b))", "(on ? b)"] {
            assert!(text.parse::<SchemaLiteral>().is_err(), "{text}");
        }
    }
}
