//! Translation of actions to commands, shared by the worlds that parse commands and the agent that gives them.

use std::collections::BTreeMap;

use herbrand_edit::Ground;

/// The command of each action schema. A number in braces is the index of an argument.
const COMMANDS: &[(&str, &str)] = &[
    ("go", "move {2}"),
    ("open-door", "open door to {2}"),
    ("close-door", "close door to {2}"),
    ("open", "open {0}"),
    ("close", "close {0}"),
    ("take", "take {0}"),
    ("drop", "drop {0}"),
    ("put", "put {0} in {1}"),
    ("cook", "cook {0} in {1}"),
    ("read", "read {0}"),
    ("prepare-meal", "prepare meal"),
    ("eat-meal", "eat meal"),
];

/// The verb for each shape of cut food.
pub(crate) const CUTS: &[(&str, &str)] = &[("chopped", "chop"), ("sliced", "slice"), ("diced", "dice")];

/// The verb for each way of cooking.
pub(crate) const HEATS: &[(&str, &str)] = &[("fried", "fry"), ("roasted", "roast"), ("grilled", "grill")];

/// The directions, each with its opposite.
pub(crate) const WAYS: &[(&str, &str)] = &[
    ("north", "south"),
    ("south", "north"),
    ("east", "west"),
    ("west", "east"),
];

/// Returns the text command for a ground action of the bundled games' domains, such as `open door to north`. `word`
/// returns the phrase for an object. Returns `None` if the games have no such action, or if arguments are missing.
/// Whether the command is valid now is not checked; pass it to [`TextWorld::step`](crate::TextWorld::step), which
/// tells.
///
/// ```
/// let action = "(cut red-onion diced knife)".parse()?;
/// let command = herbrand_explore::command(&action, |object| object.replace('-', " "));
/// assert_eq!(command.as_deref(), Some("dice red onion"));
/// # Ok::<(), herbrand_edit::LiteralError>(())
/// ```
#[must_use]
pub fn command(action: &Ground, word: impl Fn(&str) -> String) -> Option<String> {
    if action.predicate == "cut" {
        let shape = action.arguments.get(1)?;
        let (_, verb) = CUTS.iter().find(|(name, _)| name == shape)?;
        return filled(&format!("{verb} {{0}}"), action, word);
    }
    let (_, pattern) = COMMANDS.iter().find(|(schema, _)| *schema == action.predicate)?;
    filled(pattern, action, word)
}

/// Returns a pattern of a command with the phrases of an action's arguments in place of their numbers in braces. `None` if
/// an argument is missing.
pub(crate) fn filled(pattern: &str, action: &Ground, word: impl Fn(&str) -> String) -> Option<String> {
    let argument = |number: usize| action.arguments.get(number).map(|object| word(object));
    let mut text = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        let (number, after) = after.split_once('}')?;
        text.push_str(before);
        text.push_str(&argument(number.parse().ok()?)?);
        rest = after;
    }
    text.push_str(rest);
    Some(text)
}

/// A two-way mapping between the phrases of a game's texts and the PDDL objects that they name, for the
/// [`Reader`](crate::Reader) of one game. Start with the default, which is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lexicon {
    phrases: BTreeMap<String, String>,
}

impl Lexicon {
    /// Returns the object that a phrase such as `living room` names, creating a name on first use. Equal phrases always
    /// name the same object, and different phrases name different objects, also if they differ only in case or
    /// punctuation: the later one gets `-2` and so on. A phrase without ASCII letters and digits is named `thing`.
    pub fn object(&mut self, phrase: &str) -> String {
        let name = name_of(phrase);
        let mut candidate = name.clone();
        let mut number = 1;
        loop {
            match self.phrases.get(&candidate) {
                Some(known) if known == phrase => return candidate,
                None => {
                    self.phrases.insert(candidate.clone(), phrase.to_owned());
                    return candidate;
                }
                Some(_) => {
                    number += 1;
                    candidate = format!("{name}-{number}");
                }
            }
        }
    }

    /// Returns the phrase for a PDDL object, as the texts name it. An object that was never named in a text gets its
    /// name with spaces for hyphens.
    #[must_use]
    pub fn phrase(&self, object: &str) -> String {
        let known = self.phrases.get(object).cloned();
        known.unwrap_or_else(|| object.replace('-', " "))
    }
}

/// Turns a phrase into a valid PDDL name.
fn name_of(phrase: &str) -> String {
    let mut name = String::with_capacity(phrase.len());
    for character in phrase.trim().chars() {
        match character {
            c if c.is_ascii_alphanumeric() => name.push(c.to_ascii_lowercase()),
            _ if name.is_empty() || name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    let end = name.trim_end_matches('-').len();
    name.truncate(end);
    if name.is_empty() { "thing".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_phrase_is_one_object() {
        let mut lexicon = Lexicon::default();
        assert_eq!(lexicon.object("living room"), "living-room");
        assert_eq!(lexicon.object("living room"), "living-room");
        assert_eq!(lexicon.object("Living-Room"), "living-room-2");
        assert_eq!(lexicon.phrase("living-room-2"), "Living-Room");
        assert_eq!(lexicon.object("…"), "thing");
        assert_eq!(lexicon.phrase("dining-table"), "dining table");
    }

    #[test]
    fn every_action_of_the_domains_has_a_command() {
        for name in ["coin-collector", "cooking-world"] {
            let files = herbrand_generate::Generator::get(name)
                .and_then(|one| one.files())
                .expect("a domain");
            let domain = herbrand_pddl::Domain::parse(&files.domain).expect("a sound domain");
            for schema in &domain.schemas {
                let arguments = schema.parameters().iter().map(|one| match one.name.as_str() {
                    "shape" => "diced",
                    name => name,
                });
                let action = Ground::new(schema.name.as_str(), arguments);
                assert!(command(&action, str::to_owned).is_some(), "{action}");
            }
        }
    }
}
