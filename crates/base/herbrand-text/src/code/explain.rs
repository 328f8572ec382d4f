//! Explanations of codes for users, with examples.

use std::fmt;

use crate::code::Code;

/// An explanation of a code for users: a text, an example that has the fault, and the corrected example.
/// [`Code::explanation`] returns it; it displays as text for a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation<C> {
    code: C,
    text: &'static str,
    wrong: &'static str,
    right: &'static str,
}

impl<C: Code> Explanation<C> {
    /// Creates the explanation of `code`. `text` says why it is a fault and how to fix it. `wrong` is an example with
    /// the fault, and `right` is the corrected example; both are empty if an example would be too long. Add it to the
    /// lists of explanations that [`codes!`](crate::codes) takes.
    #[must_use]
    pub const fn new(code: C, text: &'static str, wrong: &'static str, right: &'static str) -> Self {
        Self {
            code,
            text,
            wrong,
            right,
        }
    }

    /// Returns the explained code.
    #[must_use]
    pub const fn code(&self) -> C {
        self.code
    }

    /// Returns the text: why it is a fault and how to fix it.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// Returns an example that has the fault; empty if it would be too long.
    #[must_use]
    pub const fn wrong(&self) -> &'static str {
        self.wrong
    }

    /// Returns the corrected example; empty if it would be too long.
    #[must_use]
    pub const fn right(&self) -> &'static str {
        self.right
    }
}

impl<C: Code> fmt::Display for Explanation<C> {
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

/// Returns the explanation of `code` in `groups`, the lists of explanations of its language. Of several, it is the
/// first in order. If it is missing, returns an explanation that consists of the summary, with empty examples.
#[must_use]
pub fn explanation<C: Code>(code: C, groups: &[&[Explanation<C>]]) -> Explanation<C> {
    let mut all = groups.iter().copied().flatten();
    all.find(|explanation| explanation.code == code)
        .copied()
        .unwrap_or(Explanation::new(code, code.summary(), "", ""))
}
