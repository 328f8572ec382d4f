//! Collecting diagnostics while a text is parsed.

use herbrand_limits::{Budget, Meter};

use crate::code::{Code, Severity};
use crate::diagnostic::{Diagnostic, Label, shorten};
use crate::source::{Source, Span};

/// A collector of the diagnostics of one source. A front end creates one, calls [`report`](Self::report) for each
/// fault, and finishes with [`into_list`](Self::into_list). It shows a limited number of faults. `C` is the type of the
/// language's codes. At most 200 errors and 200 warnings are kept.
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

    /// Creates an empty collector for `source`, without a limit on time and memory. If `strict` is set, warnings become
    /// errors. Then call [`report`](Self::report) for each fault, and [`into_list`](Self::into_list) at the end.
    #[must_use]
    pub fn new(source: Source, strict: bool) -> Self {
        Self::within(source, strict, Budget::unlimited().meter("reading"))
    }

    /// Creates an empty collector for `source`, with a meter for the cost of parsing, made by [`Budget::meter`]. If
    /// `strict` is set, warnings become errors. Once the meter is exhausted, [`into_list`](Self::into_list) adds one
    /// error that says so, and no further diagnostics are added, though the earlier ones stay, because the text was not
    /// read completely.
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

    /// Sets whether faults [with one obvious repair](Self::report_repaired) are warnings instead of errors. By default
    /// they have the severity of their code. In strict mode they are errors all the same.
    #[must_use]
    pub const fn lenient(mut self, lenient: bool) -> Self {
        self.lenient = lenient;
        self
    }

    /// Returns the meter for the cost of parsing. It is the one given to [`within`](Self::within), or an unlimited
    /// one.
    #[must_use]
    pub const fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    /// Charges bytes that are about to be allocated to the meter. Returns `false` if the budget is exhausted: then stop
    /// parsing soon. [`into_list`](Self::into_list) adds the diagnostic about this.
    #[inline]
    pub fn charge(&mut self, bytes: usize) -> bool {
        self.meter.charge(bytes as u64)
    }

    /// Appends an item to a list and charges the growth of the list. If the budget is exhausted, the item is dropped
    /// and the list stays as it is. Nothing is returned: ask [`is_spent`](Self::is_spent), or stop after the next
    /// [`charge`](Self::charge) that returns `false`.
    #[inline]
    pub fn push<T>(&mut self, list: &mut Vec<T>, item: T) {
        self.meter.push(list, item);
    }

    /// Returns whether the budget for parsing is exhausted. Once it is, further reports are dropped, and parsing should
    /// stop.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.meter.is_spent()
    }

    /// Adds a diagnostic with this code and message. `describe` adds labels, notes and help to the draft that it receives.
    ///
    /// Once 200 errors are listed, further errors are only counted, and `describe` is not called; likewise warnings.
    /// Once the budget is exhausted ([`is_spent`](Self::is_spent)), they are dropped.
    pub fn report(
        &mut self,
        code: C,
        message: impl Into<String>,
        describe: impl FnOnce(Draft<'_, C>) -> Draft<'_, C>,
    ) {
        self.report_as(code.severity(), code, message, describe);
    }

    /// Like [`report`](Self::report), for a fault with one obvious repair, which the parser then makes. `assumed`
    /// describes the repair. In [lenient mode](Self::lenient), the fault is a warning with that text as a note, or an
    /// error with the note in strict mode; otherwise it is reported as by `report`, without the note.
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
        // The list doubles when it grows.
        self.meter
            .charge((diagnostic.bytes() + size_of::<Diagnostic<C>>()) as u64);
        self.list.push(diagnostic);
    }

    /// Returns the source whose diagnostics are collected.
    #[must_use]
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// Returns whether the maximum number of errors is reached, so that further errors will not be shown. Then the
    /// caller can skip the search for suggestions. The maximum is 200 errors. Warnings have a maximum of their own,
    /// which does not count here.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.errors >= Self::LIMIT
    }

    /// Returns the number of errors reported so far. An exhausted budget counts as one. Errors beyond the maximum count
    /// too. If it is 0, the text is accepted.
    #[must_use]
    pub const fn errors(&self) -> usize {
        self.errors + self.meter.is_spent() as usize
    }

    /// Returns the collected diagnostics, sorted by the start of their first label, those without a label first. If
    /// faults were omitted or the budget is exhausted, a diagnostic at the end says so, with the code
    /// [`Code::TOO_MANY`] or [`Code::LIMIT`]. Besides these, at most 200 errors and 200 warnings are listed. The list
    /// is empty if nothing was reported. If [`errors`](Self::errors) is not 0, pass it to
    /// [`Faults::new`](crate::Faults::new).
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
        if let Some(exhausted) = self.meter.exhausted() {
            let message = format!("{exhausted} {}", self.source.name());
            self.list.push(Diagnostic::new(C::LIMIT, message));
        }
        self.list
    }
}

/// The result of checking a definition: the model if it has no errors, and all diagnostics. The languages name it with
/// their own codes. A definition with only syntax faults has no model either, although `diagnostics` may be empty.
#[derive(Clone, Debug)]
pub struct Checked<T, C> {
    /// The model; `None` if the definition has errors, also of syntax.
    pub value: Option<T>,
    /// The model of a domain that has errors, if its declarations are known in spite of them: problems can be checked
    /// against it, but nothing else can be done with it. `None` for problems, and if there is a [`value`](Self::value).
    pub declared: Option<T>,
    /// All faults and warnings of the definition, and of other blocks that it uses, without those of the syntax.
    pub diagnostics: Vec<Diagnostic<C>>,
}

/// A diagnostic under construction, passed to the closure of [`Diagnostics::report`], which returns it. Its labels are
/// in the collector's source, unless [`label_in`](Self::label_in) names another one.
pub struct Draft<'s, C> {
    source: &'s Source,
    diagnostic: Diagnostic<C>,
}

impl<C: Code> Draft<'_, C> {
    /// Adds the place of the fault itself, with a remark. Call it first, because the first label determines the order
    /// of diagnostics.
    #[must_use]
    pub fn primary(self, span: Span, text: impl Into<String>) -> Self {
        let source = self.source.clone();
        self.push(source, span, text.into(), true)
    }

    /// Adds another place in the same source that helps to explain the fault, with a remark. Adds nothing if `span` is
    /// `None`.
    #[must_use]
    pub fn label(self, span: impl Into<Option<Span>>, text: impl Into<String>) -> Self {
        let source = self.source.clone();
        self.label_in(&source, span, text)
    }

    /// Adds a place in another source that helps to explain the fault, with a remark. Adds nothing if `span` is `None`.
    #[must_use]
    pub fn label_in(self, source: &Source, span: impl Into<Option<Span>>, text: impl Into<String>) -> Self {
        match span.into() {
            Some(span) => self.push(source.clone(), span, text.into(), false),
            None => self,
        }
    }

    /// Sets the help to a question whether the name `meant` was meant in place of the first label's text. Changes nothing if `meant` is `None`.
    /// [`nearest`](crate::nearest) finds such names.
    #[must_use]
    pub fn suggest(self, meant: Option<&str>) -> Self {
        match meant {
            Some(meant) => {
                let mut draft = self.help(format!("did you mean `{meant}`?"));
                draft.diagnostic.suggestion = Some(meant.to_owned());
                draft
            }
            None => self,
        }
    }

    /// Sets the help to write `text` in place of the first label's text. A text with `…` is a
    /// pattern: it is shown, but it is no [`suggestion`](Diagnostic::suggestion).
    #[must_use]
    pub fn write(self, text: &str) -> Self {
        let mut draft = self.help(format!("write `{text}`"));
        draft.diagnostic.suggestion = Some(text.to_owned()).filter(|text| !text.contains('…'));
        draft
    }

    /// Sets the help: a sentence on how to fix the fault. A later call, also of [`suggest`](Self::suggest), replaces
    /// the text of an earlier one.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.diagnostic.suggestion = None;
        self.diagnostic.help = Some(help.into());
        self
    }

    /// Adds a note: a further remark below the labels.
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
