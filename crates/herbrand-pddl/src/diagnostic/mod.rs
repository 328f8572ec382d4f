//! What is wrong with a text, where, and what to do about it.

mod code;
mod explain;
mod faults;
mod render;
mod suggest;

use std::fmt;

use crate::{Position, Source, Span};

pub use code::{Code, Severity, UnknownCode};
pub use explain::Explanation;
pub use faults::Faults;
pub use render::Style;
pub(crate) use suggest::nearest;

/// One fault or warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    code: Code,
    severity: Severity,
    message: String,
    labels: Vec<Label>,
    help: Option<String>,
    notes: Vec<String>,
}

/// A place that a diagnostic speaks of, with what it says about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    source: Source,
    span: Span,
    text: String,
    primary: bool,
}

impl Diagnostic {
    /// A diagnostic without places, as severe as its code says.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
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
    pub const fn code(&self) -> Code {
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

    /// The source that the fault lies in, if it lies in one.
    #[must_use]
    pub fn source(&self) -> Option<&Source> {
        self.labels.first().map(|label| &label.source)
    }
}

impl fmt::Display for Diagnostic {
    /// The plain rendering, without colours.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Style::Plain))
    }
}

impl Label {
    /// The source it lies in.
    #[must_use]
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// Where it lies.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// What is said about it; may be empty.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the fault lies here, rather than something that explains it.
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

/// The diagnostics of one reading of one source, as they are found.
pub(crate) struct Diagnostics {
    source: Source,
    strict: bool,
    list: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl Diagnostics {
    /// More errors, or more warnings, than this are noise, and would take long to compute for a large file that is
    /// wrong throughout.
    const LIMIT: usize = 200;

    pub(crate) const fn new(source: Source, strict: bool) -> Self {
        Self {
            source,
            strict,
            list: Vec::new(),
            errors: 0,
            warnings: 0,
        }
    }

    /// Adds a diagnostic; `describe` gives it places and help.
    pub(crate) fn report(
        &mut self,
        code: Code,
        message: impl Into<String>,
        describe: impl FnOnce(Draft<'_>) -> Draft<'_>,
    ) {
        let is_error = self.strict || code.severity() == Severity::Error;
        let count = if is_error {
            &mut self.errors
        } else {
            &mut self.warnings
        };
        *count += 1;
        if *count > Self::LIMIT {
            return;
        }
        let draft = Draft {
            source: &self.source,
            diagnostic: Diagnostic::new(code, message),
        };
        let mut diagnostic = describe(draft).diagnostic;
        if is_error {
            diagnostic.severity = Severity::Error;
        }
        self.list.push(diagnostic);
    }

    /// Whether further errors will not be shown, so that no suggestions need be sought for them.
    pub(crate) const fn is_full(&self) -> bool {
        self.errors >= Self::LIMIT
    }

    /// The number of errors so far.
    pub(crate) const fn errors(&self) -> usize {
        self.errors
    }

    /// The diagnostics in the order of the text.
    pub(crate) fn into_list(mut self) -> Vec<Diagnostic> {
        self.list
            .sort_by_key(|d| d.labels.first().map(|label| label.span.start));
        let omitted = self.errors + self.warnings - self.list.len();
        if omitted > 0 {
            let message = format!("{omitted} further faults in {} are not shown", self.source.name());
            let mut rest = Diagnostic::new(Code::TooManyFaults, message);
            if self.errors == 0 {
                rest.severity = Severity::Warning;
            }
            self.list.push(rest);
        }
        self.list
    }
}

/// A diagnostic in the making, whose places lie in one source unless said otherwise.
pub(crate) struct Draft<'s> {
    source: &'s Source,
    diagnostic: Diagnostic,
}

impl Draft<'_> {
    /// Where the fault lies.
    pub(crate) fn primary(self, span: Span, text: impl Into<String>) -> Self {
        let source = self.source.clone();
        self.push(source, span, text.into(), true)
    }

    /// A place that explains it, if there is one.
    pub(crate) fn label(self, span: impl Into<Option<Span>>, text: impl Into<String>) -> Self {
        let source = self.source.clone();
        self.label_in(&source, span, text)
    }

    /// A place in another source that explains it, if there is one.
    pub(crate) fn label_in(
        self,
        source: &Source,
        span: impl Into<Option<Span>>,
        text: impl Into<String>,
    ) -> Self {
        match span.into() {
            Some(span) => self.push(source.clone(), span, text.into(), false),
            None => self,
        }
    }

    /// The name that may have been meant, as help.
    pub(crate) fn suggest(self, meant: Option<&str>) -> Self {
        match meant {
            Some(meant) => self.help(format!("did you mean `{meant}`?")),
            None => self,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.diagnostic.help = Some(help.into());
        self
    }

    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.diagnostic.notes.push(note.into());
        self
    }

    fn push(mut self, source: Source, span: Span, text: String, primary: bool) -> Self {
        self.diagnostic.labels.push(Label {
            source,
            span,
            text: shorten(text),
            primary,
        });
        self
    }
}

/// The text, cut off where a name makes it longer than anyone reads.
fn shorten(mut text: String) -> String {
    const LONGEST: usize = 400;
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push('…');
    }
    text
}
