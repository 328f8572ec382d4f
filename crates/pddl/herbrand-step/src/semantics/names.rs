//! Parsing PDDL terms into ids.

use herbrand_ground::Vocabulary;
use herbrand_pddl::{Name, ObjectId, SchemaId};
use herbrand_text::nearest;

use crate::semantics::error::NameError;

/// Parses an action term into its schema and arguments, whether or not the task has such an action.
pub(crate) fn parse_operator(
    vocabulary: &Vocabulary,
    text: &str,
) -> Result<(SchemaId, Vec<ObjectId>), NameError> {
    let schemas = vocabulary.schemas.iter();
    let schemas = schemas.map(|schema| (schema.name.as_str(), schema.parameters.len()));
    let (index, objects) = parse_action(vocabulary, schemas, text)?;
    Ok((SchemaId::from_index(index), objects))
}

impl NameError {
    /// Returns the reason why `text` does not name an action; `None` if it does. `actions` are the known actions, each
    /// a name with its number of arguments; the arguments must be objects of `vocabulary`. The first action of a name
    /// counts. Whether a task has the ground action is not checked, so the reason is never [`NameError::Unreachable`].
    #[must_use]
    pub fn of_action<'a>(
        text: &str,
        actions: impl Iterator<Item = (&'a str, usize)> + Clone,
        vocabulary: &Vocabulary,
    ) -> Option<Self> {
        parse_action(vocabulary, actions, text).err()
    }
}

/// The place of the action that `text` names among `actions`, each a name with its number of arguments, and the objects
/// that `text` names.
fn parse_action<'a>(
    vocabulary: &Vocabulary,
    actions: impl Iterator<Item = (&'a str, usize)> + Clone,
    text: &str,
) -> Result<(usize, Vec<ObjectId>), NameError> {
    let (head, arguments) = parse_term(text)?;
    let mut numbered = actions.clone().enumerate();
    let (index, (_, expected)) = numbered
        .find(|&(_, (name, _))| name == head.as_str())
        .ok_or_else(|| unknown("action", &head, actions.map(|(name, _)| name)))?;
    Ok((index, resolve(vocabulary, &head, expected, &arguments)?))
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
        found.ok_or_else(|| {
            let names = vocabulary.objects.iter().map(|object| object.name.as_str());
            NameError::UnknownObject {
                name: name.to_string(),
                suggestion: nearest(name.as_str(), names).map(str::to_owned),
            }
        })
    };
    arguments.iter().map(find).collect()
}

/// The error for a name that is none of `known`.
pub(crate) fn unknown<'a>(
    kind: &'static str,
    name: &Name,
    known: impl IntoIterator<Item = &'a str>,
) -> NameError {
    NameError::UnknownHead {
        kind,
        name: name.to_string(),
        suggestion: nearest(name.as_str(), known).map(str::to_owned),
    }
}

pub(crate) fn unreachable(kind: &'static str, text: &str) -> NameError {
    NameError::Unreachable {
        kind,
        text: text.to_owned(),
    }
}
