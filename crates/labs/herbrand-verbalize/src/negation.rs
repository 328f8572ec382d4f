//! The opposites of sentences.

use crate::english;
use crate::template::Template;

/// Verbs that *not* follows.
const AUXILIARIES: [&str; 8] = ["is", "are", "was", "were", "may", "must", "will", "would"];
/// Words that end like verbs of the third person.
const NO_VERBS: [&str; 10] = [
    "across", "always", "as", "besides", "its", "perhaps", "plus", "this", "thus", "towards",
];
/// Participles that do not end in *-ed* or *-en*.
const PARTICIPLES: [&str; 14] = [
    "become", "come", "done", "found", "gone", "got", "had", "left", "lost", "made", "met", "read", "run",
    "won",
];

/// Returns the template of the sentence that is true if that of another template is false: `{1} is not on {2}`, `{1} does not
/// lie at {2}`. If its verb is not known, the sentence begins with *it is not true that*.
pub(crate) fn opposite(template: &Template) -> Template {
    // The subject is the first slot, or a noun before a verb that is known.
    let known = |word: &Word<'_>| english::is_verb(word.text) || ["you", "they", "we"].contains(&word.before);
    let found = words(template).find_map(|word| word.replaced(word.is_after_slot));
    let found = found.or_else(|| words(template).find_map(|word| word.replaced(known(&word))));
    let mut opposite = template.clone();
    for (nothing, something) in [("nothing ", "something "), ("nobody ", "somebody ")] {
        if let Some(rest) = template.literals[0].strip_prefix(nothing) {
            opposite.literals[0] = format!("{something}{rest}");
            return opposite;
        }
    }
    match found {
        Some((literal, start, end, text)) => opposite.literals[literal].replace_range(start..end, &text),
        None => opposite.literals[0].insert_str(0, "it is not true that "),
    }
    opposite
}

/// A word of a literal, with its place.
struct Word<'t> {
    literal: usize,
    start: usize,
    text: &'t str,
    /// The word before; empty at the beginning of a literal.
    before: &'t str,
    after: &'t str,
    /// Whether the word is the first one after a slot.
    is_after_slot: bool,
}

impl Word<'_> {
    /// Returns the literal, the place and the text of a verb with its negation; `None` if the word is no verb. It is one if it
    /// is an auxiliary, and if `may_be_verb` and it has the form of one.
    fn replaced(&self, may_be_verb: bool) -> Option<(usize, usize, usize, String)> {
        let is_participle = self.after.ends_with("en")
            || self.after.ends_with("ed") && !matches!(self.after, "red" | "bed")
            || PARTICIPLES.contains(&self.after)
            || english::has_happened(self.after);
        let text = match self.text {
            auxiliary if AUXILIARIES.contains(&auxiliary) => format!("{auxiliary} not"),
            "can" => "cannot".to_owned(),
            auxiliary @ ("has" | "have") if is_participle => format!("{auxiliary} not"),
            "has" => "does not have".to_owned(),
            "have" => "do not have".to_owned(),
            verb if may_be_verb && ["you", "they", "we"].contains(&self.before) => format!("do not {verb}"),
            verb if may_be_verb => format!("does not {}", infinitive(verb)?),
            _ => return None,
        };
        Some((self.literal, self.start, self.start + self.text.len(), text))
    }
}

/// Iterates over the words of the literals of a template.
fn words(template: &Template) -> impl Iterator<Item = Word<'_>> {
    template.literals.iter().enumerate().flat_map(|(literal, text)| {
        let words: Vec<&str> = text.split(' ').collect();
        let mut start = 0;
        let placed: Vec<_> = words
            .iter()
            .map(|word| {
                let at = start;
                start += word.len() + 1;
                (at, *word)
            })
            .filter(|(_, word)| !word.is_empty())
            .collect();
        let word_at = |at: usize| placed.get(at).map_or("", |(_, word)| *word);
        let list = (0..placed.len()).map(|at| Word {
            literal,
            start: placed[at].0,
            text: placed[at].1,
            before: at.checked_sub(1).map_or("", word_at),
            after: word_at(at + 1),
            is_after_slot: literal > 0 && at == 0 && placed[at].0 == 1,
        });
        list.collect::<Vec<_>>()
    })
}

/// Returns the infinitive of a verb in the third person; `None` if the word has not this form.
fn infinitive(verb: &str) -> Option<String> {
    let stem = verb.strip_suffix('s').filter(|stem| stem.len() > 1)?;
    let is_word = verb.chars().all(|c| c.is_ascii_lowercase()) && !NO_VERBS.contains(&verb);
    if !is_word || stem.ends_with(['s', 'u', 'i']) {
        return None;
    }
    let short = stem.strip_suffix('e').unwrap_or(stem);
    Some(match short.strip_suffix('i') {
        Some(rest) if rest.len() > 1 && short.len() < stem.len() => format!("{rest}y"),
        _ if ["ss", "sh", "ch", "x", "zz", "o"]
            .iter()
            .any(|end| short.ends_with(end)) =>
        {
            short.to_owned()
        }
        _ => stem.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_have_plain_opposites() {
        for (sentence, negated) in [
            ("{1} is on {2}", "{1} is not on {2}"),
            ("the hand is empty", "the hand is not empty"),
            ("nothing is on {1}", "something is on {1}"),
            ("{1} lies at {2}", "{1} does not lie at {2}"),
            ("{1} carries {2}", "{1} does not carry {2}"),
            ("{1} touches {2}", "{1} does not touch {2}"),
            ("{1} goes to {2}", "{1} does not go to {2}"),
            ("{1} pushes {2}", "{1} does not push {2}"),
            ("from {1}, {2} leads to {3}", "from {1}, {2} does not lead to {3}"),
            ("{1} has arrived", "{1} has not arrived"),
            ("you have seen {1}", "you have not seen {1}"),
            ("{1} has {2}", "{1} does not have {2}"),
            ("{1} has a red door", "{1} does not have a red door"),
            ("{1} can open {2}", "{1} cannot open {2}"),
            ("the crane holds {1}", "the crane does not hold {1}"),
            ("you carry {1}", "you do not carry {1}"),
            (
                "{1} uses {2}, which is heavy",
                "{1} does not use {2}, which is heavy",
            ),
            ("the rain stopped", "it is not true that the rain stopped"),
            ("{1} across {2} is free", "{1} across {2} is not free"),
        ] {
            let numbers = ["1", "2", "3"];
            let count = numbers
                .iter()
                .filter(|number| sentence.contains(&format!("{{{number}}}")))
                .count();
            let template = Template::parse(sentence, &numbers[..count], false).expect("a template");
            let slots = ["{1}", "{2}", "{3}"];
            assert_eq!(opposite(&template).fill(|index| slots[index], None), negated);
        }
    }
}
