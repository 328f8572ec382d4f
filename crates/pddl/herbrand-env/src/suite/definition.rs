//! Finds the definitions in a PDDL text without parsing it.

use std::iter;

/// The kinds of PDDL definitions, to tell domain files from problem files. [`name_in`](Self::name_in) looks for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    /// `(define (domain NAME) …)`
    Domain,
    /// `(define (problem NAME) …)`
    Problem,
}

impl Definition {
    /// Returns the name of the first definition of this kind in a text, in lower case; `None` if the text has no such
    /// definition. Reads the text only up to that name and does not check the rest.
    ///
    /// ```
    /// use herbrand_env::Definition;
    ///
    /// let text = "; (define (problem no))\n(DEFINE (Problem Yes) (:domain d))";
    /// assert_eq!(Definition::Problem.name_in(text).as_deref(), Some("yes"));
    /// assert_eq!(Definition::Domain.name_in(text), None);
    /// ```
    #[must_use]
    pub fn name_in(self, text: &str) -> Option<String> {
        let mut definitions = definitions(text);
        let found = definitions.find(|&(kind, _)| kind == self);
        found.map(|(_, name)| name.to_ascii_lowercase())
    }

    /// Returns whether a text defines domains but no problem.
    pub(super) fn is_domain_alone(text: &str) -> bool {
        // The first definition decides for most problem files.
        let mut definitions = definitions(text).map(|(kind, _)| kind);
        definitions.next() == Some(Self::Domain) && definitions.all(|kind| kind == Self::Domain)
    }
}

/// Iterates over the definitions of a text and their names.
fn definitions(text: &str) -> impl Iterator<Item = (Definition, &str)> {
    let mut tokens = tokens(text);
    let mut last = [""; 4];
    iter::from_fn(move || {
        loop {
            let token = tokens.next()?;
            let [open, define, inner, kind] = last;
            last = [define, inner, kind, token];
            if open == "(" && inner == "(" && define.eq_ignore_ascii_case("define") {
                let kinds = [("domain", Definition::Domain), ("problem", Definition::Problem)];
                let found = kinds.iter().find(|(word, _)| kind.eq_ignore_ascii_case(word));
                if let Some(&(_, kind)) = found
                    && token != "("
                    && token != ")"
                {
                    return Some((kind, token));
                }
            }
        }
    })
}

/// Iterates over parentheses and words, skipping comments.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    iter::from_fn(move || {
        rest = rest.trim_start();
        while rest.starts_with(';') {
            rest = rest.split_once('\n').map_or("", |(_, after)| after).trim_start();
        }
        let ends = |c: char| c.is_whitespace() || "();".contains(c);
        let end = match rest.chars().next()? {
            '(' | ')' => 1,
            _ => rest.find(ends).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found_in_order() {
        let text = "(define(domain d)(:predicates (problem x)))\n(define ; (problem c)\n ( problem p ) (:domain d))(define (domain";
        let found: Vec<_> = definitions(text).collect();
        assert_eq!(found, [(Definition::Domain, "d"), (Definition::Problem, "p")]);
        assert!(!Definition::is_domain_alone(text));
        assert!(Definition::is_domain_alone(&text[..40]));
        assert_eq!(definitions("(define (domain) (problem))").count(), 0);
        assert_eq!(definitions("").count(), 0);
    }
}
