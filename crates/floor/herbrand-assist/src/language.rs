//! Detects the language of a text.

use herbrand_text::Source;
use serde::{Deserialize, Serialize};

/// The planning language of a text. [`Language::of`] detects it; replies contain it. The default is
/// [`Pddl`](Self::Pddl).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// PDDL, PPDDL and PDDLGym's dialect.
    #[default]
    Pddl,
    /// RDDL.
    Rddl,
}

/// The keywords of RDDL blocks.
const BLOCKS: [&str; 4] = ["domain", "non-fluents", "instance", "policy"];

impl Language {
    /// Returns the language of a file: RDDL if its name ends in `.rddl`, and otherwise that of its text ([`of`](Self::of)).
    #[must_use]
    pub fn of_source(source: &Source) -> Self {
        let name = source.name().as_bytes();
        let ending = name.len().checked_sub(5).map(|start| &name[start..]);
        match ending {
            Some(ending) if ending.eq_ignore_ascii_case(b".rddl") => Self::Rddl,
            _ => Self::of(source.text()),
        }
    }

    /// Detects the language of a text by its content: RDDL if it starts with `domain`, `non-fluents`, `instance` or
    /// `policy`, or with a comment `// …` that no `(` or `;` follows, otherwise PDDL. White space and a byte order mark
    /// before it are skipped. The text may be faulty. An empty text is PDDL.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let mut code = text;
        while code.starts_with("//") {
            let end = code.find(['\n', '\r']).unwrap_or(code.len());
            code = code[end..].trim_start();
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let word = code.split(|c| !is_name(c)).next().unwrap_or_default();
        let has_comment = code.len() < text.len() && !code.starts_with(['(', ';']);
        if has_comment || BLOCKS.contains(&word) {
            Self::Rddl
        } else {
            Self::Pddl
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_a_file_comes_before_its_content() {
        for (name, text, language) in [
            ("light.rddl", "# lights\ndomain d { }", Language::Rddl),
            ("LIGHT.RDDL", "", Language::Rddl),
            ("rddl", "", Language::Pddl),
            ("light.txt", "domain d { }", Language::Rddl),
            ("light.pddl", "(define (domain d))", Language::Pddl),
        ] {
            assert_eq!(Language::of_source(&Source::new(name, text)), language, "{name}");
        }
    }

    #[test]
    fn content_tells_the_language() {
        for (text, language) in [
            ("(define (domain d))", Language::Pddl),
            ("; domain of lights\n(define (domain d))", Language::Pddl),
            ("", Language::Pddl),
            ("domains", Language::Pddl),
            ("domain d { reward = 0; }", Language::Rddl),
            ("\u{feff}\n non-fluents n { }", Language::Rddl),
            ("// lights\n", Language::Rddl),
            ("// lights\n\n// of a house\n domain d {", Language::Rddl),
            ("// lights\n// (of a house)\nlights {", Language::Rddl),
            ("// lights\r\n\r\n(define (domain d))", Language::Pddl),
            ("//\n; lights", Language::Pddl),
            ("instance i{}", Language::Rddl),
        ] {
            assert_eq!(Language::of(text), language, "{text}");
        }
    }
}
