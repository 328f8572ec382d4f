//! The sentences of a problem.

use std::collections::HashMap;

use herbrand_core::{Described, Fact, FactValue, Group};
use herbrand_text::{Faults, nearest};

use crate::answer::{AnswerError, AnswerFault};
use crate::code::TextCode;
use crate::english;
use crate::index::{Index, Level, Meaning, Pattern};
use crate::table::{Templates, TextTable};
use crate::template::{Slot, Template};
use crate::term::{Syntax, Term};
use crate::vocabulary::{Symbol, Vocabulary};

/// The maximum length of an action that is read, in bytes.
const LONGEST: usize = 4096;
/// The text of a state without facts.
const NOTHING: &str = "Nothing holds.";
/// The text of a joint action without choices.
const IDLE: &str = "do nothing";
/// Separates the actions of a joint action.
const AND: &str = "; ";

/// The sentences of one problem: of its facts, states, actions and goals. [`new`](Self::new) makes it from a
/// [`Vocabulary`]; [`of_planning`](Self::of_planning) and [`of_rddl`](Self::of_rddl) make it for a problem of a suite.
/// Making it takes time linear in the number of objects. It can be shared by all episodes of the problem.
#[derive(Clone, Debug)]
pub struct Wording {
    pub(crate) vocabulary: Vocabulary,
    facts: Sentences,
    negations: Vec<Option<Template>>,
    actions: Sentences,
    /// The phrase of each object.
    phrases: Vec<String>,
    objects: HashMap<String, u32>,
    exact: Index,
    /// The levels for reading, in order.
    levels: [Index; 2],
}

/// The sentences of facts or of actions.
#[derive(Clone, Debug)]
struct Sentences {
    templates: Vec<Template>,
    numbers: HashMap<String, usize>,
    exact: Vec<Pattern>,
    /// The patterns of each level for reading.
    levels: [Vec<Pattern>; 2],
}

impl Wording {
    /// Creates the sentences for a vocabulary, from its names and a table.
    ///
    /// # Errors
    /// Fails with all faults of the table: it has unknown names, or sentences that do not fit.
    pub fn new(vocabulary: Vocabulary, table: Option<&TextTable>) -> Result<Self, Faults<TextCode>> {
        let (wording, faults) = Self::with_faults(vocabulary, table);
        if faults.is_empty() {
            Ok(wording)
        } else {
            Err(Faults::new(faults))
        }
    }

    /// Creates the sentences for a vocabulary, like [`new`](Self::new). Entries of the table that do not fit it are
    /// ignored.
    #[must_use]
    pub fn fitting(vocabulary: Vocabulary, table: Option<&TextTable>) -> Self {
        Self::with_faults(vocabulary, table).0
    }

    /// Creates the sentences for a vocabulary. Faulty entries of the table are ignored and returned.
    pub(crate) fn with_faults(
        vocabulary: Vocabulary,
        table: Option<&TextTable>,
    ) -> (Self, Vec<herbrand_text::Diagnostic<TextCode>>) {
        let none = |symbols: &[Symbol]| vec![None; symbols.len()];
        let (templates, faults) = match table {
            Some(table) => table.templates(&vocabulary),
            None => {
                let templates = Templates {
                    facts: none(&vocabulary.facts),
                    negations: none(&vocabulary.facts),
                    actions: none(&vocabulary.actions),
                    types: Vec::new(),
                };
                (templates, Vec::new())
            }
        };
        let pattern = |name: &String| {
            templates
                .types
                .iter()
                .find(|(of, _)| of == name)
                .map(|(_, pattern)| pattern)
        };
        let phrases: Vec<_> = vocabulary
            .objects
            .iter()
            .map(|object| match object.types.iter().find_map(pattern) {
                Some(pattern) => english::by_pattern(pattern, &object.name),
                None => english::object(object),
            })
            .collect();
        let names = vocabulary.objects.iter().zip(&phrases).map(|(object, phrase)| {
            let noun = object.types.first().map_or("", String::as_str);
            (phrase.as_str(), object.name.as_str(), noun)
        });
        let exact = Index::new(Level::Exact, names.clone());
        let levels = [Level::Loose, Level::NoArticles].map(|level| Index::new(level, names.clone()));
        let sentences = |symbols: &[Symbol], given: Vec<Option<Template>>, default: fn(&Symbol) -> String| {
            let templates: Vec<_> = symbols
                .iter()
                .zip(given)
                .map(|(symbol, given)| given.unwrap_or_else(|| made(symbol, default)))
                .collect();
            let patterns = |index: &Index| {
                let pairs = templates.iter().zip(symbols);
                pairs
                    .map(|(template, symbol)| index.pattern(template, symbol.parameters.len()))
                    .collect::<Vec<_>>()
            };
            Sentences {
                exact: patterns(&exact),
                levels: [patterns(&levels[0]), patterns(&levels[1])],
                numbers: symbols
                    .iter()
                    .map(|symbol| symbol.name.clone())
                    .zip(0..)
                    .collect(),
                templates,
            }
        };
        let wording = Self {
            facts: sentences(&vocabulary.facts, templates.facts, english::fact),
            negations: templates.negations,
            actions: sentences(&vocabulary.actions, templates.actions, english::action),
            objects: vocabulary
                .objects
                .iter()
                .map(|object| object.name.clone())
                .zip(0..)
                .collect(),
            phrases,
            exact,
            levels,
            vocabulary,
        };
        (wording, faults)
    }

    /// Returns the names from which the sentences are made.
    #[must_use]
    pub const fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Returns the phrase for an object, such as `block a`; the name itself if there is no such object.
    #[must_use]
    pub fn object<'n>(&'n self, name: &'n str) -> &'n str {
        self.objects
            .get(name)
            .map_or(name, |&at| self.phrases[at as usize].as_str())
    }

    /// Returns the sentence for a fact, without a capital letter and a full stop. If it could also mean another fact,
    /// returns the fact in the syntax of PDDL.
    #[must_use]
    pub fn fact(&self, fact: &Fact<'_>) -> String {
        self.fact_sentence(&of_fact(fact))
            .unwrap_or_else(|| fact.to_string())
    }

    /// Returns the sentence for a fact; `None` if it could mean something else, or the names are unknown.
    pub(crate) fn fact_sentence(&self, term: &Term) -> Option<String> {
        self.sentence(&self.facts, &self.vocabulary.facts, term)
    }

    /// Returns the sentence that a fact is false, if it has one.
    pub(crate) fn false_sentence(&self, term: &Term) -> Option<String> {
        let at = *self.facts.numbers.get(&term.name)?;
        let sentence = self.fact_sentence(term)?;
        Some(match &self.negations[at] {
            Some(template) => {
                template.fill(|index| self.object(&term.arguments[index]), term.value.as_deref())
            }
            None => english::negated(&sentence),
        })
    }

    /// Returns the sentence for a fact whose arguments and value are any text, without checks.
    pub(crate) fn loose_sentence(
        &self,
        name: &str,
        arguments: &[String],
        value: Option<&str>,
    ) -> Option<String> {
        let at = *self.facts.numbers.get(name)?;
        let symbol = &self.vocabulary.facts[at];
        if symbol.parameters.len() != arguments.len() || symbol.has_value != value.is_some() {
            return None;
        }
        Some(self.facts.templates[at].fill(|index| &arguments[index], value))
    }

    /// Returns the sentence that a fact is false whose arguments are any text, without checks.
    pub(crate) fn loose_false_sentence(&self, name: &str, arguments: &[String]) -> Option<String> {
        let sentence = self.loose_sentence(name, arguments, None)?;
        let at = *self.facts.numbers.get(name)?;
        Some(match &self.negations[at] {
            Some(template) => template.fill(|index| &arguments[index], None),
            None => english::negated(&sentence),
        })
    }

    /// Writes the current state of a system: a sentence per line for each fact that is not static. Facts that are not
    /// listed are false, or unknown if the state is only partly observed. Two different states have different texts.
    #[must_use]
    pub fn state(&self, system: &impl Described) -> String {
        self.listed(system, |group| group != Group::Static)
    }

    /// Writes the facts that never change, like [`state`](Self::state).
    #[must_use]
    pub fn constants(&self, system: &impl Described) -> String {
        self.listed(system, |group| group == Group::Static)
    }

    fn listed(&self, system: &impl Described, wanted: impl Fn(Group) -> bool) -> String {
        let mut facts = Vec::new();
        system.facts(&mut |fact| {
            if wanted(fact.group) {
                let symbol = self.facts.numbers.get(fact.name).copied().unwrap_or(usize::MAX);
                let arguments = fact.arguments.iter();
                let arguments: Vec<_> = arguments.map(|name| self.objects.get(*name).copied()).collect();
                facts.push((symbol, arguments, self.full(&self.fact(&fact))));
            }
        });
        // Engines list facts in different orders.
        facts.sort();
        let lines: Vec<_> = facts.into_iter().map(|(_, _, line)| line).collect();
        if lines.is_empty() {
            NOTHING.to_owned()
        } else {
            lines.join("\n")
        }
    }

    /// Returns a sentence with a capital letter and a full stop.
    fn full(&self, text: &str) -> String {
        english::sentence(text)
    }

    /// Writes what a step changed, given the facts in the syntax of PDDL, such as `(on a b)` or `(fuel t) = 5`: a line
    /// for each fact that became true or has a new value, and for each that became false. The old value of a number with a
    /// new value may be among `removed`; it has no line. A fact that is unknown or whose sentence is ambiguous is written as
    /// given. Without changes, the text is `Nothing changed.`.
    #[must_use]
    pub fn changes(&self, added: &[String], removed: &[String]) -> String {
        let terms = |texts: &[String]| texts.iter().map(|text| Term::parse(text)).collect::<Vec<_>>();
        let now = terms(added);
        let has_new_value = |term: &Term| {
            let mut now = now.iter().flatten();
            term.value.is_some() && now.any(|new| new.name == term.name && new.arguments == term.arguments)
        };
        let sentence = |term: Option<&Term>, text: &String| {
            term.and_then(|term| self.fact_sentence(term))
                .unwrap_or_else(|| text.clone())
        };
        let mut lines: Vec<_> = now
            .iter()
            .zip(added)
            .map(|(term, text)| self.full(&format!("now {}", sentence(term.as_ref(), text))))
            .collect();
        for (term, text) in terms(removed).iter().zip(removed) {
            if !term.as_ref().is_some_and(has_new_value) {
                let opposite = term.as_ref().and_then(|term| self.false_sentence(term));
                lines.push(self.full(&opposite.unwrap_or_else(|| format!("{text} no longer holds"))));
            }
        }
        if lines.is_empty() {
            "Nothing changed.".to_owned()
        } else {
            lines.join("\n")
        }
    }

    /// Returns the sentence for an action given in the syntax of its language, such as `put block a on block b`. If it
    /// could also mean another action, or the names are unknown, returns the action in the syntax of PDDL.
    #[must_use]
    pub fn action(&self, text: &str) -> String {
        let Some(term) = Term::parse(text) else {
            return text.to_owned();
        };
        self.action_sentence(&term)
            .unwrap_or_else(|| term.text(Syntax::Pddl))
    }

    /// Returns the sentence for an action with the names of its parameters, in capital letters, instead of objects, such
    /// as `put BLOCK on TARGET` for `stack`; `None` if there is no such action.
    #[must_use]
    pub fn action_pattern(&self, name: &str) -> Option<String> {
        let at = *self.actions.numbers.get(name)?;
        let parameters = self.vocabulary.actions[at].parameters.iter();
        let names: Vec<_> = parameters.map(|one| one.name.to_uppercase()).collect();
        Some(self.actions.templates[at].fill(|index| &names[index], Some("VALUE")))
    }

    /// Returns the sentence for an action; `None` if it could mean something else, or the names are unknown.
    pub(crate) fn action_sentence(&self, term: &Term) -> Option<String> {
        let sentence = self.sentence(&self.actions, &self.vocabulary.actions, term)?;
        // A number would be read as an entry of a list.
        (sentence != IDLE && number(&sentence).is_none()).then_some(sentence)
    }

    /// Returns the sentence for the actions that are taken together, separated by semicolons; `do nothing` for none.
    #[must_use]
    pub fn joint(&self, actions: &[String]) -> String {
        match actions {
            [] => IDLE.to_owned(),
            actions => actions
                .iter()
                .map(|text| self.action(text))
                .collect::<Vec<_>>()
                .join(AND),
        }
    }

    /// Fills a template if the sentence has no other meaning.
    fn sentence(&self, sentences: &Sentences, symbols: &[Symbol], term: &Term) -> Option<String> {
        let at = *sentences.numbers.get(&term.name)?;
        let symbol = &symbols[at];
        let has_value = symbol.has_value == term.value.is_some();
        if !has_value || symbol.parameters.len() != term.arguments.len() {
            return None;
        }
        let arguments = term.arguments.iter().map(|name| self.objects.get(name).copied());
        let arguments = arguments.collect::<Option<Vec<_>>>()?;
        let phrase = |index: usize| self.phrases[arguments[index] as usize].as_str();
        let text = sentences.templates[at].fill(phrase, term.value.as_deref());
        let own = Meaning {
            arguments: arguments.into_iter().map(Some).collect(),
            value: term.value.clone(),
        };
        let only = |text: &str| {
            let mut meanings = self.meanings(&self.exact, &sentences.exact, symbols, text);
            meanings.all(|found| found == (at, own.clone()))
        };
        // In a state, sentences begin with a capital letter.
        let is_clear = only(&text) && only(&other_case(&text)) && self.full(&text) != NOTHING;
        let means_itself = self.exact.meanings(&sentences.exact[at], &text).contains(&own);
        (is_clear && means_itself && self.is_typed(symbol, &own)).then_some(text)
    }

    /// Iterates over the facts or actions, with arguments of the right types, that a text at a level may mean.
    fn meanings<'w>(
        &'w self,
        index: &'w Index,
        patterns: &'w [Pattern],
        symbols: &'w [Symbol],
        text: &'w str,
    ) -> impl Iterator<Item = (usize, Meaning)> + 'w {
        let all = patterns.iter().enumerate();
        let all = all.flat_map(move |(at, pattern)| {
            index
                .meanings(pattern, text)
                .into_iter()
                .map(move |one| (at, one))
        });
        all.filter(move |(at, meaning)| self.is_typed(&symbols[*at], meaning))
    }

    fn is_typed(&self, symbol: &Symbol, meaning: &Meaning) -> bool {
        let pairs = symbol.parameters.iter().zip(&meaning.arguments);
        let mut fits = pairs.map(|(parameter, object)| {
            object.is_some_and(|object| parameter.takes(&self.vocabulary.objects[object as usize]))
        });
        fits.all(|fits| fits) && symbol.has_value == meaning.value.is_some()
    }

    /// Parses an action that somebody wrote, and returns it in the syntax of its language. It may be written
    ///
    /// - as a sentence, as [`action`](Self::action) writes it;
    /// - in the syntax of the language, such as `(stack a b)`, `stack a b`, `stack(a, b)` or `order___apple=5`;
    /// - as the number, from 1, of an entry of `listed`, such as `3`, `3.` or `#3`.
    ///
    /// Case, articles, spaces, hyphens and punctuation do not matter unless they tell two actions apart. Whether the
    /// action is valid in a state is for the engine to say.
    ///
    /// # Errors
    /// Fails if the text names no action, or several.
    pub fn read(&self, text: &str, listed: &[String]) -> Result<String, AnswerError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(AnswerError::new(AnswerFault::Empty, "the action is empty"));
        }
        if text.len() > LONGEST {
            let message = format!("an action has at most {LONGEST} bytes");
            return Err(AnswerError::new(AnswerFault::TooLong, message));
        }
        if let Some(number) = number(text) {
            let entry = number.checked_sub(1).and_then(|at| listed.get(at));
            return entry.cloned().ok_or_else(|| {
                let message = match listed.len() {
                    0 => "no actions are listed, so an action has no number".to_owned(),
                    most => format!("the listed actions have the numbers 1 to {most}"),
                };
                AnswerError::new(AnswerFault::NoSuchNumber, message)
            });
        }
        let symbols = &self.vocabulary.actions;
        let exact = self
            .meanings(&self.exact, &self.actions.exact, symbols, text)
            .collect();
        if let Some(read) = self.only(exact, str::to_owned) {
            return read;
        }
        let is_term = text.starts_with('(') || text.contains("___");
        if !is_term {
            for (index, patterns) in self.levels.iter().zip(&self.actions.levels) {
                let normal = index.normal(text);
                let found = self.meanings(index, patterns, symbols, &normal).collect();
                if let Some(read) = self.only(found, |value| self.value(value)) {
                    return read;
                }
            }
        }
        match self.read_term(text) {
            Some(Ok(read)) => Ok(read),
            Some(Err(fault)) if is_term => Err(fault),
            fault => {
                let nearest = (!is_term).then(|| self.sentence_fault(text)).flatten();
                let fault = nearest.or(fault.and_then(Result::err));
                Err(fault.unwrap_or_else(|| self.unknown(text, is_term)))
            }
        }
    }

    /// Parses actions that are taken together, separated by semicolons or ends of lines; `do nothing` or `()` for none.
    ///
    /// # Errors
    /// Fails like [`read`](Self::read), with the first fault.
    pub fn read_joint(&self, text: &str, listed: &[String]) -> Result<Vec<String>, AnswerError> {
        let trimmed = text.trim().trim_end_matches('.').to_lowercase();
        if trimmed == IDLE || trimmed == "()" {
            return Ok(Vec::new());
        }
        let parts = text
            .split([';', '\n'])
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let joint = parts
            .map(|part| self.read(part, listed))
            .collect::<Result<Vec<_>, _>>()?;
        if joint.is_empty() {
            return Err(AnswerError::new(AnswerFault::Empty, "the action is empty"));
        }
        Ok(joint)
    }

    /// Returns the action if there is one meaning, a fault if there are several, and `None` without one. `value`
    /// returns a value as the language writes it.
    fn only(
        &self,
        found: Vec<(usize, Meaning)>,
        value: impl Fn(&str) -> String,
    ) -> Option<Result<String, AnswerError>> {
        let written = |(at, meaning): (usize, Meaning)| {
            let value = meaning.value.as_deref().map(&value);
            self.term(at, Meaning { value, ..meaning })
        };
        let mut texts: Vec<_> = found.into_iter().map(written).collect();
        texts.sort();
        texts.dedup();
        match texts.as_slice() {
            [] => None,
            [only] => Some(Ok(only.clone())),
            several => {
                let message = format!("this may mean {}", several.join(" or "));
                Some(Err(AnswerError::new(AnswerFault::Ambiguous, message)))
            }
        }
    }

    /// Returns the text of an action in its language.
    fn term(&self, at: usize, meaning: Meaning) -> String {
        let arguments = meaning.arguments.into_iter().flatten();
        let term = Term {
            name: self.vocabulary.actions[at].name.clone(),
            arguments: arguments
                .map(|object| self.vocabulary.objects[object as usize].name.clone())
                .collect(),
            value: meaning.value,
        };
        term.text(self.vocabulary.syntax)
    }

    /// Returns a value with the case of the object that it names.
    fn value(&self, value: &str) -> String {
        self.named(value).map_or_else(
            || value.to_owned(),
            |at| self.vocabulary.objects[at as usize].name.clone(),
        )
    }

    /// Parses words that begin with the name of an action; `None` if they do not.
    fn read_term(&self, text: &str) -> Option<Result<String, AnswerError>> {
        let is_term = text.starts_with('(');
        let text = text.replace("___", " ").replace("__", " ");
        let (text, mut value) = match text.split_once('=') {
            Some((text, value)) => (text.to_owned(), Some(value.trim().to_owned())),
            None => (text, None),
        };
        let words: Vec<_> = text
            .split(|c: char| c.is_whitespace() || "(),".contains(c))
            .filter(|word| !word.is_empty())
            .collect();
        let (count, at) = self.action_named(&words, is_term)?;
        let symbol = &self.vocabulary.actions[at];
        let mut given = words[count..].to_vec();
        let expected = symbol.parameters.len();
        if symbol.has_value && value.is_none() && given.len() == expected + 1 {
            value = given.pop().map(str::to_owned);
        }
        Some(self.fitted(at, &given, value))
    }

    /// Returns the number of the first words that name an action, and its index. If the exact name of an action with as
    /// many arguments is there, or `is_term`, it is that one; otherwise the name with most words, written in any way.
    fn action_named(&self, words: &[&str], is_term: bool) -> Option<(usize, usize)> {
        let loose = &self.levels[0];
        let first = words.first()?;
        let exact = self.actions.numbers.get(*first).copied().filter(|&at| {
            let arity = self.vocabulary.actions[at].parameters.len();
            is_term || words.len() - 1 == arity
        });
        if let Some(at) = exact {
            return Some((1, at));
        }
        (1..=words.len().min(6)).rev().find_map(|count| {
            let name = loose.normal(&words[..count].join(" "));
            let mut actions = self.vocabulary.actions.iter();
            Some((count, actions.position(|own| loose.normal(&own.name) == name)?))
        })
    }

    /// Returns an action with arguments as somebody wrote them.
    fn fitted(&self, at: usize, given: &[&str], value: Option<String>) -> Result<String, AnswerError> {
        let symbol = &self.vocabulary.actions[at];
        let expected = symbol.parameters.len();
        let unknown = given.iter().find(|word| self.named(word).is_none());
        if let Some(word) = unknown {
            let names = self.vocabulary.objects.iter().map(|object| object.name.as_str());
            let message = format!("there is no object `{word}` here");
            return Err(
                AnswerError::new(AnswerFault::UnknownObject, message).suggesting(nearest(word, names))
            );
        }
        if given.len() != expected {
            let names: Vec<_> = symbol
                .parameters
                .iter()
                .map(|parameter| parameter.name.as_str())
                .collect();
            let names = if names.is_empty() {
                String::new()
            } else {
                format!(" ({})", names.join(", "))
            };
            let message = format!(
                "`{}` takes {}{names}, not {}",
                symbol.name,
                herbrand_text::counted(expected, "argument"),
                given.len()
            );
            return Err(AnswerError::new(AnswerFault::WrongArity, message));
        }
        let objects: Vec<_> = given.iter().filter_map(|word| self.named(word)).collect();
        for (parameter, &object) in symbol.parameters.iter().zip(&objects) {
            let object = &self.vocabulary.objects[object as usize];
            if !parameter.takes(object) {
                let own = object.types.first().map_or("object", String::as_str);
                let message = format!(
                    "`{}` of `{}` is {}, but `{}` is {}",
                    parameter.name,
                    symbol.name,
                    english::with_article(&parameter.types.join(" or ")),
                    object.name,
                    english::with_article(own)
                );
                return Err(AnswerError::new(AnswerFault::WrongType, message));
            }
        }
        if symbol.has_value && value.is_none() {
            let message = format!("`{}` needs a value, such as `{}=1`", symbol.name, symbol.name);
            return Err(AnswerError::new(AnswerFault::WrongArity, message));
        }
        let meaning = Meaning {
            arguments: objects.into_iter().map(Some).collect(),
            value,
        };
        Ok(self.term(at, meaning))
    }

    /// Returns the object that a word names; in any case if only one object has this name then.
    fn named(&self, word: &str) -> Option<u32> {
        let loose = &self.levels[0];
        let exact = self.objects.get(word).copied();
        exact.or_else(|| match loose.objects(&loose.normal(word)) {
            [only] => Some(*only),
            _ => None,
        })
    }

    /// Explains why a text that agrees with the sentence of an action, but for its objects, is no action; `None` if it
    /// agrees with none.
    fn sentence_fault(&self, text: &str) -> Option<AnswerError> {
        let normal = self.levels[1].normal(text);
        let patterns = self.actions.levels[1].iter().enumerate();
        let mut alike = patterns.filter_map(|(at, pattern)| Some((at, pattern.contents(&normal)?)));
        alike.next().map(|(at, contents)| self.fault_of(at, &contents))
    }

    /// Returns the fault that a text names no action.
    fn unknown(&self, text: &str, is_term: bool) -> AnswerError {
        let names = self.vocabulary.actions.iter().map(|action| action.name.as_str());
        if is_term {
            let mut words = text.split(|c: char| c.is_whitespace() || "(),_".contains(c));
            let word = words.find(|word| !word.is_empty()).unwrap_or(text);
            let message = format!("there is no action `{word}`");
            return AnswerError::new(AnswerFault::UnknownAction, message).suggesting(nearest(word, names));
        }
        let first = text.split_whitespace().next().unwrap_or_default();
        let verbs = self.actions.templates.iter().filter_map(|template| {
            let literal = template.literals.first()?;
            literal.split(' ').find(|word| !word.is_empty())
        });
        let suggestion = nearest(first, verbs.chain(names));
        let shown: String = text.chars().take(80).collect();
        let message = format!("no action is written `{shown}`");
        AnswerError::new(AnswerFault::UnknownAction, message).suggesting(suggestion)
    }

    /// Explains why a text that agrees with the sentence of an action is no action.
    fn fault_of(&self, at: usize, contents: &[(&Slot, &str)]) -> AnswerError {
        let index = &self.levels[1];
        let symbol = &self.vocabulary.actions[at];
        for (slot, content) in contents {
            let Slot::Argument(argument) = slot else {
                continue;
            };
            let parameter = &symbol.parameters[*argument];
            let Some(&object) = index.objects(content).first() else {
                let fitting = self.vocabulary.objects.iter().zip(&self.phrases);
                let fitting = fitting.filter(|(object, _)| parameter.takes(object));
                let names = fitting.flat_map(|(object, phrase)| [phrase.as_str(), object.name.as_str()]);
                let message = format!("there is no object `{content}` here");
                return AnswerError::new(AnswerFault::UnknownObject, message)
                    .suggesting(nearest(content, names));
            };
            let object = &self.vocabulary.objects[object as usize];
            if !parameter.takes(object) {
                let given: Vec<_> = contents
                    .iter()
                    .filter_map(|(slot, content)| match slot {
                        Slot::Argument(argument) => Some((*argument, *content)),
                        Slot::Value(_) => None,
                    })
                    .collect();
                let mut words = vec![""; symbol.parameters.len()];
                for (argument, content) in given {
                    let known = index.objects(content).first();
                    words[argument] =
                        known.map_or(content, |&at| self.vocabulary.objects[at as usize].name.as_str());
                }
                let fault = self.fitted(at, &words, None);
                if let Err(fault) = fault {
                    return fault;
                }
            }
        }
        AnswerError::new(
            AnswerFault::UnknownAction,
            format!("this is not how `{}` is written", symbol.name),
        )
    }
}

/// Returns the default template of a symbol.
fn made(symbol: &Symbol, default: fn(&Symbol) -> String) -> Template {
    let names: Vec<_> = symbol.parameters.iter().map(|one| one.name.as_str()).collect();
    let numbered: Vec<_> = (1..=names.len()).map(|number| number.to_string()).collect();
    let numbered: Vec<_> = numbered.iter().map(String::as_str).collect();
    // A template that names everything with text between: made templates are such, and tests hold them to it.
    Template::parse(&default(symbol), &numbered, symbol.has_value).unwrap_or_else(|_| Template {
        literals: vec![symbol.name.clone()],
        slots: Vec::new(),
    })
}

/// Returns the entry that a text such as `3`, `3.` or `#3` asks for.
fn number(text: &str) -> Option<usize> {
    let digits = text.trim_start_matches('#').trim_end_matches(['.', ')']);
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(usize::MAX))
}

/// Returns a text whose first letter has the other case.
fn other_case(text: &str) -> String {
    let mut rest = text.chars();
    let Some(first) = rest.next() else {
        return String::new();
    };
    let swapped = if first.is_uppercase() {
        first.to_lowercase().to_string()
    } else {
        first.to_uppercase().to_string()
    };
    format!("{swapped}{}", rest.as_str())
}

fn of_fact(fact: &Fact<'_>) -> Term {
    Term {
        name: fact.name.to_owned(),
        arguments: fact.arguments.iter().map(|&name| name.to_owned()).collect(),
        value: match fact.value {
            FactValue::Bool(true) => None,
            value => Some(value.to_string()),
        },
    }
}
