//! Error messages for texts that are not actions.

use herbrand_ground::Vocabulary;
use herbrand_step::NameError;

use crate::action::AgentActions;

/// Explains why a text is not an action of the problem: an unknown name, a wrong number of arguments, or an unknown object.
/// Otherwise no reachable state allows the action.
pub(super) fn unknown_action(agent: Option<&AgentActions>, vocabulary: &Vocabulary, text: &str) -> String {
    let text = text.trim().trim_matches(['(', ')']).trim();
    let text = format!("({})", text.to_lowercase());
    let signatures = signatures(agent, vocabulary);
    match NameError::of_action(&text, signatures.into_iter(), vocabulary) {
        Some(NameError::Syntax { .. }) => "an action is written as (name argument …)".to_owned(),
        Some(error @ NameError::UnknownObject { .. }) => format!("{text}: {error}"),
        Some(error) => error.to_string(),
        None => format!("{text}: no reachable state allows this action"),
    }
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
