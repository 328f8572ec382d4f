//! Error messages for texts that are not actions.

use herbrand_ground::Vocabulary;
use herbrand_text::{did_you_mean, nearest};

use crate::AgentActions;

/// Explains why a text is not an action of the problem: an unknown name, a wrong number of arguments, or an unknown object.
/// Otherwise no reachable state allows the action.
pub(super) fn unknown_action(agent: Option<&AgentActions>, vocabulary: &Vocabulary, text: &str) -> String {
    let text = text.trim().trim_matches(['(', ')']).trim().to_lowercase();
    let mut words = text.split_whitespace();
    let Some(name) = words.next() else {
        return "an action is written as (name argument …)".to_owned();
    };
    let signatures = signatures(agent, vocabulary);
    let Some(&(_, expected)) = signatures.iter().find(|(known, _)| *known == name) else {
        let names = signatures.iter().map(|&(name, _)| name);
        return format!(
            "there is no action `{name}`{}",
            did_you_mean(nearest(name, names))
        );
    };
    let arguments: Vec<_> = words.collect();
    if arguments.len() != expected {
        let plural = if expected == 1 { "" } else { "s" };
        return format!(
            "`{name}` takes {expected} argument{plural}, not {}",
            arguments.len()
        );
    }
    let names = || vocabulary.objects.iter().map(|object| object.name.as_str());
    let unknown = arguments
        .iter()
        .find(|argument| names().all(|name| name != **argument));
    match unknown {
        Some(object) => format!(
            "({text}): there is no object `{object}`{}",
            did_you_mean(nearest(object, names()))
        ),
        None => format!("({text}): no reachable state allows this action"),
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
