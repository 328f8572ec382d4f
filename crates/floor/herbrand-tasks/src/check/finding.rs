//! Diagnostics as text and as data.

use herbrand_text::{Code, Diagnostic, Label, Severity, Style};
use serde::Serialize;

use crate::failure::FailureKind;

/// A diagnostic of PDDL, RDDL or settings. As data, it is what `check --format json` lists.
#[derive(Clone, Debug, Serialize)]
pub struct CheckFinding {
    code: &'static str,
    /// Whether it is an `error` or a `warning`.
    pub severity: &'static str,
    #[serde(flatten)]
    place: Option<Place>,
    message: String,
    labels: Vec<LabelData>,
    help: Option<String>,
    notes: Vec<String>,
    /// The diagnostic as text for people, with colours.
    #[serde(skip)]
    pub rendered: String,
    /// The remedy.
    #[serde(skip)]
    pub kind: FailureKind,
}

/// Lines and columns count from 1, columns in characters. The end is exclusive.
#[derive(Clone, Debug, Serialize)]
struct Place {
    file: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Clone, Debug, Serialize)]
struct LabelData {
    #[serde(flatten)]
    place: Place,
    text: String,
    primary: bool,
}

impl CheckFinding {
    /// Returns a diagnostic as data and as text.
    #[must_use]
    pub fn of<C: Code>(diagnostic: &Diagnostic<C>) -> Self {
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

    /// Returns an error or warning without a code or a place.
    #[must_use]
    pub fn plain(severity: Severity, kind: FailureKind, message: String) -> Self {
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
