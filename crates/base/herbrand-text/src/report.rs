//! Collection of diagnostics while a text is parsed.

use herbrand_limits::{Budget, Meter};

use crate::diagnostic::shorten;
use crate::{Code, Diagnostic, Label, Severity, Source, Span};

/// A collector of the diagnostics of one source.
pub struct Diagnostics<C> {
    source: Source,
    strict: bool,
    lenient: bool,
    list: Vec<Diagnostic<C>>,
    errors: usize,
    warnings: usize,
    meter: Meter,
}

impl<C: Code> Diagnostics<C> {
    /// The maximum number of errors, and of warnings, that are kept. More are useless to the reader, and expensive to
    /// compute for a large file that is wrong throughout.
    const LIMIT: usize = 200;

    /// Creates an empty collector for `source`. If `strict`, warnings become errors.
    #[must_use]
    pub fn new(source: Source, strict: bool) -> Self {
        Self::within(source, strict, Budget::unlimited().meter("reading"))
    }

    /// Creates an empty collector for `source`, with a meter for the cost of parsing. Once the meter is exhausted, that is
    /// one more error and nothing else is reported, because the text was not read completely.
    #[must_use]
    pub const fn within(source: Source, strict: bool, meter: Meter) -> Self {
        Self {
            source,
            strict,
            lenient: false,
            list: Vec::new(),
            errors: 0,
            warnings: 0,
            meter,
        }
    }

    /// Sets whether [repaired](Self::report_repaired) faults are warnings instead of errors.
    #[must_use]
    pub const fn lenient(mut self, lenient: bool) -> Self {
        self.lenient = lenient;
        self
    }

    /// Returns the meter for the cost of parsing.
    #[must_use]
    pub const fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    /// Charges bytes that are about to be allocated. Returns whether there is budget left; if not, parsing should stop soon.
    #[inline]
    pub fn charge(&mut self, bytes: usize) -> bool {
        self.meter.charge(bytes as u64)
    }

    /// Appends an item to a list and charges its growth. Drops the item if the budget is exhausted.
    #[inline]
    pub fn push<T>(&mut self, list: &mut Vec<T>, item: T) {
        self.meter.push(list, item);
    }

    /// Returns whether the budget is exhausted.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.meter.is_spent()
    }

    /// Adds a diagnostic. `describe` adds labels, notes and help.
    pub fn report(
        &mut self,
        code: C,
        message: impl Into<String>,
        describe: impl FnOnce(Draft<'_, C>) -> Draft<'_, C>,
    ) {
        self.report_as(code.severity(), code, message, describe);
    }

    /// Like [`report`](Self::report), for a fault with one obvious repair. In lenient mode, the fault is a warning with the
    /// repair (`assumed`) as a note.
    pub fn report_repaired(
        &mut self,
        code: C,
        message: impl Into<String>,
        assumed: &str,
        describe: impl FnOnce(Draft<'_, C>) -> Draft<'_, C>,
    ) {
        if self.lenient {
            self.report_as(Severity::Warning, code, message, |draft| {
                describe(draft).note(assumed)
            });
        } else {
            self.report(code, message, describe);
        }
    }

    fn report_as(
        &mut self,
        severity: Severity,
        code: C,
        message: impl Into<String>,
        describe: impl FnOnce(Draft<'_, C>) -> Draft<'_, C>,
    ) {
        if self.meter.is_spent() {
            return;
        }
        let is_error = self.strict || severity == Severity::Error;
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
        diagnostic.severity = if is_error { Severity::Error } else { severity };
        self.list.push(diagnostic);
    }

    /// Returns the source.
    #[must_use]
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// Returns whether further errors will not be shown. Then the caller can skip the search for suggestions.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.errors >= Self::LIMIT
    }

    /// Returns the number of errors so far, including an exhausted budget.
    #[must_use]
    pub const fn errors(&self) -> usize {
        self.errors + self.meter.is_spent() as usize
    }

    /// Returns the diagnostics, sorted by the place of their first label. Omitted faults and an exhausted budget are added
    /// at the end.
    #[must_use]
    pub fn into_list(mut self) -> Vec<Diagnostic<C>> {
        self.list
            .sort_by_key(|d| d.labels.first().map(|label| label.span.start));
        let omitted = self.errors + self.warnings - self.list.len();
        if omitted > 0 {
            let message = format!("{omitted} further faults in {} are not shown", self.source.name());
            let mut rest = Diagnostic::new(C::TOO_MANY, message);
            if self.errors == 0 {
                rest.severity = Severity::Warning;
            }
            self.list.push(rest);
        }
        if let Some(spent) = self.meter.spent() {
            let message = format!("{spent} {}", self.source.name());
            self.list.push(Diagnostic::new(C::LIMIT, message));
        }
        self.list
    }
}

/// A diagnostic under construction. Its labels are in the collector's source, unless [`label_in`](Self::label_in) names
/// another one.
pub struct Draft<'s, C> {
    source: &'s Source,
    diagnostic: Diagnostic<C>,
}

impl<C: Code> Draft<'_, C> {
    /// Adds the place of the fault, with a remark.
    #[must_use]
    pub fn primary(self, span: Span, text: impl Into<String>) -> Self {
        let source = self.source.clone();
        self.push(source, span, text.into(), true)
    }

    /// Adds a place that helps to explain the fault, unless `span` is `None`.
    #[must_use]
    pub fn label(self, span: impl Into<Option<Span>>, text: impl Into<String>) -> Self {
        let source = self.source.clone();
        self.label_in(&source, span, text)
    }

    /// Adds a place in another source that helps to explain the fault, unless `span` is `None`.
    #[must_use]
    pub fn label_in(self, source: &Source, span: impl Into<Option<Span>>, text: impl Into<String>) -> Self {
        match span.into() {
            Some(span) => self.push(source.clone(), span, text.into(), false),
            None => self,
        }
    }

    /// Adds help that asks whether the name `meant` was meant, unless it is `None`.
    #[must_use]
    pub fn suggest(self, meant: Option<&str>) -> Self {
        match meant {
            Some(meant) => self.help(format!("did you mean `{meant}`?")),
            None => self,
        }
    }

    /// Sets the help: how to fix the fault.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.diagnostic.help = Some(help.into());
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
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
