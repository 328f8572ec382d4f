//! Sentences for conditions in PDDL syntax.

use crate::english;
use crate::term::TextTerm;
use crate::wording::Wording;

/// The depth of parentheses to which conditions are put into words.
const DEEPEST: usize = 32;
/// The length of conditions that are put into words, in bytes.
const LONGEST: usize = 1 << 16;

/// A word, or a list in parentheses.
enum Part<'t> {
    Word(&'t str),
    List(Vec<Part<'t>>),
}

impl Wording {
    /// Returns the sentence for a condition in PDDL syntax, such as a goal or a conjunct of one. A condition that is no
    /// PDDL, has unknown names or is longer than 64 KiB is returned as it is, but for spaces: each gap becomes one
    /// space.
    #[must_use]
    pub fn goal(&self, condition: &str) -> String {
        let plain = || condition.split_whitespace().collect::<Vec<_>>().join(" ");
        known_sentence(self, condition).unwrap_or_else(plain)
    }

    /// Replaces the facts, conditions and actions in parentheses in an explanation of the engine by their sentences in
    /// quotes. Parentheses that contain something else stay as they are.
    #[must_use]
    pub fn explanation(&self, text: &str) -> String {
        replace_terms(text, |term| {
            let action = TextTerm::parse(term).and_then(|term| self.action_sentence(&term));
            action.or_else(|| known_sentence(self, term))
        })
    }
}

/// Returns the sentence for a condition; `None` if it is no PDDL, or has unknown names.
fn known_sentence(wording: &Wording, condition: &str) -> Option<String> {
    if condition.len() > LONGEST {
        return None;
    }
    let mut tokens = tokens(condition);
    let first = tokens.next()?;
    let part = part(first, &mut tokens, 0)?;
    if tokens.next().is_some() {
        return None;
    }
    said(wording, &part, false)
}

/// Replaces each outermost part in parentheses by its words in quotes, where `said` returns some.
fn replace_terms(text: &str, said: impl Fn(&str) -> Option<String>) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        replaced.push_str(&rest[..open]);
        let mut depth = 0usize;
        let close = rest[open..].char_indices().find_map(|(at, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(open + at + 1)
        });
        let Some(close) = close else {
            rest = &rest[open..];
            break;
        };
        let term = &rest[open..close];
        match said(term) {
            Some(words) => replaced.push_str(&format!("\u{201c}{words}\u{201d}")),
            None => replaced.push_str(term),
        }
        rest = &rest[close..];
    }
    replaced + rest
}

/// Iterates over parentheses and words.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let end = match rest.chars().next()? {
            '(' | ')' => 1,
            _ => rest
                .find(|c: char| c.is_whitespace() || c == '(' || c == ')')
                .unwrap_or(rest.len()),
        };
        let (token, later) = rest.split_at(end);
        rest = later;
        Some(token)
    })
}

fn part<'t>(first: &'t str, tokens: &mut impl Iterator<Item = &'t str>, depth: usize) -> Option<Part<'t>> {
    match first {
        ")" => None,
        "(" if depth < DEEPEST => {
            let mut parts = Vec::new();
            loop {
                match tokens.next()? {
                    ")" => return Some(Part::List(parts)),
                    token => parts.push(part(token, &mut *tokens, depth + 1)?),
                }
            }
        }
        "(" => None,
        word => Some(Part::Word(word)),
    }
}

/// Returns the words for a condition, or for its opposite.
fn said(wording: &Wording, part: &Part<'_>, negated: bool) -> Option<String> {
    let Part::List(parts) = part else {
        return None;
    };
    let (Part::Word(head), rest) = parts.split_first()? else {
        return None;
    };
    let all = |word: &str, negated: bool| {
        let said = rest.iter().map(|part| said(wording, part, negated));
        Some(said.collect::<Option<Vec<_>>>()?.join(word))
    };
    match (head.to_ascii_lowercase().as_str(), rest) {
        ("and", []) => Some(
            if negated {
                "nothing helps"
            } else {
                "nothing is needed"
            }
            .to_owned(),
        ),
        ("and" | "or", [only]) => said(wording, only, negated),
        ("and", _) if !negated => all(" and ", false),
        ("or", _) if negated => all(" and ", true),
        ("and", _) => Some(format!("either {}", all(" or ", true)?)),
        ("or", _) => Some(format!("either {}", all(" or ", false)?)),
        ("not", [only]) => said(wording, only, !negated),
        ("imply", [one, two]) if negated => Some(format!(
            "{} and {}",
            said(wording, one, false)?,
            said(wording, two, true)?
        )),
        ("imply", [one, two]) => Some(format!(
            "if {}, then {}",
            said(wording, one, false)?,
            said(wording, two, false)?
        )),
        (quantifier @ ("forall" | "exists"), [Part::List(variables), body]) => {
            let variables = variables_said(variables)?;
            let is_all = quantifier == "forall";
            let body = said(wording, body, negated && is_all)?;
            Some(match (is_all, negated) {
                (true, false) => format!("for every {variables}, {body}"),
                (false, true) => format!("there is no {variables} such that {body}"),
                _ => format!("for some {variables}, {body}"),
            })
        }
        ("=", [Part::Word(one), Part::Word(two)]) if number(two).is_none() => {
            let is = if negated { "is not" } else { "is" };
            Some(format!("{} {is} {}", phrase(wording, one), phrase(wording, two)))
        }
        (sign @ ("=" | "<" | ">" | "<=" | ">="), [function, Part::Word(value)]) => {
            let words = match (sign, negated) {
                ("=", false) => "",
                ("=", true) => "other than ",
                ("<", false) | (">=", true) => "less than ",
                (">", false) | ("<=", true) => "more than ",
                ("<=", _) | (">", _) => "at most ",
                _ => "at least ",
            };
            function_said(wording, function, &format!("{words}{}", number(value)?))
        }
        (name, arguments) => {
            let names = arguments.iter().map(|argument| match argument {
                Part::Word(word) => Some((*word).to_owned()),
                Part::List(_) => None,
            });
            let term = TextTerm {
                name: name.to_owned(),
                arguments: names.collect::<Option<Vec<_>>>()?,
                value: None,
            };
            let known = if negated {
                wording.false_sentence(&term)
            } else {
                wording.fact_sentence(&term)
            };
            known.or_else(|| {
                let phrases: Vec<_> = term.arguments.iter().map(|name| phrase(wording, name)).collect();
                if negated {
                    wording.loose_false_sentence(&term.name, &phrases)
                } else {
                    wording.loose_sentence(&term.name, &phrases, None)
                }
            })
        }
    }
}

fn function_said(wording: &Wording, function: &Part<'_>, value: &str) -> Option<String> {
    let Part::List(parts) = function else {
        return None;
    };
    let (Part::Word(name), rest) = parts.split_first()? else {
        return None;
    };
    let phrases = rest.iter().map(|argument| match argument {
        Part::Word(word) => Some(phrase(wording, word)),
        Part::List(_) => None,
    });
    let phrases = phrases.collect::<Option<Vec<_>>>()?;
    wording.loose_sentence(&name.to_ascii_lowercase(), &phrases, Some(value))
}

fn number(word: &str) -> Option<&str> {
    word.parse::<f64>().is_ok().then_some(word)
}

fn phrase(wording: &Wording, name: &str) -> String {
    match name.strip_prefix('?') {
        Some(variable) => variable.to_owned(),
        None => wording.object(name).to_owned(),
    }
}

/// Returns the words for typed variables: `block x and ball y`.
fn variables_said(parts: &[Part<'_>]) -> Option<String> {
    let mut said = Vec::new();
    let mut untyped = Vec::new();
    let mut parts = parts.iter();
    while let Some(part) = parts.next() {
        match part {
            Part::Word("-") => {
                let of = match parts.next()? {
                    Part::Word(of) => english::words(of).join(" "),
                    Part::List(_) => "thing".to_owned(),
                };
                said.extend(untyped.drain(..).map(|variable| format!("{of} {variable}")));
            }
            Part::Word(word) => untyped.push(word.strip_prefix('?')?.to_owned()),
            Part::List(_) => return None,
        }
    }
    said.extend(untyped);
    (!said.is_empty()).then(|| said.join(" and "))
}
