//! Rust identifiers for PDDL names.

use std::collections::BTreeSet;

/// Keywords of Rust and of `ascent`, and fields of every ascent program.
const RESERVED: &[&str] = &[
    "abstract",
    "agg",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "include_source",
    "lattice",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "relation",
    "return",
    "scc_iters",
    "scc_times",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "update_indices_duration",
    "update_time_nanos",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// The identifiers of one scope, without duplicates.
#[derive(Clone, Default, Debug)]
pub(crate) struct Identifiers {
    taken: BTreeSet<String>,
}

impl Identifiers {
    /// Returns a new identifier similar to `name`.
    pub(crate) fn add(&mut self, name: &str) -> String {
        self.add_or(name, "")
    }

    /// Like [`add`](Self::add), but appends `ending` if `name` is taken.
    pub(crate) fn add_or(&mut self, name: &str, ending: &str) -> String {
        let plain = identifier(name);
        let plain = if self.taken.contains(&plain) {
            identifier(&format!("{name}{ending}"))
        } else {
            plain
        };
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let mut candidates = std::iter::once(plain.clone()).chain(numbered);
        let free = candidates.find(|candidate| !self.taken.contains(candidate));
        let free = free.unwrap_or(plain);
        self.taken.insert(free.clone());
        free
    }
}

/// Returns the identifier closest to `name`. Characters that Rust does not allow become `_`.
fn identifier(name: &str) -> String {
    let fits = |character: char| character.is_ascii_alphanumeric();
    let mut text: String = name
        .chars()
        .map(|character| {
            if fits(character) {
                character.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    if !text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        text.insert(0, 'n');
    }
    if RESERVED.contains(&text.as_str()) {
        text.push('_');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_words_of_rust_and_differ() {
        let mut scope = Identifiers::default();
        let names = [
            "at-robot", "at_robot", "move", "2nd", "_", "a|b", "relation", "Self", "at-robot",
        ];
        let found: Vec<_> = names.map(|name| scope.add(name)).into();
        let expected = [
            "at_robot",
            "at_robot_2",
            "move_",
            "n2nd",
            "n_",
            "a_b",
            "relation_",
            "self_",
            "at_robot_3",
        ];
        assert_eq!(found, expected);
    }
}
