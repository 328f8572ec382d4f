//! Names of files and folders from the answers of servers.

use std::collections::BTreeMap;

use herbrand_env::Definition;

/// The maximum length of a name, in bytes.
const LENGTH: usize = 80;

/// Returns a name with only letters, digits, `-`, `_` and `.`, which begins with a letter or digit. Other characters become
/// `-`. A name that begins with a digit or letter and has no others, up to 80 bytes, is returned as it is.
pub fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let plain: String = name
        .chars()
        .map(|c| if is_plain(c) { c } else { '-' })
        .take(LENGTH)
        .collect();
    let plain = plain.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let plain = plain.trim_end_matches('.');
    if plain.is_empty() { "unnamed" } else { plain }.to_owned()
}

/// Returns the last part of the path of a URL.
fn last_part(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// Returns the last part of the path of a URL, without the endings of archives and problem files.
pub fn stem_of_url(url: &str) -> String {
    let mut stem = last_part(url);
    for ending in [".gz", ".tgz", ".tar", ".pddl", ".ppddl", ".rddl"] {
        stem = stem.strip_suffix(ending).unwrap_or(stem);
    }
    stem.to_owned()
}

/// Returns the name of the file for a text that was fetched from `url`. Its ending is that of the text's language.
pub fn of_url(url: &str, text: &str) -> String {
    format!(
        "{}.{}",
        plain(&stem_of_url(url)),
        ending_of(text).unwrap_or("pddl")
    )
}

/// Returns the ending of files in the language of a text; `None` if the text is in neither language.
pub fn ending_of(text: &str) -> Option<&'static str> {
    if Definition::Domain.name_in(text).is_some() || Definition::Problem.name_in(text).is_some() {
        return Some("pddl");
    }
    let mut code = text.trim_start_matches('\u{feff}').trim_start();
    while code.starts_with("//") {
        code = code.split_once('\n').map_or("", |(_, after)| after).trim_start();
    }
    let word = code.split(|c: char| c.is_whitespace() || c == '{').next();
    let is_block = matches!(word, Some("domain" | "instance" | "non-fluents")) && code.contains('{');
    is_block.then_some("rddl")
}

/// Returns `name`, with a number before its ending if the files already have one of this name in any case.
pub fn unused<T>(files: &BTreeMap<String, T>, name: &str) -> String {
    let is_taken = |name: &str| files.keys().any(|known| known.eq_ignore_ascii_case(name));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "pddl"));
    let numbered = (2..).map(|number| format!("{stem}-{number}.{ending}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    candidates.find(|name| !is_taken(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        for (name, expected) in [
            ("ferry", "ferry"),
            ("../../etc/passwd", "etc-passwd"),
            ("..", "unnamed"),
            ("", "unnamed"),
            (".hidden", "hidden"),
            ("a b\\c:d\0e", "a-b-c-d-e"),
            ("über", "ber"),
            ("-rf", "rf"),
            ("x...", "x"),
        ] {
            assert_eq!(plain(name), expected, "{name}");
        }
        assert_eq!(plain(&"x".repeat(500)).len(), LENGTH);
    }

    #[test]
    fn the_file_of_a_url_has_its_last_part_and_the_ending_of_its_language() {
        let pddl = "(define (problem p))";
        let rddl = "// lights\ninstance i { domain = d; }";
        for (url, text, expected) in [
            ("http://a.b/c/p01.pddl", pddl, "p01.pddl"),
            ("http://a.b/c/p01.pddl?raw=1#x", pddl, "p01.pddl"),
            ("http://a.b/c/../..%2fp01", pddl, "2fp01.pddl"),
            ("http://a.b/p.exe", pddl, "p.exe.pddl"),
            ("http://a.b/i.rddl", rddl, "i.rddl"),
            ("http://a.b/", rddl, "a.b.rddl"),
        ] {
            assert_eq!(of_url(url, text), expected, "{url}");
        }
        assert_eq!(ending_of("<html>"), None);
        assert_eq!(ending_of("domain of lights"), None);
    }

    #[test]
    fn repeated_names_are_numbered() {
        let files = BTreeMap::from([("p.pddl".to_owned(), ()), ("p-2.pddl".to_owned(), ())]);
        assert_eq!(unused(&files, "P.pddl"), "P-3.pddl");
        assert_eq!(unused(&files, "q.pddl"), "q.pddl");
    }
}
