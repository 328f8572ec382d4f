//! Parsing PDDL terms into ids.

use herbrand_ground::Vocabulary;
use herbrand_pddl::{Name, ObjectId, SchemaId};

use crate::semantics::error::NameError;

/// Parses an action term into its schema and arguments, whether or not the task has such an action.
pub(crate) fn parse_operator(
    vocabulary: &Vocabulary,
    text: &str,
) -> Result<(SchemaId, Vec<ObjectId>), NameError> {
    let (head, arguments) = parse_term(text)?;
    let id = vocabulary
        .find_schema(head.as_str())
        .ok_or_else(|| unknown("action", &head))?;
    let expected = vocabulary.schema(id).parameters.len();
    Ok((id, resolve(vocabulary, &head, expected, &arguments)?))
}

/// Parses `(head argument …)`, with or without the parentheses.
pub(crate) fn parse_term(text: &str) -> Result<(Name, Vec<Name>), NameError> {
    let syntax = || NameError::Syntax {
        text: text.to_owned(),
    };
    let trimmed = text.trim();
    let inner = match trimmed.strip_prefix('(') {
        Some(rest) => rest.strip_suffix(')').ok_or_else(syntax)?,
        None => trimmed,
    };
    if inner.contains(['(', ')']) {
        return Err(syntax());
    }
    let mut names = inner.split_whitespace().map(Name::new);
    let head = names.next().ok_or_else(syntax)?;
    Ok((head, names.collect()))
}

pub(crate) fn resolve(
    vocabulary: &Vocabulary,
    head: &Name,
    expected: usize,
    arguments: &[Name],
) -> Result<Vec<ObjectId>, NameError> {
    if arguments.len() != expected {
        return Err(NameError::Arity {
            name: head.to_string(),
            expected,
            found: arguments.len(),
        });
    }
    let find = |name: &Name| {
        let found = vocabulary.find_object(name.as_str());
        found.ok_or_else(|| NameError::UnknownObject {
            name: name.to_string(),
        })
    };
    arguments.iter().map(find).collect()
}

pub(crate) fn unknown(kind: &'static str, name: &Name) -> NameError {
    NameError::UnknownHead {
        kind,
        name: name.to_string(),
    }
}

pub(crate) fn unreachable(text: &str) -> NameError {
    NameError::Unreachable {
        text: text.to_owned(),
    }
}
