//! Questions with exact answers, for `herbrand.exam`. Requests, questions and grades are JSON.

use herbrand_exam::{Answer, ExamError, ExamOptions, Kind, OwnDomain, Question, Style};
use herbrand_limits::{Budget, Limits};
use herbrand_text::Source;
use herbrand_verbalize::TextCode;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::errors::{self, IntoException, OrRaise, guarded, interruptible};
use crate::limits::limits;

/// The arguments of `herbrand.exam.make`.
#[derive(Deserialize)]
struct Request {
    count: usize,
    kinds: Vec<String>,
    domains: Vec<String>,
    own: Option<Own>,
    seed: u64,
    lengths: (u32, u32),
    effort: Option<(u64, u64)>,
    pddl: bool,
    obfuscated: bool,
}

/// A domain in files.
#[derive(Deserialize)]
struct Own {
    name: String,
    domain: String,
    problems: Vec<String>,
    sentences: String,
    #[serde(default)]
    settings: String,
}

/// Grades with their tables.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    grades: herbrand_exam::Grades,
    table: String,
    html: String,
}

impl IntoException for ExamError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let class = match self {
            Self::Sentences(faults) => return errors::faults(py, faults, TextCode::Limit),
            Self::UnknownDomain { .. } => "UnknownNameError",
            Self::Limit(_) => "LimitError",
            Self::Disagreement { .. } | Self::NoAnswer { .. } => "InternalError",
            _ => "ConfigError",
        };
        errors::message(py, class, &self.to_string())
    }
}

/// Returns a file beside a domain; `None` if its text is empty.
fn table(name: &str, text: String) -> Option<Source> {
    (!text.is_empty()).then(|| Source::new(name, &text))
}

fn refused(py: Python<'_>, reason: &dyn std::fmt::Display) -> PyErr {
    errors::message(py, "ConfigError", &reason.to_string())
}

/// Makes questions. Returns them one a line.
#[pyfunction]
#[pyo3(signature = (request, limits_of_call))]
pub fn make_exam(
    py: Python<'_>,
    request: &str,
    limits_of_call: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let Limits { bytes, time } = limits(limits_of_call)?;
    let request: Request = serde_json::from_str(request).map_err(|error| refused(py, &error))?;
    let kinds = request.kinds.iter().map(|name| name.parse::<Kind>());
    let kinds = kinds
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| errors::message(py, "UnknownNameError", &error.to_string()))?;
    let options = ExamOptions {
        count: request.count,
        kinds,
        domains: request.domains,
        own: request.own.map(|own| OwnDomain {
            name: own.name,
            domain: own.domain,
            problems: own.problems,
            sentences: table("domain.text.toml", own.sentences),
            settings: table("env.toml", own.settings),
        }),
        seed: request.seed,
        lengths: request.lengths,
        effort: request.effort,
        style: if request.pddl { Style::Pddl } else { Style::Text },
        obfuscated: request.obfuscated,
    };
    let made = interruptible(py, || {
        let budget = Budget::new(Limits { bytes, time });
        herbrand_exam::make(&options, &budget, &|_| {})
    })?;
    herbrand_exam::write_lines(&made.or_raise(py)?).map_err(|error| refused(py, &error))
}

/// Grades answers, one a line, to questions, one a line.
#[pyfunction]
pub fn grade_exam(py: Python<'_>, questions: &str, answers: &str) -> PyResult<String> {
    let faulty = |faults: Vec<String>| refused(py, &faults.join("\n"));
    let questions = herbrand_exam::read_lines::<Question>("questions", questions).map_err(faulty)?;
    let answers = herbrand_exam::read_lines::<Answer>("answers", answers).map_err(faulty)?;
    let grades = guarded(py, || herbrand_exam::grade(&questions, &answers))?.map_err(faulty)?;
    if !grades.odd.is_empty() {
        return Err(faulty(grades.odd.into_iter().map(|odd| odd.reason).collect()));
    }
    let report = Report {
        table: grades.table(),
        html: grades.html(&questions),
        grades,
    };
    serde_json::to_string(&report).map_err(|error| refused(py, &error))
}

/// Grades one answer to a question.
#[pyfunction]
pub fn judge_exam(py: Python<'_>, question: &str, answer: &str) -> PyResult<String> {
    let question: Question = serde_json::from_str(question).map_err(|error| refused(py, &error))?;
    let verdict = guarded(py, || herbrand_exam::judge(&question, answer))?;
    serde_json::to_string(&verdict).map_err(|error| refused(py, &error))
}
