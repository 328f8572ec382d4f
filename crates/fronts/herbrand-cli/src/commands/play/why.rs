//! Why an action cannot be taken: conditions that do not hold, or parameters that its text lacks.

use herbrand::core::Choice;
use herbrand::tasks::OfferedActions;
use herbrand::tasks::any::AnySystem;

use crate::output::grouped;

/// The number of objects or actions that a line lists.
const LISTED: usize = 12;

/// Returns the words of an action, such as `go`, `bot` and `a` of `(go bot a)`.
pub fn words_of(action: &str) -> Vec<String> {
    let bare = action.replace(['(', ')'], " ").to_lowercase();
    bare.split_whitespace().map(str::to_owned).collect()
}

/// Returns the name and the parameters of each kind of action; none if actions are not written in parentheses.
pub fn forms(system: &dyn AnySystem) -> Vec<(String, Vec<String>)> {
    let forms = system.features().action_forms().into_iter();
    let forms = forms.filter(|form| form.starts_with('(')).map(|form| {
        let mut words = words_of(&form).into_iter();
        (words.next().unwrap_or_default(), words.collect())
    });
    forms.collect()
}

/// Returns why the action that `words` name is not valid in the current state, or that it is; if the words begin an action
/// without naming all objects, the parameters that are missing, with the objects and the actions that complete it. `None` if the
/// words begin no action.
pub fn why(words: &str, system: &dyn AnySystem, offered: &OfferedActions) -> Option<String> {
    let parts = words_of(words);
    let (name, given) = parts.split_first()?;
    let (_, parameters) = forms(system).into_iter().find(|(other, _)| other == name)?;
    if let Ok(joint) = system.parse_joint(&format!("({})", parts.join(" "))) {
        return system.explain(&joint).ok().map(|why| why.text);
    }
    let missing = parameters
        .get(given.len()..)
        .filter(|missing| !missing.is_empty())?;
    let all = (0..system.actions().as_single()? as u32).map(Choice::discrete);
    let all = all.map(|choice| (choice, words_of(&system.choice_text(choice))));
    let all: Vec<_> = all.filter(|(_, action)| action.first() == Some(name)).collect();
    let beginning = |count: usize| {
        let begun = &parts[..=count];
        all.iter().filter(move |(_, action)| action.starts_with(begun))
    };
    let completions: Vec<_> = beginning(given.len()).collect();
    let shown = |count: usize| parts[..=count].join(" ");
    let Some((first, _)) = completions.first() else {
        // The first object that no action has in its place, and the objects that fit there.
        let count = (0..given.len())
            .rev()
            .find(|&count| beginning(count).next().is_some())?;
        return Some(format!(
            "no action that can become valid begins with ({} {}): {} can be {}",
            shown(count),
            given[count],
            parameters[count],
            list(&distinct(
                beginning(count).filter_map(|(_, action)| action.get(count + 1))
            ))
        ));
    };
    let mut lines = vec![format!("({} …) lacks {}", shown(given.len()), missing.join(", "))];
    for (at, parameter) in missing.iter().enumerate() {
        let objects = completions
            .iter()
            .filter_map(|(_, action)| action.get(1 + given.len() + at));
        lines.push(format!("  {parameter}: {}", list(&distinct(objects))));
    }
    let fitting: Vec<String> = (1..)
        .zip(&offered.choices)
        .filter(|(_, name)| completions.iter().any(|(_, action)| *action == words_of(name)))
        .map(|(number, name)| format!("{number} {name}"))
        .collect();
    if fitting.is_empty() {
        let reason = system.explain(&[*first]).ok()?.text;
        lines.push(match completions.len() {
            1 => format!("  {reason}"),
            count => format!(
                "  none of these {} actions is valid here; for example, {reason}",
                grouped(count as u64)
            ),
        });
    } else {
        lines.push(format!("  valid here: {}", list(&distinct(&fitting))));
    }
    Some(lines.join("\n"))
}

/// Returns the names without repetitions, in order.
fn distinct<'n>(names: impl IntoIterator<Item = &'n String>) -> Vec<&'n str> {
    let mut found: Vec<&str> = Vec::new();
    for name in names {
        if !found.contains(&name.as_str()) {
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
