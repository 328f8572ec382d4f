//! Diagnostics: the faults and warnings of a text, with their places and the help to fix them.

mod render;

use std::fmt;

use crate::code::{Code, Severity};
use crate::source::{Position, Source, Span};

pub use render::Style;

/// A fault or warning of a text, with a code of type `C`, a message, labels, notes and help. Front ends create diagnostics
/// by [`Diagnostics::report`](crate::Diagnostics::report).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic<C> {
    code: C,
    pub(crate) severity: Severity,
    message: String,
    pub(crate) labels: Vec<Label>,
    pub(crate) help: Option<String>,
    pub(crate) suggestion: Option<String>,
    pub(crate) notes: Vec<String>,
}

/// A place in a source that a diagnostic points at, with a remark about it. [`Draft`](crate::Draft) adds them, and
/// [`Diagnostic::labels`] returns them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub(crate) source: Source,
    pub(crate) span: Span,
    pub(crate) text: String,
    pub(crate) primary: bool,
}

impl<C: Code> Diagnostic<C> {
    /// Returns the number of bytes that the diagnostic takes.
    pub(crate) fn bytes(&self) -> usize {
        let texts = [&self.message]
            .into_iter()
            .chain(&self.help)
            .chain(&self.suggestion);
        let texts = texts
            .chain(&self.notes)
            .chain(self.labels.iter().map(|label| &label.text));
        size_of::<Self>()
            + self.labels.capacity() * size_of::<Label>()
            + self.notes.capacity() * size_of::<String>()
            + texts.map(String::capacity).sum::<usize>()
    }

    /// Creates a diagnostic without labels, notes and help, with the severity of its code. To add these, use
    /// [`Diagnostics::report`](crate::Diagnostics::report) instead. A message of more than 400 bytes is cut, with `…`
    /// at the end.
    #[must_use]
    pub fn new(code: C, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: shorten(message.into()),
            labels: Vec::new(),
            help: None,
            suggestion: None,
            notes: Vec::new(),
        }
    }

    /// Returns the code, the kind of fault.
    #[must_use]
    pub const fn code(&self) -> C {
        self.code
    }

    /// Returns the severity, which strict or lenient parsing may have changed from the severity of the code.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the message, which states the fault in one line of at most 400 bytes, not counting the `…` of a longer
    /// one that was cut.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the labels, the places of the fault, in the order in which they were added, the primary label usually
    /// first. Empty if the fault has no place, such as an exhausted budget.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Returns the suggestion how to fix the fault; `None` if there is no suggestion.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Returns the text that probably belongs in place of the first label's text, such as the nearest name. The name may lack
    /// its sign, such as `?`. `None` if no text is likely. [`help`](Self::help) shows it.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }

    /// Returns the notes, further remarks below the labels. Empty for most diagnostics.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the diagnostic with labels in `source`, for a text that was made of parts of `source`. `place` returns
    /// the place in `source` of a place in the text; labels for which it returns `None` are left out. All labels are
    /// then in `source`, also labels of another source.
    #[must_use]
    pub fn moved(&self, source: &Source, place: impl Fn(Span) -> Option<Span>) -> Self {
        let labels = self.labels.iter().filter_map(|label| {
            Some(Label {
                source: source.clone(),
                span: place(label.span)?,
                ..label.clone()
            })
        });
        Self {
            labels: labels.collect(),
            ..self.clone()
        }
    }

    /// Returns the source of the first label; `None` if the diagnostic has no label.
    #[must_use]
    pub fn source(&self) -> Option<&Source> {
        self.labels.first().map(|label| &label.source)
    }
}

impl<C: Code> fmt::Display for Diagnostic<C> {
    /// Writes the plain rendering, without colours.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Style::Plain))
    }
}

impl Label {
    /// Returns the source that contains the labelled place.
    #[must_use]
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the labelled place as a range of bytes. The bytes are those of [`source`](Self::source), counted from 0.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Returns the remark about the place, which may be empty. A remark of more than 400 bytes was cut, with `…` at the
    /// end.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether this is the place of the fault itself. Other labels help to explain it.
    #[must_use]
    pub const fn is_primary(&self) -> bool {
        self.primary
    }

    /// Returns the line and column of the first character of the place. Both are counted from 1.
    #[must_use]
    pub fn start(&self) -> Position {
        self.source.position(self.span.start)
    }

    /// Returns the line and column after the last character of the place. Both are counted from 1. For an empty place,
    /// it equals [`start`](Self::start).
    #[must_use]
    pub fn end(&self) -> Position {
        self.source.position(self.span.end)
    }
}

/// Truncates a text that is unreadably long, because of a long name for example.
pub(crate) fn shorten(mut text: String) -> String {
    const LONGEST: usize = 400;
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push('…');
    }
    text
}
