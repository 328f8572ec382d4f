//! The sentences of a problem.

use std::collections::HashMap;

use herbrand_core::{Fact, FactValue, Group};
use herbrand_text::Faults;

use crate::code::TextCode;
use crate::english;
use crate::index::{Index, Level, Meaning, Pattern};
use crate::memo::Memo;
use crate::negation::opposite;
use crate::table::{Templates, TextTable};
use crate::template::Template;
use crate::term::{Syntax, TextTerm};
use crate::vocabulary::{TextSymbol, TextVocabulary};

/// The text of a state without facts.
const NOTHING: &str = "Nothing holds.";
/// The text of a joint action without choices.
pub(crate) const IDLE: &str = "do nothing";
/// Separates the actions of a joint action.
const AND: &str = "; ";

/// The sentences of one problem: of its facts, states, actions and goals. [`new`](Self::new) makes it from a
/// [`TextVocabulary`]; [`of_planning`](Self::of_planning) and [`of_rddl`](Self::of_rddl) make it for a problem of a suite.
/// Making it takes time linear in the number of objects. It can be shared by all episodes of the problem.
#[derive(Clone, Debug)]
pub struct Wording {
    pub(crate) vocabulary: TextVocabulary,
    pub(crate) facts: Sentences,
    /// The sentence that a fact is false, by the fact.
    negations: Vec<Template>,
    pub(crate) actions: Sentences,
    /// The phrase of each object.
    pub(crate) phrases: Vec<String>,
    pub(crate) objects: HashMap<String, u32>,
    pub(crate) exact: Index,
    /// The levels for reading, in order.
    pub(crate) levels: [Index; 2],
}

/// The sentences of facts or of actions.
#[derive(Clone, Debug)]
pub(crate) struct Sentences {
    pub(crate) templates: Vec<Template>,
    pub(crate) numbers: HashMap<String, usize>,
    pub(crate) exact: Vec<Pattern>,
    /// The patterns of each level for reading.
    pub(crate) levels: [Vec<Pattern>; 2],
    /// The patterns of each level of the default sentences, where a table has another one.
    pub(crate) replaced: [Vec<Option<Pattern>>; 2],
    /// The sentences that were made before.
    made: Memo,
}

impl Wording {
    /// Creates the sentences for a vocabulary, from its names and a table. Without a table, and for names that it does
    /// not have, the sentences come from the names.
    ///
    /// # Errors
    /// Fails with all faults of the table: it has unknown names, or sentences that do not fit.
    /// [`fitting`](Self::fitting) ignores such entries instead. Never fails without a table.
    pub fn new(vocabulary: TextVocabulary, table: Option<&TextTable>) -> Result<Self, Faults<TextCode>> {
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
    pub fn fitting(vocabulary: TextVocabulary, table: Option<&TextTable>) -> Self {
        Self::with_faults(vocabulary, table).0
    }

    /// Creates the sentences for a vocabulary. Faulty entries of the table are ignored and returned.
    pub(crate) fn with_faults(
        vocabulary: TextVocabulary,
        table: Option<&TextTable>,
    ) -> (Self, Vec<herbrand_text::Diagnostic<TextCode>>) {
        let none = |symbols: &[TextSymbol]| vec![None; symbols.len()];
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
        let sentences =
            |symbols: &[TextSymbol], given: Vec<Option<Template>>, default: fn(&TextSymbol) -> String| {
                let replaced = [&levels[0], &levels[1]].map(|index| {
                    let pairs = symbols.iter().zip(&given);
                    pairs
                        .map(|(symbol, given)| {
                            let pattern = |_| index.pattern(&made(symbol, default), symbol.parameters.len());
                            given.as_ref().map(pattern)
                        })
                        .collect::<Vec<_>>()
                });
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
                    replaced,
                    made: Memo::default(),
                    numbers: symbols
                        .iter()
                        .map(|symbol| symbol.name.clone())
                        .zip(0..)
                        .collect(),
                    templates,
                }
            };
        let facts = sentences(&vocabulary.facts, templates.facts, english::fact);
        let given = facts.templates.iter().zip(templates.negations);
        let wording = Self {
            negations: given
                .map(|(fact, given)| given.unwrap_or_else(|| opposite(fact)))
                .collect(),
            facts,
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
    pub const fn vocabulary(&self) -> &TextVocabulary {
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
    pub(crate) fn fact_sentence(&self, term: &TextTerm) -> Option<String> {
        self.sentence(&self.facts, &self.vocabulary.facts, term)
    }

    /// Returns the sentence that a fact is false, if it has one.
    pub(crate) fn false_sentence(&self, term: &TextTerm) -> Option<String> {
        let at = *self.facts.numbers.get(&term.name)?;
        self.fact_sentence(term)?;
        Some(self.negations[at].fill(|index| self.object(&term.arguments[index]), term.value.as_deref()))
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
        self.loose_sentence(name, arguments, None)?;
        let at = *self.facts.numbers.get(name)?;
        Some(self.negations[at].fill(|index| &arguments[index], None))
    }

    /// Writes the state whose facts `facts` visits: a sentence per line for each fact that is not static. Facts that are not
    /// listed are false, or unknown if the state is only partly observed. Two different states have different texts.
    /// Without such facts, the text is `Nothing holds.`
    #[must_use]
    pub fn state(&self, facts: impl FnOnce(&mut dyn FnMut(Fact<'_>))) -> String {
        self.listed(facts, |group| group != Group::Static)
    }

    /// Writes the facts that never change, like [`state`](Self::state): a sentence per line for each static fact.
    /// Without such facts, the text is `Nothing holds.`
    #[must_use]
    pub fn constants(&self, facts: impl FnOnce(&mut dyn FnMut(Fact<'_>))) -> String {
        self.listed(facts, |group| group == Group::Static)
    }

    fn listed(&self, facts: impl FnOnce(&mut dyn FnMut(Fact<'_>)), wanted: impl Fn(Group) -> bool) -> String {
        let mut sentences = Vec::new();
        facts(&mut |fact| {
            if wanted(fact.group) {
                let (symbol, arguments) = self.place(fact.name, fact.arguments.iter().copied());
                sentences.push((symbol, arguments, self.full(&self.fact(&fact))));
            }
        });
        sorted(sentences)
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
        let terms = |texts: &[String]| texts.iter().map(|text| TextTerm::parse(text)).collect::<Vec<_>>();
        let now = terms(added);
        let has_new_value = |term: &TextTerm| {
            let mut now = now.iter().flatten();
            term.value.is_some() && now.any(|new| new.name == term.name && new.arguments == term.arguments)
        };
        let sentence = |term: Option<&TextTerm>, text: &String| {
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
        let Some(term) = TextTerm::parse(text) else {
            return text.to_owned();
        };
        self.action_sentence(&term)
            .unwrap_or_else(|| term.text(Syntax::Pddl))
    }

    /// Returns the sentence for an action that takes a value, given in the syntax of its language without the value. `value`
    /// is written in place of the value, such as `a number from 0 to 5`. If a name is unknown, returns both as given.
    #[must_use]
    pub fn action_with(&self, text: &str, value: &str) -> String {
        let filled = || {
            let term = TextTerm::parse(text)?;
            let at = *self.actions.numbers.get(&term.name)?;
            let objects = term.arguments.iter().map(|name| self.objects.get(name));
            let objects = objects.collect::<Option<Vec<_>>>()?;
            let has_all = objects.len() == self.vocabulary.actions[at].parameters.len();
            let phrase = |index: usize| self.phrases[*objects[index] as usize].as_str();
            has_all.then(|| self.actions.templates[at].fill(phrase, Some(value)))
        };
        filled().unwrap_or_else(|| format!("{text}={value}"))
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
    pub(crate) fn action_sentence(&self, term: &TextTerm) -> Option<String> {
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

    /// Returns how each action is written, with the types of its parameters in place of objects, such as
    /// `put <block> on <block>`, in the order of [`TextVocabulary::actions`].
    #[must_use]
    pub fn action_forms(&self) -> Vec<String> {
        let pairs = self.actions.templates.iter().zip(&self.vocabulary.actions);
        pairs
            .map(|(template, action)| {
                let types = action.parameters.iter();
                let types: Vec<_> = types.map(|one| format!("<{}>", one.types.join(" or "))).collect();
                template.fill(|index| &types[index], action.has_value.then_some("<number>"))
            })
            .collect()
    }

    /// Writes facts given in the syntax of PDDL, such as `(on a b)` or `(fuel t) = 5`: a sentence per line, in the
    /// order of [`state`](Self::state). A fact that is unknown or whose sentence is ambiguous is written as given.
    /// Without facts, the text is `Nothing holds.`
    #[must_use]
    pub fn lines(&self, facts: &[String]) -> String {
        let keyed = facts.iter().map(|text| match TextTerm::parse(text) {
            Some(term) => {
                let sentence = self.fact_sentence(&term).unwrap_or_else(|| text.clone());
                (
                    self.place(&term.name, term.arguments.iter().map(String::as_str)),
                    sentence,
                )
            }
            None => ((usize::MAX, Vec::new()), text.clone()),
        });
        let facts = keyed.map(|((symbol, arguments), text)| (symbol, arguments, self.full(&text)));
        sorted(facts.collect())
    }

    /// Returns the place of a fact in the order of states: the index of its symbol, and those of its arguments.
    fn place<'n>(&self, name: &str, arguments: impl Iterator<Item = &'n str>) -> (usize, Vec<Option<u32>>) {
        let symbol = self.facts.numbers.get(name).copied().unwrap_or(usize::MAX);
        (
            symbol,
            arguments.map(|name| self.objects.get(name).copied()).collect(),
        )
    }

    /// Fills a template if the sentence has no other meaning.
    fn sentence(&self, sentences: &Sentences, symbols: &[TextSymbol], term: &TextTerm) -> Option<String> {
        let at = *sentences.numbers.get(&term.name)?;
        let symbol = &symbols[at];
        let has_value = symbol.has_value == term.value.is_some();
        if !has_value || symbol.parameters.len() != term.arguments.len() {
            return None;
        }
        let arguments = term.arguments.iter().map(|name| self.objects.get(name).copied());
        let arguments = arguments.collect::<Option<Vec<_>>>()?;
        let own = Meaning {
            arguments: arguments.into_iter().map(Some).collect(),
            value: term.value.clone(),
        };
        sentences
            .made
            .get_or_make((at, own), |own| self.clear_sentence(sentences, symbols, at, own))
    }

    /// Fills the template of the symbol `at` if the sentence has no other meaning than `own`.
    fn clear_sentence(
        &self,
        sentences: &Sentences,
        symbols: &[TextSymbol],
        at: usize,
        own: &Meaning,
    ) -> Option<String> {
        let symbol = &symbols[at];
        let phrase = |index: usize| {
            let object = own.arguments[index].map(|object| self.phrases[object as usize].as_str());
            object.unwrap_or_default()
        };
        let text = sentences.templates[at].fill(phrase, own.value.as_deref());
        let only = |text: &str| {
            let mut meanings = self.meanings(&self.exact, &sentences.exact, symbols, text);
            meanings.all(|(symbol, found)| symbol == at && found == *own)
        };
        // In a state, sentences begin with a capital letter.
        let is_clear = only(&text) && only(&other_case(&text)) && self.full(&text) != NOTHING;
        let means_itself = self.exact.meanings(&sentences.exact[at], &text).contains(own);
        (is_clear && means_itself && self.is_typed(symbol, own)).then_some(text)
    }

    /// Iterates over the facts or actions, with arguments of the right types, that a text at a level may mean.
    pub(crate) fn meanings<'w>(
        &'w self,
        index: &'w Index,
        patterns: impl IntoIterator<Item = impl Into<Option<&'w Pattern>> + 'w> + 'w,
        symbols: &'w [TextSymbol],
        text: &'w str,
    ) -> impl Iterator<Item = (usize, Meaning)> + 'w {
        let all = patterns.into_iter().enumerate();
        let all = all.filter_map(|(at, pattern)| Some((at, pattern.into()?)));
        let all = all.flat_map(move |(at, pattern)| {
            index
                .meanings(pattern, text)
                .into_iter()
                .map(move |one| (at, one))
        });
        all.filter(move |(at, meaning)| self.is_typed(&symbols[*at], meaning))
    }

    fn is_typed(&self, symbol: &TextSymbol, meaning: &Meaning) -> bool {
        let pairs = symbol.parameters.iter().zip(&meaning.arguments);
        let mut fits = pairs.map(|(parameter, object)| {
            object.is_some_and(|object| parameter.takes(&self.vocabulary.objects[object as usize]))
        });
        fits.all(|fits| fits) && symbol.has_value == meaning.value.is_some()
    }
}

/// Joins the sentences of facts in the order of their places. Engines list facts in different orders.
fn sorted(mut facts: Vec<(usize, Vec<Option<u32>>, String)>) -> String {
    if facts.is_empty() {
        return NOTHING.to_owned();
    }
    facts.sort();
    let lines: Vec<_> = facts.into_iter().map(|(_, _, line)| line).collect();
    lines.join("\n")
}

/// Returns the default template of a symbol.
fn made(symbol: &TextSymbol, default: fn(&TextSymbol) -> String) -> Template {
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
pub(crate) fn number(text: &str) -> Option<usize> {
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

fn of_fact(fact: &Fact<'_>) -> TextTerm {
    TextTerm {
        name: fact.name.to_owned(),
        arguments: fact.arguments.iter().map(|&name| name.to_owned()).collect(),
        value: match fact.value {
            FactValue::Bool(true) => None,
            value => Some(value.to_string()),
        },
    }
}
