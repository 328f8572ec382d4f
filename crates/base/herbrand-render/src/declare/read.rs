//! Reads settings in TOML and reports all faults of their form.

use std::ops::Range;

use herbrand_text::{Diagnostics, Source, Span, nearest};
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error};

use super::RenderCode;

/// Parses a text, which `found` reports on. Reports the faults of its syntax, and returns `None` if there are any.
pub(super) fn parse<'s>(
    source: &'s Source,
    found: &mut Diagnostics<RenderCode>,
) -> Option<Spanned<DeTable<'s>>> {
    let (table, faults) = DeTable::parse_recoverable(source.text());
    faults.iter().for_each(|fault| report(source, found, fault));
    faults.is_empty().then_some(table)
}

/// Reads a `T` from a table. Reports all faults, and returns what the table without the faulty entries says; `None` if that
/// lacks a required key.
///
/// A deserialiser stops at the first fault, so each faulty entry is removed and the rest is read again.
pub(super) fn read<T: DeserializeOwned>(
    source: &Source,
    mut table: Spanned<DeTable<'_>>,
    found: &mut Diagnostics<RenderCode>,
) -> Option<T> {
    let mut removed = Vec::new();
    loop {
        match T::deserialize(Deserializer::from(table.clone())) {
            Ok(value) => return Some(value),
            Err(fault) => {
                // A key that was removed because of its value is not missing. Others of its name are reported once it
                // is mended.
                let quoted = quoted(fault.message()).next();
                let is_missing = fault.message().starts_with("missing field");
                if !is_missing || !quoted.is_some_and(|key| removed.iter().any(|removed| removed == key)) {
                    report(source, found, &fault);
                }
                removed.push(remove(table.get_mut(), &fault.span()?)?);
            }
        }
    }
}

/// The length of messages that are shortened if there is a nearest name.
const LONG: usize = 200;

/// Reports a fault with the nearest of the names that it lists.
fn report(source: &Source, found: &mut Diagnostics<RenderCode>, fault: &Error) {
    let message = fault.message();
    let mut names = quoted(message);
    let name = message.starts_with("unknown ").then(|| names.next()).flatten();
    let meant = name.and_then(|name| nearest(name, names));
    // A long list of names tells no more than the nearest one.
    let place = fault.span().unwrap_or_default();
    let long = message.split_once(", expected one of");
    let long = long.filter(|_| message.len() > LONG).map(|(fault, _)| fault);
    let key = key_of(source, place.start);
    let (message, help) = match (long, key, name, meant) {
        (Some(_), Some(key), Some(name), _) if message.starts_with("unknown variant") => (
            format!("there is no {key} `{name}`"),
            Some("the page on pictures lists all names".to_owned()),
        ),
        (Some(fault), _, _, Some(_)) => (fault.to_owned(), None),
        (None, Some(key), ..) => wrong_form(message, key, source.text().get(place.clone())),
        _ => (message.to_owned(), None),
    };
    let place = Span {
        start: place.start as u32,
        end: place.end as u32,
    };
    found.report(RenderCode::Format, message, |draft| {
        let draft = draft.primary(place, "");
        match (meant, help) {
            (None, Some(help)) => draft.help(help),
            _ => draft.suggest(meant),
        }
    });
}

/// Returns the message and the help for a value of the wrong form, in the words of TOML. Other messages stay as they are.
fn wrong_form(message: &str, key: &str, value: Option<&str>) -> (String, Option<String>) {
    let expected = message
        .strip_prefix("invalid type: ")
        .and_then(|rest| rest.split_once(", expected "));
    let Some((found, expected)) = expected else {
        return (message.to_owned(), None);
    };
    let found = match found.split_once(' ') {
        Some(("string", text)) => format!("the text {text}"),
        Some(("integer" | "floating", _)) => "a number".to_owned(),
        Some(("boolean", value)) => value.to_owned(),
        _ if found == "map" => "a table".to_owned(),
        _ if found == "sequence" => "a list".to_owned(),
        _ => found.to_owned(),
    };
    let (expected, example) = match expected {
        "a sequence" => ("a list", value.map(|value| format!("[{value}]"))),
        "a string" => ("a text in quotes", value.and_then(text_in)),
        "a boolean" => ("true or false", None),
        "u32" | "u64" | "usize" => ("a whole number", None),
        "f32" | "f64" => ("a number", None),
        "a map" | "a table" => ("a table", Some("{ … }".to_owned())),
        expected if expected.starts_with("struct ") => ("a table", Some("{ … }".to_owned())),
        expected => (expected, None),
    };
    let short = example.filter(|example| example.len() <= LONGEST && !example.contains('\n'));
    let help = short.map(|example| format!("write `{key} = {example}`"));
    (format!("`{key}` takes {expected}, not {found}"), help)
}

/// Returns the text in quotes that was probably meant by a value: the first text in a list or table, or a number in quotes.
fn text_in(value: &str) -> Option<String> {
    match value.split(['"', '\'']).nth(1) {
        Some(text) => Some(format!("\"{text}\"")),
        None => (!value.starts_with(['[', '{'])).then(|| format!("\"{value}\"")),
    }
}

/// The length of a value that a help repeats, in bytes.
const LONGEST: usize = 60;

/// Returns the key whose value begins at this place of the text.
fn key_of(source: &Source, start: usize) -> Option<&str> {
    let before = source
        .text()
        .get(..start)?
        .trim_end()
        .strip_suffix('=')?
        .trim_end();
    let key = before
        .rsplit(|c: char| !(c.is_alphanumeric() || "-_".contains(c)))
        .next()?;
    Some(key).filter(|key| !key.is_empty())
}

/// Iterates over the words of a message that are in backquotes.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').skip(1).step_by(2)
}

/// Removes the innermost entry of `table` at a place of the text. Returns its key; for an element of an array, the key of the
/// array.
fn remove(table: &mut DeTable<'_>, place: &Range<usize>) -> Option<String> {
    let mut faulty = None;
    for (key, value) in table.iter_mut() {
        if covers(&key.span(), place) {
            faulty = Some(key.clone());
            break;
        }
        let inner = match value.get_mut() {
            DeValue::Table(inner) => remove(inner, place),
            DeValue::Array(items) => {
                let inside = items.iter_mut().find_map(|item| match item.get_mut() {
                    DeValue::Table(inner) => remove(inner, place),
                    _ => None,
                });
                inside.or_else(|| {
                    let count = items.len();
                    let others = items.iter().filter(|item| !covers(&item.span(), place));
                    *items = others.cloned().collect();
                    (items.len() < count).then(|| key.get_ref().to_string())
                })
            }
            _ => None,
        };
        if inner.is_some() {
            return inner;
        }
        if covers(&value.span(), place) {
            faulty = Some(key.clone());
            break;
        }
    }
    let faulty = faulty?;
    table.remove(&faulty);
    Some(faulty.get_ref().to_string())
}

fn covers(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

#[cfg(test)]
mod tests {
    use herbrand_text::Source;

    use super::super::Declaration;

    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Plain {
        #[serde(rename = "horizon")]
        _horizon: Option<u32>,
        #[serde(default, rename = "render", deserialize_with = "Declaration::skip")]
        _render: Option<Declaration>,
    }

    fn faults(text: &str) -> Vec<(usize, String, Option<String>)> {
        let source = Source::new("env.toml", text);
        let Err(faults) = Declaration::with_settings::<Plain>(&source) else {
            return Vec::new();
        };
        let faults = faults.diagnostics().iter().map(|fault| {
            let help = fault.help().map(str::to_owned);
            (fault.labels()[0].start().line, fault.message().to_owned(), help)
        });
        faults.collect()
    }

    #[test]
    fn all_faults_are_reported_with_the_nearest_names() {
        let found = faults(
            "horizn = 3\nhorizon = \"x\"\n[render]\ngrid = { cels = \"r{row}c{column}\" }\nlayer = [
               { fact = 3, shape = \"targe\" },
               { shape = \"disc\", colour = \"rd\" },
             ]\n[[render.badge]]\nfil = \"blue\"",
        );
        let lines: Vec<_> = found.iter().map(|(line, ..)| *line).collect();
        assert_eq!(lines, [1, 2, 4, 6, 6, 7, 9, 10], "{found:#?}");
        let helps: Vec<_> = found.iter().filter_map(|(.., help)| help.as_deref()).collect();
        let meant = |name: &str| format!("did you mean `{name}`?");
        let expected = [
            meant("horizon"),
            meant("cells"),
            "write `fact = \"3\"`".to_owned(),
            meant("target"),
            meant("red"),
            meant("fill"),
        ];
        assert_eq!(helps, expected, "{found:#?}");
    }

    #[test]
    fn a_name_like_none_of_many_is_told_with_its_key() {
        let found = faults("[[render.badge]]\nfact = \"full\"\nshape = \"coffee-pot\"");
        let told: Vec<_> = found
            .iter()
            .map(|(_, message, help)| (message.as_str(), help.as_deref()))
            .collect();
        let help = Some("the page on pictures lists all names");
        assert_eq!(told, [("there is no shape `coffee-pot`", help)]);
    }

    #[test]
    fn a_value_of_the_wrong_form_is_told_with_the_right_one() {
        for (text, message, help) in [
            (
                "render.edge = { fact = \"way\" }",
                "`edge` takes a list, not a table",
                Some("write `edge = [{ fact = \"way\" }]`"),
            ),
            (
                "render.graph = { nodes = \"place\" }",
                "`nodes` takes a list, not the text \"place\"",
                Some("write `nodes = [\"place\"]`"),
            ),
            (
                "render.grid = 3",
                "`grid` takes a table, not a number",
                Some("write `grid = { … }`"),
            ),
            (
                "[[render.badge]]\nfact = [\"full\"]",
                "`fact` takes a text in quotes, not a list",
                Some("write `fact = \"full\"`"),
            ),
            (
                "[[render.badge]]\nfact = { of = 'full', colour = \"red\" }",
                "`fact` takes a text in quotes, not a table",
                Some("write `fact = \"full\"`"),
            ),
            (
                "[[render.badge]]\nfact = [1]",
                "`fact` takes a text in quotes, not a list",
                None,
            ),
            (
                "horizon = [1]",
                "`horizon` takes a whole number, not a list",
                None,
            ),
        ] {
            let found = faults(text);
            let told: Vec<_> = found
                .iter()
                .map(|(_, message, help)| (message.as_str(), help.as_deref()))
                .collect();
            assert_eq!(told, [(message, help)], "{text}");
        }
    }

    #[test]
    fn a_text_that_is_not_toml_has_its_faults() {
        assert_eq!(faults("horizon = 3"), []);
        let lines: Vec<_> = faults("horizon = \nother = ]")
            .iter()
            .map(|(line, ..)| *line)
            .collect();
        assert_eq!(lines, [1, 2]);
    }
}
