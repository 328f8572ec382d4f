//! Converts engine errors to refusals, and diagnostics to findings.

use herbrand_env::{ConfigError, EnvError};
use herbrand_pddlworld::WorldError;
use herbrand_rddl_sim::ground::CompileError;
use herbrand_rddl_sim::suite::RddlError;
use herbrand_tasks::any::{AnyError, ErrorKind};
use herbrand_tasks::walk::WalkFault;
use herbrand_text::{Code, Diagnostic, Faults, Severity};

use crate::finding::Finding;
use crate::refusal::{Reason, Refusal};
use crate::request::SETTINGS;

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

pub(crate) fn at_fault<C: Code>(faults: &Faults<C>) -> Refusal {
    let diagnostics = faults.diagnostics();
    let exhausted = diagnostics
        .iter()
        .find(|diagnostic| diagnostic.code() == C::LIMIT);
    if let Some(exhausted) = exhausted {
        return Refusal::limit(exhausted.message());
    }
    let count = faults.errors();
    let plural = if count == 1 { "" } else { "s" };
    Refusal {
        findings: findings(diagnostics),
        ..Refusal::new(Reason::Texts, format!("the texts have {count} error{plural}"))
    }
}

/// Converts a fault of PDDL settings to findings. Faults without diagnostics have no position.
pub(crate) fn of_settings(error: &EnvError) -> Vec<Finding> {
    match error {
        EnvError::Faults(faults) => findings(faults.diagnostics()),
        EnvError::Config(ConfigError::Faults(faults)) => findings(faults.diagnostics()),
        other => vec![Finding {
            text: SETTINGS.to_owned(),
            code: String::new(),
            severity: Severity::Error.as_str().to_owned(),
            message: other.to_string(),
            place: [1, 1, 1, 1],
            label: String::new(),
            help: String::new(),
            notes: Vec::new(),
        }],
    }
}

impl From<EnvError> for Refusal {
    fn from(error: EnvError) -> Self {
        match &error {
            EnvError::Faults(faults) => at_fault(faults),
            EnvError::Config(_) => Self {
                findings: of_settings(&error),
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
                findings: findings(settings.diagnostics()),
                ..Self::new(Reason::Texts, "the settings have an error")
            },
            RddlError::Compile(CompileError::BudgetExhausted(_)) => Self::limit(error),
            RddlError::UnknownEnvironment { .. } | RddlError::UnknownProblem { .. } => Self::unknown(error),
            _ => Self::new(Reason::Texts, error),
        }
    }
}

impl From<WorldError> for Refusal {
    fn from(error: WorldError) -> Self {
        match &error {
            WorldError::Pddl(faults) => at_fault(faults),
            WorldError::UnknownWorld(_) => Self::unknown(error),
            WorldError::Episode(_) | WorldError::NotAnEdit(_) => Self::new(Reason::Step, error),
            _ => Self::new(Reason::Texts, error),
        }
    }
}

impl From<AnyError> for Refusal {
    fn from(error: AnyError) -> Self {
        match error {
            AnyError::Env(error) => error.into(),
            AnyError::Rddl(error) => error.into(),
            AnyError::World(error) => error.into(),
            AnyError::InBatch { error, .. } => (*error).into(),
            AnyError::Episode(fault) => Self::new(Reason::Step, fault),
            AnyError::Other { kind, text } => match kind {
                ErrorKind::Form => Self::new(Reason::Request, text),
                ErrorKind::Action => Self::new(Reason::Step, text),
                ErrorKind::Name | ErrorKind::Lacking => Self::unknown(text),
                ErrorKind::Limit => Self::limit(text),
            },
        }
    }
}

impl From<WalkFault> for Refusal {
    fn from(fault: WalkFault) -> Self {
        match fault {
            WalkFault::Step { step, reason } => Self::step(step, reason),
            WalkFault::Limit(exhausted) => Self::limit(exhausted),
        }
    }
}

/// Converts the reason why a problem has no sentences to a refusal.
#[cfg(feature = "sessions")]
pub(crate) fn of_wording(error: herbrand_verbalize::WordingError) -> Refusal {
    match error {
        herbrand_verbalize::WordingError::Planning(error) => error.into(),
        herbrand_verbalize::WordingError::Rddl(error) => error.into(),
        herbrand_verbalize::WordingError::Table(faults) => at_fault(&faults),
    }
}
