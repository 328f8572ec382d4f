//! One diagnostic: what is wrong with a text, where, and what to do about it.

use std::fmt;

use crate::{Code, Position, Severity, Source, Span, Style};

/// One fault or warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic<C> {
    code: C,
    pub(crate) severity: Severity,
    message: String,
    pub(crate) labels: Vec<Label>,
    pub(crate) help: Option<String>,
    pub(crate) notes: Vec<String>,
}

/// A place that a diagnostic speaks of, with what it says about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub(crate) source: Source,
    pub(crate) span: Span,
    pub(crate) text: String,
    pub(crate) primary: bool,
}

impl<C: Code> Diagnostic<C> {
    /// A diagnostic without places, as severe as its code says.
    #[must_use]
    pub fn new(code: C, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: shorten(message.into()),
            labels: Vec::new(),
            help: None,
            notes: Vec::new(),
        }
    }

    /// Which fault it is.
    #[must_use]
    pub const fn code(&self) -> C {
        self.code
    }

    /// How severe it is.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// What is wrong, in one line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The places it speaks of, the primary one first.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Further remarks.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The source that the fault is in, if it is in one.
    #[must_use]
    pub fn source(&self) -> Option<&Source> {
        self.labels.first().map(|label| &label.source)
    }
}

impl<C: Code> fmt::Display for Diagnostic<C> {
    /// The plain rendering, without colours.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Style::Plain))
    }
}

impl Label {
    /// The source it is in.
    #[must_use]
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// Where it is.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// What is said about it; may be empty.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the fault is here, rather than something that explains it.
    #[must_use]
    pub const fn is_primary(&self) -> bool {
        self.primary
    }

    /// Line and column of its first character.
    #[must_use]
    pub fn start(&self) -> Position {
        self.source.position(self.span.start)
    }

    /// Line and column after its last character.
    #[must_use]
    pub fn end(&self) -> Position {
        self.source.position(self.span.end)
    }
}

/// The text, cut off where a name makes it longer than anyone reads.
pub(crate) fn shorten(mut text: String) -> String {
    const LONGEST: usize = 400;
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push('…');
    }
    text
}
