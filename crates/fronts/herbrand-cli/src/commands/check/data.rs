//! The JSON form of diagnostics.

use herbrand::text::{Code, Diagnostic, Label, Severity};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct DiagnosticData {
    code: &'static str,
    severity: &'static str,
    #[serde(flatten)]
    place: Option<Place>,
    message: String,
    labels: Vec<LabelData>,
    help: Option<String>,
    notes: Vec<String>,
}

/// Lines and columns count from 1, columns in characters. The end is exclusive.
#[derive(Serialize)]
struct Place {
    file: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
struct LabelData {
    #[serde(flatten)]
    place: Place,
    text: String,
    primary: bool,
}

impl DiagnosticData {
    pub(super) fn of<C: Code>(diagnostic: &Diagnostic<C>) -> Self {
        Self {
            code: diagnostic.code().as_str(),
            severity: diagnostic.severity().as_str(),
            place: diagnostic.labels().first().map(Place::of),
            message: diagnostic.message().to_owned(),
            labels: diagnostic.labels().iter().map(LabelData::of).collect(),
            help: diagnostic.help().map(str::to_owned),
            notes: diagnostic.notes().to_vec(),
        }
    }
}

impl DiagnosticData {
    /// An error or warning without a code or a place.
    pub(super) fn plain(severity: Severity, message: String) -> Self {
        Self {
            code: "",
            severity: severity.as_str(),
            place: None,
            message,
            labels: Vec::new(),
            help: None,
            notes: Vec::new(),
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
