//! All errors and warnings of texts.

mod family;
mod finding;
mod pairing;
mod rddl;

use std::error::Error;

use herbrand_env::{AgentActions, Config, ConfigError, EnvError};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{
    Code as PddlCode, Document, Domain, ReadOptions, UncheckedProblem, doubts, never_true, read,
    start_doubts, undefined_values,
};
use herbrand_sas::FiniteDomainTask;
use herbrand_text::{Code, Diagnostic, Severity, Source};
use herbrand_verbalize::{TextTable, TextVocabulary, Wording};
use serde::Serialize;

pub use finding::CheckFinding;

use crate::failure::{FailureKind, TaskFailure};
use crate::run::Run;
use family::{Reached, unread_names};
use pairing::Domains;

/// Texts to check.
#[derive(Clone, Debug, Default)]
pub struct CheckQuery {
    /// Texts in PDDL. The name of each is the path of a file, or unique.
    pub pddl: Vec<CheckText>,
    /// Texts in RDDL.
    pub rddl: Vec<CheckText>,
    /// Finite-domain tasks in the format of Fast Downward's translator.
    pub tasks: Vec<Source>,
    /// Whether warnings are errors.
    pub strict: bool,
    /// Whether faults in PDDL that have an obvious repair are warnings.
    pub lenient: bool,
    /// Whether problems in PDDL are grounded, to warn of goals, actions and predicates that they rule out.
    pub ground: bool,
}

/// A text with the settings and sentences of its domain.
#[derive(Clone, Debug)]
pub struct CheckText {
    /// The text.
    pub source: Source,
    /// The settings.
    pub settings: Option<Source>,
    /// The table of sentences.
    pub sentences: Option<Source>,
}

/// The result of a check. Serialises as `herbrand check --format json` prints it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckAnswer {
    /// The number of files.
    pub files: usize,
    /// The number of domains.
    pub domains: usize,
    /// The number of problems.
    pub problems: usize,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The errors and warnings.
    pub diagnostics: Vec<CheckFinding>,
    /// Names that nothing reads.
    pub notes: Vec<CheckNote>,
    /// Problems that were not checked because their domain is missing, or has errors in its declarations.
    pub unchecked: Vec<UncheckedText>,
}

/// A remark about a text, such as a name that nothing reads. It is no warning, even if warnings are errors.
#[derive(Clone, Debug, Serialize)]
pub struct CheckNote {
    /// The name of the text.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The remark.
    pub message: String,
}

impl CheckNote {
    fn of<C: Code>(diagnostic: &Diagnostic<C>) -> Self {
        let label = diagnostic.labels().first();
        let start = label.map(|label| label.start());
        Self {
            file: label.map_or_else(String::new, |label| label.source().name().to_owned()),
            line: start.map_or(0, |start| start.line),
            column: start.map_or(0, |start| start.column),
            message: diagnostic.message().to_owned(),
        }
    }
}

/// A problem that was not checked, or settings without a domain.
#[derive(Clone, Debug, Serialize)]
pub struct UncheckedText {
    /// The name of the text.
    pub file: String,
    /// The name of the problem; empty for settings.
    pub problem: String,
    /// Why it was not checked.
    pub reason: String,
}

/// Checks texts in PDDL and RDDL with their settings and tables of sentences, and finite-domain tasks. Problems are checked
/// against the domains that they name.
///
/// ```
/// use herbrand_tasks::Run;
/// use herbrand_tasks::check::{CheckQuery, CheckText, check};
/// use herbrand_text::Source;
///
/// let source = Source::new("domain.pddl", "(define (domain d) (:predicates (p)) (:action a :effect (q)))");
/// let text = CheckText { source, settings: None, sentences: None };
/// let query = CheckQuery { pddl: vec![text], ..CheckQuery::default() };
/// let answer = check(&query, &Run::default())?;
/// assert_eq!((answer.domains, answer.errors), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if a finite-domain task is faulty. Faults of other texts are the answer.
pub fn check(query: &CheckQuery, run: &Run<'_>) -> Result<CheckAnswer, TaskFailure> {
    for task in &query.tasks {
        FiniteDomainTask::from_sas(task, &Budget::new(run.limits)).map_err(TaskFailure::Sas)?;
    }
    let mut answer = CheckAnswer::default();
    answer.pddl(query, run.limits);
    answer.rddl(query, run.limits);
    answer.errors = answer.errors().count();
    answer.warnings = answer.diagnostics.len() - answer.errors;
    Ok(answer)
}

/// Returns the text among these that has a source.
fn text_of<'t>(texts: &'t [CheckText], source: &Source) -> Option<&'t CheckText> {
    texts.iter().find(|text| text.source.name() == source.name())
}

/// Returns whether the settings of a domain mention the name that a diagnostic is about, for example to draw its facts.
fn is_in_settings<C: Code>(diagnostic: &Diagnostic<C>, texts: &[CheckText]) -> bool {
    let Some(label) = diagnostic.labels().first() else {
        return false;
    };
    let name = label
        .source()
        .text()
        .get(label.span().range())
        .unwrap_or_default();
    let own = text_of(texts, label.source()).and_then(|text| text.settings.as_ref());
    own.is_some_and(|own| own.text().contains(&format!("\"{}\"", name.to_lowercase())))
}

/// Returns the names of a domain whose actions are those of its settings.
fn vocabulary(domain: &Domain, settings: Option<&Source>) -> TextVocabulary {
    let config = settings.and_then(|source| Config::parse(source).ok());
    let agent = config.and_then(|config| AgentActions::of(domain, &config).ok().flatten());
    TextVocabulary::of_domain(domain, agent.as_ref())
}

impl CheckAnswer {
    /// Returns the errors.
    pub fn errors(&self) -> impl Iterator<Item = &CheckFinding> {
        let error = Severity::Error.as_str();
        self.diagnostics.iter().filter(move |one| one.severity == error)
    }

    fn add<C: Code>(&mut self, diagnostics: &[Diagnostic<C>]) {
        self.diagnostics.extend(diagnostics.iter().map(CheckFinding::of));
    }

    /// Adds an error without a code or a place.
    fn plain(&mut self, source: &Source, error: &(dyn Error + 'static)) {
        let message = format!("{}: {error}", source.name());
        self.diagnostics.push(CheckFinding::plain(
            Severity::Error,
            FailureKind::of(error),
            message,
        ));
    }

    /// Checks texts of PDDL.
    fn pddl(&mut self, query: &CheckQuery, limits: Limits) {
        let (texts, strict) = (&query.pddl, query.strict);
        let options = ReadOptions {
            strict,
            lenient: query.lenient,
            ..ReadOptions::within(&Budget::new(limits))
        };
        let documents = texts
            .iter()
            .map(|text| (&text.source, read(&text.source, &options)));
        let documents: Vec<(&Source, Document<'_>)> = documents.collect();
        let mut domains = Domains::new();
        for ((source, document), text) in documents.iter().zip(texts) {
            self.add(document.diagnostics());
            for domain in document.domains() {
                let reading = domain.check();
                self.domains += 1;
                self.add(&reading.diagnostics);
                if let Some(domain) = &reading.value {
                    self.add(&doubts(domain, strict));
                    let settings = text.settings.as_ref();
                    settings
                        .iter()
                        .for_each(|settings| self.settings(settings, domain));
                    self.sentences(text, || vocabulary(domain, settings));
                }
                let is_sound = reading.value.is_some();
                let known = reading.value.or(reading.declared);
                domains.add(
                    &domain.name(),
                    source.name(),
                    known.map(|domain| (domain, is_sound)),
                );
            }
        }
        let mut reached = Reached::new(query.ground.then_some(limits));
        for (source, document) in &documents {
            for problem in document.problems() {
                self.problem(source, problem, &domains, strict, &mut reached);
            }
        }
        self.add(&reached.of_domains());
        for found in unread_names(&documents, &domains, strict) {
            let (notes, warnings): (Vec<_>, Vec<_>) = found
                .into_iter()
                .partition(|one| one.code() == PddlCode::UnreadName);
            self.add(&warnings);
            let unread = notes.iter().filter(|one| !is_in_settings(one, texts));
            self.notes.extend(unread.map(CheckNote::of));
        }
    }

    /// Checks the settings of a domain in PDDL.
    fn settings(&mut self, settings: &Source, domain: &Domain) {
        for fault in Config::faults(domain, settings) {
            match fault {
                EnvError::Faults(faults) => self.add(faults.diagnostics()),
                EnvError::Config(ConfigError::Faults(faults)) => self.add(faults.diagnostics()),
                fault => self.plain(settings, &fault),
            }
        }
    }

    /// Checks the table of sentences of the domain in a text.
    fn sentences(&mut self, text: &CheckText, vocabulary: impl FnOnce() -> TextVocabulary) {
        let Some(table) = &text.sentences else { return };
        let fitted = TextTable::parse(table).and_then(|table| Wording::new(vocabulary(), Some(&table)));
        if let Err(faults) = fitted {
            self.add(faults.diagnostics());
        }
    }

    fn problem(
        &mut self,
        source: &Source,
        problem: UncheckedProblem<'_, '_>,
        domains: &Domains<(Domain, bool)>,
        strict: bool,
        reached: &mut Reached,
    ) {
        self.problems += 1;
        match domains.of(problem.domain_name().as_deref(), source.name()) {
            Ok((domain, is_sound)) => {
                let reading = problem.check(domain);
                self.add(&reading.diagnostics);
                self.add(&problem.missing_sections());
                if let (Some(problem), true) = (&reading.value, is_sound) {
                    match reached.problem(domain, problem, strict) {
                        None => self.add(&never_true(domain, problem, strict)),
                        Some(Ok(goals)) => self.add(&goals),
                        Some(Err(error)) => self.plain(source, &error),
                    }
                    self.add(&undefined_values(domain, problem, strict));
                    self.add(&start_doubts(domain, problem, strict));
                }
            }
            Err(reason) => self.unchecked.push(UncheckedText {
                file: source.name().to_owned(),
                problem: problem.name(),
                reason: reason.to_string(),
            }),
        }
    }
}
