//! The meaning of a player's line: actions by their names, by their numbers, or by some of their words.

use std::collections::BTreeSet;

use herbrand::core::{ActionTextError, Choice};
use herbrand::tasks::OfferedActions;
use herbrand::tasks::any::AnySystem;
use herbrand::text::{did_you_mean, nearest};

use super::game::contains;
use super::why::{forms, why, words_of};

/// A state with its valid actions, among which a line names some.
pub struct Reader<'a> {
    /// The problem in the state.
    pub system: &'a dyn AnySystem,
    /// The valid actions.
    pub offered: &'a OfferedActions,
    /// Whether the actions were listed with numbers.
    pub is_numbered: bool,
}

/// The meaning of a line.
pub enum Meant {
    /// A step with these choices.
    Step(Vec<Choice>),
    /// No step, for this reason.
    Answer(String),
    /// No step, since several valid actions fit, or none is valid.
    Several,
}

impl Reader<'_> {
    /// Reads a line: the names of actions, their numbers among the valid ones, or words that only one valid action contains.
    pub fn read(&self, line: &str) -> Meant {
        // `4 = 1` is `4=1`.
        let line = line.split('=').map(str::trim).collect::<Vec<_>>().join("=");
        if let Ok(joint) = self.system.parse_joint(&line) {
            return Meant::Step(joint);
        }
        if let Some(numbered) = self.numbered(&line) {
            let read = numbered.and_then(|names| self.system.parse_joint(&names));
            return read.map_or_else(|error| Meant::Answer(error.to_string()), Meant::Step);
        }
        let choices = &self.offered.choices;
        // A text in parentheses is a whole action, or an action that lacks objects.
        let is_whole = line.starts_with('(') && line.ends_with(')');
        let fitting: Vec<_> = choices.iter().filter(|name| contains(name, &line)).collect();
        match fitting.as_slice() {
            _ if choices.is_empty() => Meant::Several,
            [name] if !is_whole => match self.system.parse_joint(name) {
                Ok(joint) => Meant::Step(joint),
                Err(_) => Meant::Answer(format!("write a value: {name}")),
            },
            [_, _, ..] if !is_whole => Meant::Several,
            _ => {
                let none = || format!("no valid action contains `{line}`");
                Meant::Answer(self.refused(&line).unwrap_or_else(none))
            }
        }
    }

    /// Returns the names of actions that are given by numbers, perhaps with values, such as `1 3=2.5`; `None` if the line has
    /// other words.
    fn numbered(&self, line: &str) -> Option<Result<String, ActionTextError>> {
        let words = line.split([' ', ',']).filter(|word| !word.is_empty());
        let numbers: Option<Vec<_>> = words
            .map(|word| {
                let (number, value) = match word.split_once('=') {
                    Some((number, value)) => (number, Some(value)),
                    None => (word, None),
                };
                Some((number.parse().ok()?, value))
            })
            .collect();
        let names = numbers.filter(|_| self.is_numbered)?.into_iter();
        let names: Result<Vec<_>, _> = names.map(|(number, value)| self.name(number, value)).collect();
        Some(names.map(|names| names.join(" ")))
    }

    /// Returns the valid action with a number and its value, such as `order___apple=5`.
    fn name(&self, number: usize, value: Option<&str>) -> Result<String, ActionTextError> {
        let OfferedActions { choices, numeric, .. } = self.offered;
        let Some(place) = number.checked_sub(1).filter(|&at| at < choices.len()) else {
            let most = choices.len();
            return Err(ActionTextError::new(format!(
                "there is no action {number}: the valid actions have numbers up to {most}"
            )));
        };
        let choice = &choices[place];
        let fluent = place
            .checked_sub(choices.len() - numeric.len())
            .map(|at| &numeric[at]);
        let reason = match (fluent, value) {
            (Some(fluent), Some(value)) => return Ok(format!("{fluent}={value}")),
            (Some(_), None) => format!("write a value, as in `{number}=1`: {choice}"),
            (None, None) => return Ok(choice.clone()),
            (None, Some(_)) => format!("{choice} takes no value: write `{number}`"),
        };
        Err(ActionTextError::new(reason))
    }

    /// Returns why words that no valid action contains are no action: the reason for a whole action, or the name that a
    /// misspelt word may mean. `None` if neither is known.
    pub fn refused(&self, words: &str) -> Option<String> {
        if let Some(answer) = why(words, self.system, self.offered) {
            return Some(answer);
        }
        if let Some(reason) = self.system.never_valid(words) {
            return Some(reason);
        }
        let forms = forms(self.system);
        if words.starts_with('(') || forms.is_empty() {
            return self
                .system
                .parse_joint(words)
                .err()
                .map(|error| error.to_string());
        }
        let mut names: BTreeSet<String> = forms.into_iter().map(|(name, _)| name).collect();
        for number in 0..self.system.actions().as_single().unwrap_or(0) as u32 {
            names.extend(words_of(&self.system.choice_text(Choice::discrete(number))));
        }
        let words_in = words.to_lowercase();
        let unknown = words_in
            .split_whitespace()
            .find(|word| names.iter().all(|name| !name.contains(word)));
        let meant = unknown.and_then(|word| nearest(word, names.iter().map(String::as_str)));
        meant.map(|meant| format!("no valid action contains `{words}`{}", did_you_mean(Some(meant))))
    }
}
