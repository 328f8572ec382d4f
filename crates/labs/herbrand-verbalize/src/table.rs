//! The file `domain.text.toml`.

use std::borrow::Cow;

use herbrand_text::{Diagnostic, Diagnostics, Faults, Source, Span, nearest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::code::TextCode;
use crate::english;
use crate::template::Template;
use crate::vocabulary::{TextSymbol, TextVocabulary};

/// The largest size of a table of sentences, in bytes.
const MOST_BYTES: usize = 1 << 20;

/// A table of sentences for a domain, the content of its `domain.text.toml`: templates for facts and actions, and patterns
/// for the objects of a type. Names that it does not have keep their default sentences. [`parse`](Self::parse) reads
/// one; pass it to [`Wording::new`](crate::Wording::new).
///
/// ```toml
/// [types]
/// crate = "the {}"                          # or `a {}`, which becomes `an` before a vowel
/// [facts]
/// on = "{crate} is on {surface}"            # parameters by name, or by number from 1
/// fuel = "{truck} has {value:litre} left"   # `1 litre`, `2 litres`
/// [negations]
/// clear = "something is on {surface}"
/// [actions]
/// lift = "lift {crate} from {surface} with {hoist} at {place}"
/// ```
#[derive(Clone, Debug)]
pub struct TextTable {
    source: Source,
    pub(crate) types: Vec<Entry>,
    pub(crate) facts: Vec<Entry>,
    pub(crate) negations: Vec<Entry>,
    pub(crate) actions: Vec<Entry>,
}

/// An entry of a table: a name and a text, with their places.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub name: String,
    key: Span,
    pub text: String,
    value: Span,
}

/// The templates that a table gives.
pub(crate) struct Templates {
    /// By the index of the symbol in [`TextVocabulary::facts`].
    pub facts: Vec<Option<Template>>,
    pub negations: Vec<Option<Template>>,
    /// By the index of the symbol in [`TextVocabulary::actions`].
    pub actions: Vec<Option<Template>>,
    /// The pattern of each type.
    pub types: Vec<(String, String)>,
}

const TABLES: [&str; 4] = ["types", "facts", "negations", "actions"];

impl TextTable {
    /// Parses a `domain.text.toml`. Whether its names and sentences fit a domain is checked by
    /// [`Wording::new`](crate::Wording::new).
    ///
    /// # Errors
    /// Fails with all faults of the form: the text is not TOML, has other tables, or values that are not texts. Also
    /// fails if it is larger than 1 MiB.
    pub fn parse(source: &Source) -> Result<Self, Faults<TextCode>> {
        let mut found = Diagnostics::new(source.clone(), false);
        let mut table = Self {
            source: source.clone(),
            types: Vec::new(),
            facts: Vec::new(),
            negations: Vec::new(),
            actions: Vec::new(),
        };
        if source.text().len() > MOST_BYTES {
            let message = format!("a table of sentences has at most {MOST_BYTES} bytes");
            found.report(TextCode::Limit, message, |draft| {
                draft.primary(Span { start: 0, end: 0 }, "")
            });
            return Err(Faults::new(found.into_list()));
        }
        let (file, faults) = DeTable::parse_recoverable(source.text());
        for fault in &faults {
            let place = fault.span().unwrap_or_default().into();
            found.report(TextCode::Format, fault.message().to_owned(), |draft| {
                draft.primary(place, "")
            });
        }
        if faults.is_empty() {
            for (key, value) in file.get_ref() {
                table.read(key, value, &mut found);
            }
        }
        let found = found.into_list();
        if found.is_empty() {
            Ok(table)
        } else {
            Err(Faults::new(found))
        }
    }

    /// Reads one of the tables.
    fn read(
        &mut self,
        key: &Spanned<Cow<'_, str>>,
        value: &Spanned<DeValue<'_>>,
        found: &mut Diagnostics<TextCode>,
    ) {
        let name: &str = key.get_ref();
        let entries = match name {
            "types" => &mut self.types,
            "facts" => &mut self.facts,
            "negations" => &mut self.negations,
            "actions" => &mut self.actions,
            _ => {
                let message = format!("there is no table `{name}` in a table of sentences");
                found.report(TextCode::Format, message, |draft| {
                    draft
                        .primary(key.span().into(), "")
                        .suggest(nearest(name, TABLES))
                });
                return;
            }
        };
        let DeValue::Table(table) = value.get_ref() else {
            let message = format!("`{name}` is a table: write `[{name}]`");
            found.report(TextCode::Format, message, |draft| {
                draft.primary(value.span().into(), "")
            });
            return;
        };
        for (key, value) in table {
            match value.get_ref() {
                DeValue::String(text) => entries.push(Entry {
                    name: key.get_ref().to_string(),
                    key: key.span().into(),
                    text: text.to_string(),
                    value: value.span().into(),
                }),
                _ => {
                    let message = format!("the sentence of `{}` is a text in quotes", key.get_ref());
                    found.report(TextCode::Format, message, |draft| {
                        draft.primary(value.span().into(), "")
                    });
                }
            }
        }
        entries.sort_by_key(|entry| entry.key.start);
    }

    /// Returns the templates for a vocabulary and the faults of the others.
    pub(crate) fn templates(&self, vocabulary: &TextVocabulary) -> (Templates, Vec<Diagnostic<TextCode>>) {
        let mut found = Diagnostics::new(self.source.clone(), false);
        let facts = self.of_symbols(
            &self.facts,
            &vocabulary.facts,
            "predicate or function",
            &mut found,
        );
        let negations = self.of_symbols(&self.negations, &vocabulary.facts, "predicate", &mut found);
        let actions = self.of_symbols(&self.actions, &vocabulary.actions, "action", &mut found);
        let mut types = Vec::new();
        for entry in &self.types {
            let known = vocabulary
                .types
                .iter()
                .find(|own| own.eq_ignore_ascii_case(&entry.name));
            match known {
                None => unknown(entry, "type", &vocabulary.types, &mut found),
                Some(_)
                    if entry.text.matches("{}").count() != 1
                        || entry.text.contains([';', '(', ')', '\n']) =>
                {
                    let message = "a pattern has `{}` once, and no parentheses, semicolons or ends of lines";
                    found.report(TextCode::Template, message.to_owned(), |draft| {
                        draft.primary(entry.value, "")
                    });
                }
                Some(known) => types.push((known.clone(), entry.text.clone())),
            }
        }
        let templates = Templates {
            facts,
            negations,
            actions,
            types,
        };
        (templates, found.into_list())
    }

    fn of_symbols(
        &self,
        entries: &[Entry],
        symbols: &[TextSymbol],
        kind: &str,
        found: &mut Diagnostics<TextCode>,
    ) -> Vec<Option<Template>> {
        let mut templates = vec![None; symbols.len()];
        for entry in entries {
            let at = symbols
                .iter()
                .position(|symbol| symbol.name.eq_ignore_ascii_case(&entry.name));
            let Some(at) = at else {
                let names: Vec<_> = symbols.iter().map(|symbol| symbol.name.clone()).collect();
                unknown(entry, kind, &names, found);
                continue;
            };
            let symbol = &symbols[at];
            let parameters: Vec<_> = symbol.parameters.iter().map(|one| one.name.as_str()).collect();
            match Template::parse(&entry.text, &parameters, symbol.has_value) {
                Ok(template) => templates[at] = Some(template),
                Err(faults) => {
                    // The action of an agent may name fewer parameters than the operator of its name.
                    let longer = english::completed(&entry.text, &symbol.parameters);
                    templates[at] = Template::parse(&longer, &parameters, symbol.has_value).ok();
                    for fault in faults {
                        let place = self.inside(entry, fault.place);
                        found.report(TextCode::Template, fault.message, |draft| {
                            draft.primary(place, "").suggest(fault.suggestion.as_deref())
                        });
                    }
                }
            }
        }
        templates
    }

    /// Returns a place in the value of an entry; the whole value if the text has escapes.
    fn inside(&self, entry: &Entry, place: Span) -> Span {
        let start = entry.value.start + 1;
        let raw = self
            .source
            .text()
            .get(start as usize..(entry.value.end as usize).saturating_sub(1));
        if raw == Some(&entry.text) {
            Span {
                start: start + place.start,
                end: start + place.end,
            }
        } else {
            entry.value
        }
    }
}

fn unknown(entry: &Entry, kind: &str, names: &[String], found: &mut Diagnostics<TextCode>) {
    let message = format!("the domain has no {kind} `{}`", entry.name);
    found.report(TextCode::UnknownName, message, |draft| {
        draft
            .primary(entry.key, "")
            .suggest(nearest(&entry.name, names.iter().map(String::as_str)))
    });
}
