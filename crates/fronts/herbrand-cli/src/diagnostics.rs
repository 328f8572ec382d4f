//! Diagnostics as text and as data.

use herbrand::tasks::FailureKind;
use herbrand::text::{Code, Diagnostic, Label, Severity, Style};
use serde::Serialize;

/// A diagnostic of PDDL, RDDL or settings. As data, it is what `check --format json` lists.
#[derive(Debug, Serialize)]
pub struct Finding {
    code: &'static str,
    pub(crate) severity: &'static str,
    #[serde(flatten)]
    place: Option<Place>,
    message: String,
    labels: Vec<LabelData>,
    help: Option<String>,
    notes: Vec<String>,
    /// The text for standard error.
    #[serde(skip)]
    pub(crate) rendered: String,
    /// The remedy.
    #[serde(skip)]
    pub(crate) kind: FailureKind,
}

/// Lines and columns count from 1, columns in characters. The end is exclusive.
#[derive(Debug, Serialize)]
struct Place {
    file: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Debug, Serialize)]
struct LabelData {
    #[serde(flatten)]
    place: Place,
    text: String,
    primary: bool,
}

impl Finding {
    pub(crate) fn of<C: Code>(diagnostic: &Diagnostic<C>) -> Self {
        let is_limit = diagnostic.code() == C::LIMIT;
        Self {
            code: diagnostic.code().as_str(),
            severity: diagnostic.severity().as_str(),
            place: diagnostic.labels().first().map(Place::of),
            message: diagnostic.message().to_owned(),
            labels: diagnostic.labels().iter().map(LabelData::of).collect(),
            help: diagnostic.help().map(str::to_owned),
            notes: diagnostic.notes().to_vec(),
            rendered: diagnostic.render(Style::Colored),
            kind: if is_limit {
                FailureKind::Limit
            } else {
                FailureKind::Input
            },
        }
    }

    /// An error or warning without a code or a place.
    pub(crate) fn plain(severity: Severity, kind: FailureKind, message: String) -> Self {
        Self {
            code: "",
            severity: severity.as_str(),
            place: None,
            rendered: format!("{}: {message}", severity.as_str()),
            message,
            labels: Vec::new(),
            help: None,
            notes: Vec::new(),
            kind,
        }
    }
}

impl LabelData {
    fn of(label: &Label) -> Self {
        Self {
            place: Place::of(label),
            text: label.text().to_owned(),
            primary: label.is_primary(),
        }
    }
}

impl Place {
    fn of(label: &Label) -> Self {
        let (start, end) = (label.start(), label.end());
        Self {
            file: label.source().name().to_owned(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}
