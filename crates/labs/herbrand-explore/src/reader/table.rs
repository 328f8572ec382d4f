//! A reader with a table of sentences that the user writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use herbrand_edit::{Belief, Functional, Ground, Statement};

use super::template::{Template, sentences};
use super::{ReadError, ReadRequest, Reader, ReaderAnswer, written};
use crate::phrase::Lexicon;

/// The gap of an object that has no name yet.
pub(crate) const NEW: &str = "new";

/// A name in a pattern: a word, or the gap whose object it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Name {
    Word(String),
    Gap(String),
}

impl Name {
    pub(crate) fn new(text: &str) -> Self {
        match text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(gap) => Self::Gap(gap.to_owned()),
            None => Self::Word(text.to_ascii_lowercase()),
        }
    }
}

/// An atom with gaps, such as `(leads {here} {next} {way})`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pattern {
    pub(crate) predicate: String,
    pub(crate) arguments: Vec<Name>,
}

impl Pattern {
    /// Parses a pattern. Returns `None` if the text is not a list of names in parentheses.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
        let mut names = inner.split_whitespace();
        let predicate = names.next()?.to_ascii_lowercase();
        let arguments: Vec<&str> = names.collect();
        let is_plain = |text: &str| !text.contains(['(', ')']);
        (is_plain(&predicate) && arguments.iter().all(|one| is_plain(one))).then(|| Self {
            predicate,
            arguments: arguments.into_iter().map(Name::new).collect(),
        })
    }
}

/// The meaning of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Saying {
    /// There is an object of this type; a placeholder if it has no name yet.
    Object {
        object: Name,
        of: String,
        is_placeholder: bool,
    },
    /// A fact is true or false.
    Fact { pattern: Pattern, holds: bool },
}

impl Saying {
    /// Parses `NAME - TYPE`, `NAME - TYPE ?`, an atom or `(not ATOM)`. Returns `None` for other texts.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if let [name, "-", of, rest @ ..] = words.as_slice() {
            return (rest.is_empty() || rest == ["?"]).then(|| Self::Object {
                object: Name::new(name),
                of: of.to_ascii_lowercase(),
                is_placeholder: !rest.is_empty(),
            });
        }
        let text = text.trim();
        let negated = text.strip_prefix("(not ").and_then(|rest| rest.strip_suffix(')'));
        Some(Self::Fact {
            pattern: Pattern::new(negated.unwrap_or(text))?,
            holds: negated.is_none(),
        })
    }

    /// Iterates over the gaps that it uses.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = &str> {
        let names = match self {
            Self::Object { object, .. } => std::slice::from_ref(object),
            Self::Fact { pattern, .. } => pattern.arguments.as_slice(),
        };
        names.iter().filter_map(|name| match name {
            Name::Gap(gap) => Some(gap.as_str()),
            Name::Word(_) => None,
        })
    }
}

/// A row of the table: a sentence with gaps, the conditions under which it fits, and its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) text: Template,
    /// The command that came before the text.
    pub(crate) command: Option<Template>,
    /// The facts that must be known, which bind further gaps.
    pub(crate) known: Vec<Pattern>,
    pub(crate) says: Vec<Saying>,
}

/// A reader with a table of sentences from a [`TaskFile`](crate::TaskFile), for worlds or domains that
/// [`RuleReader`](crate::RuleReader) does not know. The first row of the table that fits a sentence is used. A sentence without
/// a row is returned as unread. It answers in every mode but [`Mode::EndToEnd`](crate::Mode::EndToEnd). Feedback does not
/// change its answers.
#[derive(Clone, Debug)]
pub struct SentenceReader {
    rows: Arc<[Row]>,
    /// The relations in which a new fact hides an older one with the same keys.
    functional: Arc<[Functional]>,
    lexicon: Lexicon,
    /// The number of objects without a name so far.
    unnamed: usize,
    /// The belief so far, in the modes with the problem itself.
    belief: Option<Belief>,
}

/// The objects of gaps.
type Bound = BTreeMap<String, String>;

impl SentenceReader {
    pub(crate) fn new(rows: Vec<Row>, functional: Vec<Functional>) -> Self {
        Self {
            rows: rows.into(),
            functional: functional.into(),
            lexicon: Lexicon::default(),
            unnamed: 0,
            belief: None,
        }
    }

    /// Binds the gaps of a template to the objects in a text. `None` if the text does not fit, or an object differs from the
    /// one bound already. Gaps with a star are put into `list`.
    fn bind(
        &mut self,
        template: &Template,
        text: &str,
        bound: &mut Bound,
        list: &mut Option<(String, Vec<String>)>,
    ) -> Option<()> {
        let gaps = template.gaps(text)?;
        for (name, phrase) in template.names().zip(gaps) {
            if let Some(name) = name.strip_suffix('*') {
                let items = phrase.split(", ").flat_map(|part| part.split(" and "));
                let items = items.map(|item| self.object(item)).collect();
                *list = Some((name.to_owned(), items));
                continue;
            }
            let object = self.object(phrase);
            let known = bound.entry(name.to_owned()).or_insert_with(|| object.clone());
            if *known != object {
                return None;
            }
        }
        Some(())
    }

    /// Returns whether a new fact of a functional relation takes the place of an older one.
    fn hides(&self, new: &Ground, old: &Ground) -> bool {
        let is_same = |rule: &Functional| {
            let mut keys = rule.keys.iter();
            rule.predicate.eq_ignore_ascii_case(&new.predicate)
                && keys.all(|&key| new.arguments.get(key) == old.arguments.get(key))
        };
        new != old && new.predicate == old.predicate && self.functional.iter().any(is_same)
    }

    /// Returns the object of a phrase, without its article.
    fn object(&mut self, phrase: &str) -> String {
        let phrase = phrase.trim().to_lowercase();
        let bare = ["the ", "an ", "a ", "some "]
            .iter()
            .find_map(|article| phrase.strip_prefix(article));
        self.lexicon.object(bare.unwrap_or(&phrase))
    }

    /// Reads a sentence by a row. Returns the statements, or `None` if the row does not fit.
    fn by(&mut self, row: &Row, sentence: &str, read: &Context<'_>) -> Option<Vec<Statement>> {
        let (mut bound, mut list) = (Bound::new(), None);
        self.bind(&row.text, sentence, &mut bound, &mut list)?;
        if let Some(command) = &row.command {
            self.bind(command, read.command?, &mut bound, &mut list)?;
        }
        let Some((name, items)) = list else {
            let bound = read.find(&row.known, bound)?;
            return Some(self.say(row, bound, read));
        };
        let mut statements = Vec::new();
        for item in items {
            let mut bound = bound.clone();
            bound.insert(name.clone(), item);
            let bound = read.find(&row.known, bound)?;
            statements.extend(self.say(row, bound, read));
        }
        Some(statements)
    }

    /// Returns what a row says with these objects in its gaps.
    fn say(&mut self, row: &Row, mut bound: Bound, read: &Context<'_>) -> Vec<Statement> {
        if row.says.iter().any(|saying| saying.gaps().any(|gap| gap == NEW)) {
            let objects = &read.belief.model().problem().objects;
            let name = loop {
                self.unnamed += 1;
                let name = format!("unnamed-{}", self.unnamed);
                if objects.iter().all(|object| object.name.as_str() != name) {
                    break name;
                }
            };
            bound.insert(NEW.to_owned(), name);
        }
        let statement = |saying: &Saying| match saying {
            Saying::Object {
                object,
                of,
                is_placeholder,
            } => {
                let object = named(object, &bound)?;
                Some(if *is_placeholder {
                    Statement::placeholder(&object, of)
                } else {
                    Statement::object(&object, of)
                })
            }
            Saying::Fact { pattern, holds } => {
                let fact = ground(pattern, &bound)?;
                Some(if *holds {
                    Statement::Holds { fact }
                } else {
                    Statement::Fails { fact }
                })
            }
        };
        row.says.iter().filter_map(statement).collect()
    }
}

fn named(name: &Name, bound: &Bound) -> Option<String> {
    match name {
        Name::Word(word) => Some(word.clone()),
        Name::Gap(gap) => bound.get(gap).cloned(),
    }
}

fn ground(pattern: &Pattern, bound: &Bound) -> Option<Ground> {
    let arguments = pattern.arguments.iter().map(|name| named(name, bound));
    Some(Ground {
        predicate: pattern.predicate.clone(),
        arguments: arguments.collect::<Option<_>>()?,
    })
}

/// The knowledge with which a sentence is read.
struct Context<'a> {
    command: Option<&'a str>,
    belief: &'a Belief,
    /// The facts of the belief.
    facts: &'a [Ground],
    /// The facts of earlier sentences of the text.
    said: &'a [Ground],
}

impl Context<'_> {
    /// Binds the gaps of patterns so that all of them are known facts. Facts of the same text come first, the latest of them
    /// before the others. `None` if there is no way.
    fn find(&self, patterns: &[Pattern], bound: Bound) -> Option<Bound> {
        let Some((first, rest)) = patterns.split_first() else {
            return Some(bound);
        };
        let facts = self.said.iter().rev().chain(self.facts);
        let mut fitting = facts.filter(|fact| {
            fact.predicate == first.predicate && fact.arguments.len() == first.arguments.len()
        });
        fitting.find_map(|fact| {
            let mut bound = bound.clone();
            for (name, object) in first.arguments.iter().zip(&fact.arguments) {
                let fits = match name {
                    Name::Word(word) => word == object,
                    Name::Gap(gap) => bound.entry(gap.clone()).or_insert_with(|| object.clone()) == object,
                };
                if !fits {
                    return None;
                }
            }
            self.find(rest, bound)
        })
    }
}

impl Reader for SentenceReader {
    fn read(&mut self, request: &ReadRequest<'_>) -> Result<ReaderAnswer, ReadError> {
        let belief = written::belief(&mut self.belief, request);
        let rows = Arc::clone(&self.rows);
        let mut facts = belief.model().facts();
        let (mut statements, mut said, mut unread) = (Vec::new(), Vec::new(), Vec::new());
        for sentence in sentences(request.text) {
            let read = Context {
                command: request.command,
                belief: &belief,
                facts: &facts,
                said: &said,
            };
            match rows.iter().find_map(|row| self.by(row, sentence, &read)) {
                Some(found) => {
                    let holds = found.iter().filter_map(|statement| match statement {
                        Statement::Holds { fact } => Some(fact.clone()),
                        _ => None,
                    });
                    said.extend(holds);
                    facts.retain(|old| !said.iter().any(|new| self.hides(new, old)));
                    statements.extend(found);
                }
                None => unread.push(sentence.to_owned()),
            }
        }
        written::answer(&mut self.belief, belief, request.mode, statements, unread)
    }

    fn begin(&mut self) {
        *self = Self {
            rows: Arc::clone(&self.rows),
            functional: Arc::clone(&self.functional),
            ..Self::new(Vec::new(), Vec::new())
        };
    }

    fn phrase(&self, object: &str) -> String {
        self.lexicon.phrase(object)
    }

    fn learns(&self) -> bool {
        false
    }
}
