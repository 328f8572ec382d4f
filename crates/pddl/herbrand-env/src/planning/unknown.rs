//! Error messages for texts that are not actions.

use herbrand_ground::Vocabulary;
use herbrand_step::NameError;

use crate::action::AgentActions;

/// Explains why a text is not an action of the problem: an unknown name, a wrong number of arguments, or an unknown object.
/// Otherwise no reachable state allows the action.
pub(super) fn unknown_action(agent: Option<&AgentActions>, vocabulary: &Vocabulary, text: &str) -> String {
    let signatures = signatures(agent, vocabulary);
    let error = NameError::of_action(text, signatures.into_iter(), vocabulary);
    let reason = match &error {
        None => "no reachable state allows this action".to_owned(),
        Some(error @ NameError::UnknownObject { .. }) => error.to_string(),
        Some(error) => return error.to_string(),
    };
    let words = text.trim().trim_matches(['(', ')']).to_lowercase();
    format!("({}): {reason}", words.trim())
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
