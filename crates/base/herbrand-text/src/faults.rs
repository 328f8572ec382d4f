//! The error that a text was rejected because of its faults.

use std::fmt;

use crate::code::{Code, Severity};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::Style;

/// The reason why a text was rejected: all its faults and warnings. It displays as the rendered diagnostics. Functions
/// that read a text return it as their error. [`LoadError::Faults`](crate::LoadError::Faults) contains it.
#[derive(Clone, PartialEq, Eq)]
pub struct Faults<C> {
    diagnostics: Vec<Diagnostic<C>>,
}

impl<C: Code> Faults<C> {
    /// Creates the error from all diagnostics of a rejected text. At least one of them should be an error. They
    /// usually come from [`Diagnostics::into_list`](crate::Diagnostics::into_list). This is not checked.
    #[must_use]
    pub const fn new(diagnostics: Vec<Diagnostic<C>>) -> Self {
        Self { diagnostics }
    }

    /// Returns all faults and warnings, in the order in which they were passed to [`new`](Self::new). Filter them by
    /// [`Diagnostic::severity`] to get the errors only.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic<C>] {
        &self.diagnostics
    }

    /// Returns the number of diagnostics that are errors, not warnings. At least 1 for a rejected text.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.diagnostics
            .iter()
            .filter(|d| d.severity() == Severity::Error)
            .count()
    }

    /// Renders all faults and warnings for people, separated by blank lines. The order is that of
    /// [`diagnostics`](Self::diagnostics).
    #[must_use]
    pub fn render(&self, style: Style) -> String {
        let rendered: Vec<String> = self.diagnostics.iter().map(|d| d.render(style)).collect();
        rendered.join("\n\n")
    }
}

impl<C: Code> fmt::Display for Faults<C> {
    /// Writes the plain rendering, without colours.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Style::Plain))
    }
}

impl<C: Code> fmt::Debug for Faults<C> {
    /// Same as `Display`, because a failed `unwrap` prints this.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<C: Code> std::error::Error for Faults<C> {}
