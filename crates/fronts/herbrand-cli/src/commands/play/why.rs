//! Why an action cannot be taken: conditions that do not hold, or parameters that its text lacks.

use herbrand::env::{ActionSpace, AgentActionId, Env, EnvError, PlanningEnv as _};

use super::view;
use crate::output::grouped;

/// The number of objects or actions that a line lists.
const LISTED: usize = 12;

/// Returns why the action that `words` name is not valid in the current state, or that it is; if the words begin an action
/// without naming all objects, the parameters that are missing, with the objects and the actions that complete it. `None` if the
/// words begin no action.
pub fn why(words: &str, env: &Env) -> Result<Option<String>, EnvError> {
    let bare = words.replace(['(', ')'], " ");
    let mut parts = bare.split_whitespace();
    let Some(name) = parts.next() else {
        return Ok(None);
    };
    let given: Vec<&str> = parts.collect();
    let text = format!("({})", [&[name], given.as_slice()].concat().join(" "));
    if let Some(action) = env.instance()?.find_action(&text) {
        return env.explain(action).map(|found| Some(found.to_string()));
    }
    incomplete(name, &given, env)
}

/// Returns the parameters that an action with the first objects lacks, and how it can be completed.
fn incomplete(name: &str, given: &[&str], env: &Env) -> Result<Option<String>, EnvError> {
    let space = env.instance()?.space();
    let vocabulary = &space.task().vocabulary;
    let parameters: Vec<&str> = match space.agent_actions() {
        Some(actions) => match actions
            .actions()
            .iter()
            .find(|action| action.name.as_str() == name)
        {
            Some(action) => action.parameters.iter().map(|name| name.as_str()).collect(),
            None => return Ok(None),
        },
        None => match vocabulary.find_schema(name) {
            Some(id) => {
                let parameters = vocabulary.schema(id).parameters.iter();
                parameters.map(|(name, _)| name.as_str()).collect()
            }
            None => return Ok(None),
        },
    };
    let Some(missing @ [_, ..]) = parameters.get(given.len()..) else {
        return Ok(None);
    };
    let completions = completions(name, given, space);
    let Some((first, _)) = completions.first() else {
        return Ok(misfit(name, given, &parameters, space));
    };
    let shown = [&[name], given].concat().join(" ");
    let lacking: Vec<String> = missing.iter().map(|parameter| format!("?{parameter}")).collect();
    let mut lines = vec![format!("({shown} …) lacks {}", lacking.join(", "))];
    for (at, parameter) in lacking.iter().enumerate() {
        let objects = distinct(completions.iter().map(|(_, names)| names[given.len() + at]));
        lines.push(format!("  {parameter}: {}", list(&objects)));
    }
    let valid = view::valid(env)?;
    let is_completion = |action: AgentActionId| completions.iter().any(|&(other, _)| other == action);
    let fitting: Vec<String> = (1..)
        .zip(&valid)
        .filter(|(_, (action, _))| is_completion(*action))
        .map(|(number, (_, name))| format!("{number} {name}"))
        .collect();
    if fitting.is_empty() {
        let reason = env.explain(*first)?.to_string();
        lines.push(match completions.len() {
            1 => format!("  {reason}"),
            count => format!(
                "  none of these {} actions is valid here; for example, {reason}",
                grouped(count as u64)
            ),
        });
    } else {
        let fitting: Vec<&str> = fitting.iter().map(String::as_str).collect();
        lines.push(format!("  valid here: {}", list(&fitting)));
    }
    Ok(Some(lines.join("\n")))
}

/// Returns the actions that begin with a name and objects, each with the names of all its objects. They are valid in some state
/// that grounding finds reachable.
fn completions<'s>(name: &str, given: &[&str], space: &'s ActionSpace) -> Vec<(AgentActionId, Vec<&'s str>)> {
    let objects = &space.task().vocabulary.objects;
    let mut completions = Vec::new();
    for action in (0..space.len() as u32).map(AgentActionId::new) {
        let Some((own, arguments)) = space.get(action) else {
            continue;
        };
        let names: Vec<&str> = arguments
            .iter()
            .map(|object| objects[object.index()].name.as_str())
            .collect();
        if own.as_str() == name && names.starts_with(given) {
            completions.push((action, names));
        }
    }
    completions
}

/// Returns which object no action has in its place, and the objects that fit there; `None` if no action has this name.
fn misfit(name: &str, given: &[&str], parameters: &[&str], space: &ActionSpace) -> Option<String> {
    let fits = |count: &usize| !completions(name, &given[..*count], space).is_empty();
    let count = (0..given.len()).rev().find(fits)?;
    let fitting = completions(name, &given[..count], space);
    let fitting = distinct(fitting.iter().map(|(_, names)| names[count]));
    let before = [&[name], &given[..count]].concat().join(" ");
    Some(format!(
        "no action that can become valid begins with ({before} {}): ?{} can be {}",
        given[count],
        parameters[count],
        list(&fitting)
    ))
}

/// Returns the names without repetitions, in order.
fn distinct<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut found: Vec<&str> = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Joins the first items with commas, and counts the others.
fn list(items: &[&str]) -> String {
    let text = items[..items.len().min(LISTED)].join(", ");
    match items.len().saturating_sub(LISTED) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}
