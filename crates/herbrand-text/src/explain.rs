//! What a code means, at length, with an example of the fault and one without it.

use std::fmt;

use crate::Code;

/// What a code means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation<C> {
    code: C,
    text: &'static str,
    wrong: &'static str,
    right: &'static str,
}

impl<C: Code> Explanation<C> {
    /// The explanation of `code`: why it is a fault and what to do, a text that has it (empty where it would be too long
    /// to show), and the same text without it.
    #[must_use]
    pub const fn new(code: C, text: &'static str, wrong: &'static str, right: &'static str) -> Self {
        Self {
            code,
            text,
            wrong,
            right,
        }
    }

    /// The code that is explained.
    #[must_use]
    pub const fn code(&self) -> C {
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

/// The explanation of `code` among `groups`; its summary if there is none.
#[must_use]
pub fn explanation<C: Code>(code: C, groups: &[&[Explanation<C>]]) -> Explanation<C> {
    let mut all = groups.iter().copied().flatten();
    all.find(|explanation| explanation.code == code)
        .copied()
        .unwrap_or(Explanation::new(code, code.summary(), "", ""))
}
