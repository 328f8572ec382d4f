//! Templates of sentences.

use herbrand_text::{Span, nearest};

use crate::english;

/// A sentence with slots for arguments and a value, such as `{upper} is on {lower}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Template {
    /// The texts around the slots: one more than there are slots.
    pub literals: Vec<String>,
    pub slots: Vec<Slot>,
}

/// A place of a [`Template`] that is filled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    /// The argument at this index.
    Argument(usize),
    /// The value, with a noun that it may count.
    Value(Option<String>),
}

/// A fault of a template, with its place in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TemplateFault {
    pub place: Span,
    pub message: String,
    pub suggestion: Option<String>,
}

impl Template {
    /// Parses a template whose slots name `parameters`, or number them from 1. `{value}` is the value, and
    /// `{value:litre}` the value with a noun. Returns all faults.
    pub(crate) fn parse(
        text: &str,
        parameters: &[&str],
        has_value: bool,
    ) -> Result<Self, Vec<TemplateFault>> {
        let names: Vec<_> = parameters
            .iter()
            .copied()
            .chain(has_value.then_some("value"))
            .collect();
        let braced: Vec<_> = names.iter().map(|name| format!("`{{{name}}}`")).collect();
        let known = match braced.as_slice() {
            [] => "it has no parameters".to_owned(),
            [only] => format!("its parameter is {only}"),
            names => format!("its parameters are {}", names.join(", ")),
        };
        let mut faults = Vec::new();
        let mut fault = |start: usize, end: usize, message: String, suggestion: Option<String>| {
            faults.push(TemplateFault {
                place: Span {
                    start: start as u32,
                    end: end as u32,
                },
                message,
                suggestion,
            });
        };
        let (mut literals, mut slots) = (vec![String::new()], Vec::new());
        let mut at = 0;
        while let Some(open) = text[at..]
            .find(['{', '}', '\n', '(', ')', ';'])
            .map(|found| at + found)
        {
            if let Some(last) = literals.last_mut() {
                last.push_str(&text[at..open]);
            }
            let sign = &text[open..=open];
            let close = text[open..].find('}').map(|found| open + found);
            let Some(close) = close.filter(|_| sign == "{") else {
                let message = match sign {
                    "{" => "`{` without `}`".to_owned(),
                    "}" => "`}` without `{`".to_owned(),
                    "(" | ")" | ";" => format!("a sentence has no `{sign}`"),
                    _ => "a sentence has one line".to_owned(),
                };
                fault(open, open + 1, message, None);
                at = open + 1;
                continue;
            };
            let inside = text[open + 1..close].trim();
            let (name, noun) = match inside.split_once(':') {
                Some((name, noun)) => (name.trim(), Some(noun.trim().to_owned())),
                None => (inside, None),
            };
            let number = name
                .parse::<usize>()
                .ok()
                .and_then(|number| number.checked_sub(1));
            let number = number.filter(|&index| index < parameters.len());
            let index = parameters
                .iter()
                .position(|own| own.eq_ignore_ascii_case(name))
                .or(number);
            let slot = match index {
                Some(index) if noun.is_none() => Slot::Argument(index),
                Some(_) => {
                    fault(
                        open,
                        close + 1,
                        "only `{value}` counts something".to_owned(),
                        None,
                    );
                    Slot::Value(None)
                }
                None if name == "value" && has_value => Slot::Value(noun),
                None if name == "value" => {
                    fault(
                        open,
                        close + 1,
                        "this has no value: it is true or false".to_owned(),
                        None,
                    );
                    Slot::Value(None)
                }
                None => {
                    let suggestion = nearest(name, names.iter().copied()).map(|name| format!("{{{name}}}"));
                    let message = format!("there is no parameter `{{{name}}}`: {known}");
                    fault(open, close + 1, message, suggestion);
                    Slot::Value(None)
                }
            };
            if !slots.is_empty() && literals.last().is_some_and(String::is_empty) {
                fault(
                    open,
                    close + 1,
                    "two slots need a text between them".to_owned(),
                    None,
                );
            }
            slots.push(slot);
            literals.push(String::new());
            at = close + 1;
        }
        if let Some(last) = literals.last_mut() {
            last.push_str(&text[at..]);
        }
        if text.trim() != text || text.is_empty() {
            let message = "a sentence neither is empty nor begins or ends with spaces";
            fault(0, text.len(), message.to_owned(), None);
        }
        if faults.is_empty() {
            let missing = |(index, _): &(usize, &&str)| !slots.contains(&Slot::Argument(*index));
            let missing = parameters
                .iter()
                .enumerate()
                .filter(missing)
                .map(|(_, name)| *name);
            let valued = slots.iter().any(|slot| matches!(slot, Slot::Value(_)));
            for name in missing.chain((has_value && !valued).then_some("value")) {
                faults.push(TemplateFault {
                    place: Span {
                        start: 0,
                        end: text.len() as u32,
                    },
                    message: format!("the sentence does not name `{{{name}}}`: {known}"),
                    suggestion: None,
                });
            }
        }
        if faults.is_empty() {
            Ok(Self { literals, slots })
        } else {
            Err(faults)
        }
    }

    /// Writes the sentence with these phrases for the arguments. A missing argument or value is left out.
    pub(crate) fn fill<'p>(&self, phrase: impl Fn(usize) -> &'p str, value: Option<&str>) -> String {
        let mut text = self.literals.first().cloned().unwrap_or_default();
        for (slot, literal) in self.slots.iter().zip(self.literals.iter().skip(1)) {
            match slot {
                Slot::Argument(index) => text.push_str(phrase(*index)),
                Slot::Value(noun) => {
                    text.push_str(&english::value(value.unwrap_or_default(), noun.as_deref()))
                }
            }
            text.push_str(literal);
        }
        text
    }
}
