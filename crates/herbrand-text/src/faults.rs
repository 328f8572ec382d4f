//! All the faults of a text as one error.

use std::fmt;

use crate::{Code, Diagnostic, Severity, Style};

/// Why a text was not accepted: every fault found in it, and the warnings.
#[derive(Clone, PartialEq, Eq)]
pub struct Faults<C> {
    diagnostics: Vec<Diagnostic<C>>,
}

impl<C: Code> Faults<C> {
    /// The faults of a text that was not accepted.
    #[must_use]
    pub const fn new(diagnostics: Vec<Diagnostic<C>>) -> Self {
        Self { diagnostics }
    }

    /// The faults and warnings, in the order found.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic<C>] {
        &self.diagnostics
    }

    /// How many of them are errors.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.diagnostics
            .iter()
            .filter(|d| d.severity() == Severity::Error)
            .count()
    }

    /// All of them as text for people, one after another.
    #[must_use]
    pub fn render(&self, style: Style) -> String {
        let rendered: Vec<String> = self.diagnostics.iter().map(|d| d.render(style)).collect();
        rendered.join("\n\n")
    }
}

impl<C: Code> fmt::Display for Faults<C> {
    /// The plain rendering, without colours.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Style::Plain))
    }
}

impl<C: Code> fmt::Debug for Faults<C> {
    /// As it is displayed: this is what a failed `unwrap` prints.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<C: Code> std::error::Error for Faults<C> {}
