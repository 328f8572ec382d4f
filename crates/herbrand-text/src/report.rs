//! Diagnostics as they are found.

use herbrand_limits::{Budget, Meter};

use crate::diagnostic::shorten;
use crate::{Code, Diagnostic, Label, Severity, Source, Span};

/// The diagnostics of one reading of one source, as they are found.
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
    /// More errors, or more warnings, than this are noise, and would take long to compute for a large file that is
    /// wrong throughout.
    const LIMIT: usize = 200;

    /// None yet, of `source`; if `strict`, warnings are errors.
    #[must_use]
    pub fn new(source: Source, strict: bool) -> Self {
        Self::within(source, strict, Budget::unlimited().meter("reading"))
    }

    /// None yet, of `source`, whose reading is charged to `meter`. When that is spent, this is one more error, and
    /// nothing else is reported any more: what was read is not whole.
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

    /// The same diagnostics; if `lenient`, faults that are [repaired](Self::report_repaired) are warnings.
    #[must_use]
    pub const fn lenient(mut self, lenient: bool) -> Self {
        self.lenient = lenient;
        self
    }

    /// What reading is charged to.
    #[must_use]
    pub const fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    /// Counts bytes that are about to be held. Whether there is budget left: if not, reading should end soon.
    #[inline]
    pub fn charge(&mut self, bytes: usize) -> bool {
        self.meter.charge(bytes as u64)
    }

    /// Adds an item to a list that is charged for its growth; drops it if the budget is spent.
    #[inline]
    pub fn push<T>(&mut self, list: &mut Vec<T>, item: T) {
        self.meter.push(list, item);
    }

    /// Whether the budget is spent.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.meter.is_spent()
    }

    /// Adds a diagnostic; `describe` gives it places and help.
    pub fn report(
        &mut self,
        code: C,
        message: impl Into<String>,
        describe: impl FnOnce(Draft<'_, C>) -> Draft<'_, C>,
    ) {
        self.report_as(code.severity(), code, message, describe);
    }

    /// Like [`report`](Self::report), for a fault after which the text has one obvious reading. If reading is lenient, the fault is a
    /// warning, with a note of the assumption.
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

    /// The source that is read.
    #[must_use]
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// Whether further errors will not be shown, so that no suggestions need be sought for them.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.errors >= Self::LIMIT
    }

    /// The number of errors so far.
    #[must_use]
    pub const fn errors(&self) -> usize {
        self.errors + self.meter.is_spent() as usize
    }

    /// The diagnostics in the order of the text.
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

/// A diagnostic in the making, whose places are in one source unless said otherwise.
pub struct Draft<'s, C> {
    source: &'s Source,
    diagnostic: Diagnostic<C>,
}

impl<C: Code> Draft<'_, C> {
    /// Where the fault is.
    #[must_use]
    pub fn primary(self, span: Span, text: impl Into<String>) -> Self {
        let source = self.source.clone();
        self.push(source, span, text.into(), true)
    }

    /// A place that explains it, if there is one.
    #[must_use]
    pub fn label(self, span: impl Into<Option<Span>>, text: impl Into<String>) -> Self {
        let source = self.source.clone();
        self.label_in(&source, span, text)
    }

    /// A place in another source that explains it, if there is one.
    #[must_use]
    pub fn label_in(self, source: &Source, span: impl Into<Option<Span>>, text: impl Into<String>) -> Self {
        match span.into() {
            Some(span) => self.push(source.clone(), span, text.into(), false),
            None => self,
        }
    }

    /// The name that may have been meant, as help.
    #[must_use]
    pub fn suggest(self, meant: Option<&str>) -> Self {
        match meant {
            Some(meant) => self.help(format!("did you mean `{meant}`?")),
            None => self,
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.diagnostic.help = Some(help.into());
        self
    }

    /// A further remark.
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
