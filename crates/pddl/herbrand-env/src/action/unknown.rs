//! Error messages for texts that are not actions.

use herbrand_ground::Vocabulary;
use herbrand_step::{NameError, WrongType};

use super::AgentActions;

/// Explains why a text is not an action of the problem: an unknown name, a wrong number of arguments, or an unknown object.
/// For an operator also an object of the wrong type. Otherwise no reachable state allows the action.
pub(crate) fn unknown_action(agent: Option<&AgentActions>, vocabulary: &Vocabulary, text: &str) -> String {
    let signatures = signatures(agent, vocabulary);
    let error = NameError::of_action(text, signatures.into_iter(), vocabulary);
    let reason = match &error {
        None if agent.is_none()
            && let Some(wrong) = wrong_type(vocabulary, text) =>
        {
            return wrong.to_string();
        }
        None => "no reachable state allows this action".to_owned(),
        Some(error @ NameError::UnknownObject { .. }) => error.to_string(),
        Some(error) => return error.to_string(),
    };
    let words = text.trim().trim_matches(['(', ')']).to_lowercase();
    format!("({}): {reason}", words.trim())
}

/// Returns the argument of an operator that does not have the type of its parameter.
fn wrong_type(vocabulary: &Vocabulary, text: &str) -> Option<WrongType> {
    let (name, objects) = vocabulary.parse_term(text)?;
    let schema = vocabulary.find_schema(name.as_str())?;
    WrongType::find(vocabulary, vocabulary.schema(schema), &objects)
}

/// Returns the names and arities of the agent actions, or of the operators.
fn signatures<'v>(agent: Option<&'v AgentActions>, vocabulary: &'v Vocabulary) -> Vec<(&'v str, usize)> {
    match agent {
        Some(agent) => {
            let actions = agent.actions().iter();
            actions
                .map(|action| (action.name.as_str(), action.parameters.len()))
                .collect()
        }
        None => {
            let schemas = vocabulary.schemas.iter();
            schemas
                .map(|schema| (schema.name.as_str(), schema.parameters.len()))
                .collect()
        }
    }
}
