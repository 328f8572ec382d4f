//! Finds the facts and actions that a sentence may mean.

use std::collections::{HashMap, HashSet};

use crate::english;
use crate::template::{Slot, Template};

/// How exactly a text must agree with a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    /// Letter by letter.
    Exact,
    /// Without case, hyphens, underscores, punctuation and extra spaces. An object may be named without its noun.
    Loose,
    /// Like `Loose`, and without articles.
    NoArticles,
}

/// The number of parts of a text that are compared before a search ends.
const MOST_COMPARED: usize = 20_000;
/// The number of meanings after which a search ends.
const MOST_FOUND: usize = 16;
/// Stands for a slot while a template is normalised.
const SLOT: char = '\u{1}';

/// The sentences of a wording at one level.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    level: Level,
    /// The words that are articles but also names of objects.
    kept: HashSet<String>,
    /// The objects that a phrase may name.
    objects: HashMap<String, Vec<u32>>,
}

/// A template at one level.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    literals: Vec<String>,
    slots: Vec<Slot>,
    parameters: usize,
}

/// A meaning of a sentence: the objects of the arguments, and the value.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Meaning {
    pub arguments: Vec<Option<u32>>,
    pub value: Option<String>,
}

impl Index {
    /// Creates the index of objects, given the phrase, the name and the noun of each.
    pub(crate) fn new<'o>(
        level: Level,
        objects: impl Iterator<Item = (&'o str, &'o str, &'o str)> + Clone,
    ) -> Self {
        let mut index = Self {
            level,
            kept: HashSet::new(),
            objects: HashMap::new(),
        };
        if level == Level::NoArticles {
            index.kept = objects.clone().map(|(_, name, _)| name.to_lowercase()).collect();
        }
        for (at, (phrase, name, noun)) in objects.enumerate() {
            let mut phrases = vec![index.normal(phrase)];
            if level != Level::Exact {
                phrases.extend([index.normal(name), index.normal(&format!("{noun} {name}"))]);
            }
            phrases.sort();
            phrases.dedup();
            for phrase in phrases {
                index.objects.entry(phrase).or_default().push(at as u32);
            }
        }
        index
    }

    /// Returns a template at this level.
    pub(crate) fn pattern(&self, template: &Template, parameters: usize) -> Pattern {
        let mut text = template.literals.first().cloned().unwrap_or_default();
        for literal in template.literals.iter().skip(1) {
            text.push(SLOT);
            text.push_str(literal);
        }
        let literals = self.normal(&text).split(SLOT).map(str::to_owned).collect();
        Pattern {
            literals,
            slots: template.slots.clone(),
            parameters,
        }
    }

    /// Returns a text at this level.
    pub(crate) fn normal(&self, text: &str) -> String {
        if self.level == Level::Exact {
            return text.to_owned();
        }
        let mut plain = String::with_capacity(text.len());
        let mut before = ' ';
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            let digit = rest.peek().is_some_and(char::is_ascii_digit);
            match c {
                '-' | '.' if digit && (c == '.' || before.is_whitespace()) => plain.push(c),
                '\'' | '’' | '`' | '"' | '“' | '”' | '*' => {}
                c if c.is_alphanumeric() || c == SLOT || c == '@' || c == '+' => {
                    plain.extend(c.to_lowercase())
                }
                _ => plain.push(' '),
            }
            before = c;
        }
        let is_article = |word: &str| {
            self.level == Level::NoArticles && matches!(word, "a" | "an" | "the") && !self.kept.contains(word)
        };
        let words = plain.split_whitespace().filter(|word| !is_article(word));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Returns the objects that a phrase, at this level, may name.
    pub(crate) fn objects(&self, phrase: &str) -> &[u32] {
        self.objects.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// Returns the meanings of a text, at this level, as a sentence of the pattern.
    pub(crate) fn meanings(&self, pattern: &Pattern, text: &str) -> Vec<Meaning> {
        let mut found = Vec::new();
        let Some(rest) = pattern
            .literals
            .first()
            .and_then(|first| text.strip_prefix(first.as_str()))
        else {
            return found;
        };
        let mut compared = 0;
        let meaning = Meaning {
            arguments: vec![None; pattern.parameters],
            value: None,
        };
        self.search(pattern, 0, rest, meaning, &mut compared, &mut found);
        found
    }

    /// Extends a meaning by the slots from `at`, which `rest` fills.
    fn search(
        &self,
        pattern: &Pattern,
        at: usize,
        rest: &str,
        meaning: Meaning,
        compared: &mut usize,
        found: &mut Vec<Meaning>,
    ) {
        let (Some(slot), Some(literal)) = (pattern.slots.get(at), pattern.literals.get(at + 1)) else {
            if rest.is_empty() && !found.contains(&meaning) {
                found.push(meaning);
            }
            return;
        };
        let is_last = at + 1 == pattern.slots.len();
        let ends: Vec<usize> = match literal.as_str() {
            _ if is_last => rest
                .len()
                .checked_sub(literal.len())
                .filter(|_| rest.ends_with(literal.as_str()))
                .into_iter()
                .collect(),
            "" => rest.char_indices().map(|(end, _)| end).skip(1).collect(),
            literal => rest.match_indices(literal).map(|(end, _)| end).collect(),
        };
        for end in ends {
            *compared += 1;
            if *compared > MOST_COMPARED || found.len() >= MOST_FOUND {
                return;
            }
            let (content, later) = (&rest[..end], &rest[end + literal.len()..]);
            match slot {
                Slot::Argument(index) => {
                    for &object in self.objects(content) {
                        if meaning.arguments[*index].is_none_or(|known| known == object) {
                            let mut meaning = meaning.clone();
                            meaning.arguments[*index] = Some(object);
                            self.search(pattern, at + 1, later, meaning, compared, found);
                        }
                    }
                }
                Slot::Value(noun) => {
                    if let Some(value) = self.value(content, noun.as_deref())
                        && meaning.value.as_ref().is_none_or(|known| *known == value)
                    {
                        let mut meaning = meaning.clone();
                        meaning.value = Some(value);
                        self.search(pattern, at + 1, later, meaning, compared, found);
                    }
                }
            }
        }
    }

    /// Returns the value that a text states, with its noun.
    fn value(&self, content: &str, noun: Option<&str>) -> Option<String> {
        let is_word =
            |word: &str| !word.is_empty() && word.len() <= 64 && !word.contains(char::is_whitespace);
        let Some(noun) = noun else {
            return is_word(content).then(|| content.to_owned());
        };
        let (value, _) = content.split_once(' ')?;
        let same = self.normal(&english::value(value, Some(noun))) == content
            || self.level != Level::Exact && self.normal(&format!("{value} {noun}")) == content;
        (same && is_word(value)).then(|| value.to_owned())
    }
}

impl Pattern {
    /// Returns the contents of the slots if a text agrees with the literals, whatever the slots contain. Each literal is
    /// taken at its first place.
    pub(crate) fn contents<'t>(&self, text: &'t str) -> Option<Vec<(&Slot, &'t str)>> {
        let mut rest = text.strip_prefix(self.literals.first()?.as_str())?;
        let mut contents = Vec::new();
        for (at, slot) in self.slots.iter().enumerate() {
            let literal = self.literals.get(at + 1)?.as_str();
            let end = match literal {
                _ if at + 1 == self.slots.len() => rest.strip_suffix(literal)?.len(),
                literal => rest.find(literal)?,
            };
            let content = rest[..end].trim();
            let words = content.split(' ').count();
            if content.is_empty() || words > 4 {
                return None;
            }
            contents.push((slot, content));
            rest = &rest[end + literal.len()..];
        }
        // A pattern without words would agree with everything.
        let has_words = self.literals.iter().any(|literal| !literal.trim().is_empty());
        (has_words && (rest.is_empty() || !self.slots.is_empty())).then_some(contents)
    }
}
