//! Converts engine errors to refusals, and diagnostics to findings.

use herbrand_env::{ConfigError, EnvError};
use herbrand_rddl_sim::SettingsError;
use herbrand_rddl_sim::ground::CompileError;
use herbrand_rddl_sim::suite::RddlError;
use herbrand_text::{Code, Diagnostic, Faults, Severity};

use crate::planning::SETTINGS;
use crate::refusal::{Reason, Refusal};
use crate::reply::Finding;

/// Converts a diagnostic to a finding.
pub(crate) fn finding<C: Code>(diagnostic: &Diagnostic<C>) -> Finding {
    let primary = diagnostic.labels().iter().find(|label| label.is_primary());
    let label = primary.or_else(|| diagnostic.labels().first());
    let others = diagnostic.labels().iter().filter(|other| Some(*other) != label);
    let place = |line: usize, text: &str| match text {
        "" => format!("see line {line}"),
        text => format!("line {line}: {text}"),
    };
    let remarks = others.map(|other| place(other.start().line, other.text()));
    Finding {
        text: label
            .map(|label| label.source().name().to_owned())
            .unwrap_or_default(),
        code: diagnostic.code().as_str().to_owned(),
        severity: diagnostic.severity().as_str().to_owned(),
        message: diagnostic.message().to_owned(),
        place: label.map_or([1, 1, 1, 1], |label| {
            let (start, end) = (label.start(), label.end());
            [start.line, start.column, end.line, end.column]
        }),
        label: label.map(|label| label.text().to_owned()).unwrap_or_default(),
        help: diagnostic.help().unwrap_or_default().to_owned(),
        notes: remarks.chain(diagnostic.notes().iter().cloned()).collect(),
    }
}

/// Converts diagnostics to findings.
pub(crate) fn findings<C: Code>(diagnostics: &[Diagnostic<C>]) -> Vec<Finding> {
    diagnostics.iter().map(finding).collect()
}

fn at_fault<C: Code>(faults: &Faults<C>) -> Refusal {
    let diagnostics = faults.diagnostics();
    let spent = diagnostics
        .iter()
        .find(|diagnostic| diagnostic.code() == C::LIMIT);
    if let Some(spent) = spent {
        return Refusal::limit(spent.message());
    }
    let count = faults.errors();
    let plural = if count == 1 { "" } else { "s" };
    Refusal {
        findings: findings(diagnostics),
        ..Refusal::new(Reason::Texts, format!("the texts have {count} error{plural}"))
    }
}

/// Converts the faults of PDDL settings to findings.
pub(crate) fn of_settings(error: &ConfigError) -> Vec<Finding> {
    match error {
        ConfigError::Render(faults) => findings(faults.diagnostics()),
        other => vec![plain(&other.to_string())],
    }
}

/// Converts the faults of RDDL settings to findings.
pub(crate) fn of_rddl_settings(error: &SettingsError) -> Vec<Finding> {
    match error {
        SettingsError::Render(faults) => findings(faults.diagnostics()),
        other @ SettingsError::Format { .. } => vec![plain(&other.to_string())],
    }
}

/// Converts a fault of settings without a code. The messages of the TOML parser contain their positions as text.
fn plain(message: &str) -> Finding {
    let number = |word: &str| {
        let (_, rest) = message.split_once(word)?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<usize>().ok()
    };
    let place = match (number("at line "), number(", column ")) {
        (Some(line), Some(column)) => [line, column, line, column + 1],
        _ => [1, 1, 1, 1],
    };
    // The first line of a TOML message contains the position, the last one the fault.
    let last = message.lines().last().unwrap_or(message);
    let what = if place == [1, 1, 1, 1] { message } else { last };
    Finding {
        text: SETTINGS.to_owned(),
        code: String::new(),
        severity: Severity::Error.as_str().to_owned(),
        message: what.strip_prefix("settings: ").unwrap_or(what).to_owned(),
        place,
        label: String::new(),
        help: String::new(),
        notes: Vec::new(),
    }
}

impl From<EnvError> for Refusal {
    fn from(error: EnvError) -> Self {
        match &error {
            EnvError::Faults(faults) => at_fault(faults),
            EnvError::Config(config) => Self {
                findings: of_settings(config),
                ..Self::new(Reason::Texts, "the settings have an error")
            },
            _ if error.is_grounding_limit() => Self::limit(error),
            EnvError::TooManyActions(_) | EnvError::TooManyAtoms(_) => Self::limit(error),
            EnvError::UnknownDomain { .. } | EnvError::UnknownProblem { .. } => Self::unknown(error),
            _ => Self::new(Reason::Texts, error),
        }
    }
}

impl From<RddlError> for Refusal {
    fn from(error: RddlError) -> Self {
        match &error {
            RddlError::Faults(faults) => at_fault(faults),
            RddlError::Settings(settings) => Self {
                findings: of_rddl_settings(settings),
                ..Self::new(Reason::Texts, "the settings have an error")
            },
            RddlError::Compile(CompileError::Spent(_)) => Self::limit(error),
            RddlError::UnknownEnvironment { .. } | RddlError::UnknownProblem { .. } => Self::unknown(error),
            _ => Self::new(Reason::Texts, error),
        }
    }
}
