//! What each code means, at length, with an example of the fault and one without it.

mod features;
mod formulas;
mod names;
mod text;
mod warnings;

use std::fmt;

use super::Code;

/// What a code means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation {
    code: Code,
    text: &'static str,
    wrong: &'static str,
    right: &'static str,
}

impl Explanation {
    const fn new(code: Code, text: &'static str, wrong: &'static str, right: &'static str) -> Self {
        Self {
            code,
            text,
            wrong,
            right,
        }
    }

    /// The code that is explained.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// Why it is a fault, and what to do.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// A text that has the fault; empty where it would be too long to show.
    #[must_use]
    pub const fn wrong(&self) -> &'static str {
        self.wrong
    }

    /// The same text without it.
    #[must_use]
    pub const fn right(&self) -> &'static str {
        self.right
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}\n\n{}", self.code, self.code.summary(), self.text)?;
        for (title, example) in [("Wrong:", self.wrong), ("Right:", self.right)] {
            if !example.is_empty() {
                writeln!(f, "\n{title}\n")?;
                for line in example.lines() {
                    writeln!(f, "    {line}")?;
                }
            }
        }
        Ok(())
    }
}

const GROUPS: [&[Explanation]; 5] = [
    text::EXPLANATIONS,
    names::EXPLANATIONS,
    formulas::EXPLANATIONS,
    features::EXPLANATIONS,
    warnings::EXPLANATIONS,
];

impl Code {
    /// What the code means, at length.
    #[must_use]
    pub fn explanation(self) -> Explanation {
        let all = GROUPS.into_iter().flatten();
        let mut explained = all.filter(|explanation| explanation.code == self);
        // A test makes sure that every code is explained.
        explained
            .next()
            .copied()
            .unwrap_or(Explanation::new(self, self.summary(), "", ""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagnostic, Domain, ReadOptions, Severity, Source, read};

    #[test]
    fn every_code_is_explained_once() {
        let explained: Vec<Code> = GROUPS.into_iter().flatten().map(Explanation::code).collect();
        assert_eq!(explained, Code::ALL);
    }

    /// All diagnostics of a text, whose problems are for its first domain.
    fn diagnostics(text: &str) -> Vec<Diagnostic> {
        let source = Source::new("example.pddl", text);
        let document = read(&source, &ReadOptions::default());
        let mut all = document.diagnostics().to_vec();
        let mut first = None;
        for domain in document.domains() {
            let mut reading = domain.check();
            all.append(&mut reading.diagnostics);
            first = first.or(reading.value);
        }
        let domain = first.unwrap_or_else(|| Domain::from_text("(define (domain d))").expect("a domain"));
        for problem in document.problems() {
            all.append(&mut problem.check(&domain).diagnostics);
        }
        let asked_for_one = Domain::parse(&source);
        all.extend(
            asked_for_one
                .err()
                .into_iter()
                .flat_map(|faults| faults.diagnostics().to_vec()),
        );
        all
    }

    #[test]
    fn the_wrong_examples_are_wrong_and_the_right_ones_are_not() {
        for explanation in GROUPS.into_iter().flatten() {
            let code = explanation.code;
            if !explanation.wrong.is_empty() {
                let found = diagnostics(explanation.wrong);
                assert!(found.iter().any(|d| d.code() == code), "{code}: {found:?}");
                let right = diagnostics(explanation.right);
                assert!(
                    right
                        .iter()
                        .all(|d| d.code() != code && d.severity() == Severity::Warning),
                    "{code}: {right:?}"
                );
            }
        }
    }
}
