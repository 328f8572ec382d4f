//! `herbrand check`: reports all errors and warnings in PDDL and RDDL files.

mod family;
mod rddl;
mod sentences;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use family::{Reached, unread_names};
use herbrand::Domain;
use herbrand::env::{Config, ConfigError, EnvError};
use herbrand::limits::{Budget, Limits};
use herbrand::pddl::{
    Code as PddlCode, Document, ReadOptions, Source, UncheckedProblem, doubts, never_true, read,
    start_doubts, undefined_values,
};
use herbrand::play::Language;
use herbrand::sas::FiniteDomainTask;
use herbrand::tasks::FailureKind;
use herbrand::text::{Code, Diagnostic, Severity};
use serde::Serialize;

use crate::diagnostics::Finding;
use crate::failure::{Failure, refuse};
use crate::input::{self, CommandFiles, FileKind};
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::pairing::Domains;
use herbrand::tasks::open::{is_domain, of_collection};

/// Parse and check PDDL or RDDL files, and finite-domain tasks (SAS+)
///
/// Prints every error and warning with its place, and a note for each name that nothing reads. The language, and whether a file is a domain or a problem, is detected
/// from its content. A problem or RDDL instance is checked against the domain that it names, or against the only domain
/// given; among several domains of that name, against the one in its folder; without a domain, against `domain.pddl` or `domain.rddl` in its folder or the one above. The exit status is 2 if there are errors, and 3 if a limit is the only one; warnings do not change it.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand check domain.pddl p01.pddl p02.pddl
  herbrand check p01.pddl                       check a problem and the domain.pddl beside it
  herbrand check domains/blocks                 check all files of a folder, with its settings
  herbrand check domain.rddl instance1.rddl
  herbrand check --strict domain.pddl           treat warnings as errors
  herbrand check --ground domain.pddl p01.pddl  also warn of goals and actions that the problem rules out
  herbrand check --format json domain.pddl
  generate-problem | herbrand check domain.pddl -

Run `herbrand explain CODE` for details of a diagnostic.")]
pub struct Check {
    /// PDDL, RDDL or SAS+ files, or folders of such files, settings (`env.toml`) and tables of sentences (`domain.text.toml`);
    /// `-` is standard input
    #[arg(required = true, value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,

    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,

    /// Also ground each problem in PDDL, and warn with the reason of goals that cannot hold, of actions that can never be applied,
    /// and of predicates that are never true; the latter two if they are so in all problems given
    #[arg(long)]
    ground: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

/// The result of a check, as JSON.
#[derive(Serialize)]
struct Report {
    files: usize,
    domains: usize,
    problems: usize,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<Finding>,
    /// Names that nothing reads.
    notes: Vec<Note>,
    /// Problems that were not checked because their domain is missing, or has errors in its declarations.
    unchecked: Vec<Unchecked>,
}

#[derive(Serialize)]
struct Unchecked {
    file: String,
    problem: String,
    reason: String,
}

impl Check {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.limits
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let limits = self.limits.limits();
        let files = self.files()?;
        let sources = files
            .iter()
            .map(|path| input::read_within(path, limits))
            .collect::<Result<Vec<_>, _>>()?;
        let (tasks, sources): (Vec<_>, Vec<_>) = sources
            .into_iter()
            .partition(|source| input::is_task_text(source.text()));
        for task in &tasks {
            FiniteDomainTask::from_sas(task, &Budget::new(limits))?;
        }
        let (settings, sources): (Vec<_>, Vec<_>) = sources
            .into_iter()
            .partition(|source| is_settings(Path::new(source.name())));
        let (of_rddl, of_pddl): (Vec<_>, Vec<_>) = sources
            .into_iter()
            .partition(|source| Language::of_source(source) == Language::Rddl);
        let mut findings = Findings {
            files: files.len(),
            ..Findings::default()
        };
        for source in &settings {
            let mut domains = of_pddl
                .iter()
                .map(Source::name)
                .chain(of_rddl.iter().map(Source::name));
            let file = Path::new(source.name());
            if !domains.any(|name| {
                let name = Path::new(name);
                let own = [input::settings_file(name), input::sentences_file(name)];
                own.iter().flatten().any(|own| own == file)
            }) {
                findings.unchecked.push(Unchecked {
                    file: source.name().to_owned(),
                    problem: String::new(),
                    reason: "there is no domain beside it".to_owned(),
                });
            }
        }
        findings.pddl(&of_pddl, &settings, &self, limits);
        findings.rddl(&of_rddl, &settings, self.strict, limits);
        let faults = findings.of(Severity::Error);
        let unchecked = findings.unchecked.iter().map(|_| FailureKind::Input);
        // A fault beside a limit is an answer.
        let answer = faults
            .map(|one| one.kind)
            .chain(unchecked)
            .map(CommandOutcome::from)
            .min();
        match format {
            Format::Json => output::json(&findings.report())?,
            Format::Text => findings.print()?,
        }
        Ok(answer.unwrap_or(CommandOutcome::Yes))
    }

    /// Returns the named files, and the files in the named folders. If none of them is a domain, adds the domains beside the
    /// problems and settings.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for path in &self.paths {
            if !path.is_dir() {
                let name = path.to_string_lossy();
                if let Some(set) = of_collection(&name, &CommandFiles)? {
                    files.extend(set.sources().map(|source| PathBuf::from(source.name())));
                    continue;
                }
                if !path.exists() && is_domain(&name) && !FileKind::is_file(&name) {
                    return refuse(format!(
                        "`{name}` is a bundled domain, which has no faults: `check` takes files and folders, and \
                         `herbrand show {name}` describes the domain"
                    ));
                }
                files.push(path.clone());
                continue;
            }
            let before = files.len();
            input::files_below(path, &mut files, &|path| {
                let ending = path.extension().and_then(|ending| ending.to_str());
                is_settings(path) || matches!(ending, Some("pddl" | "ppddl" | "rddl"))
            })?;
            if files.len() == before {
                return refuse(format!(
                    "{}: this folder has no PDDL or RDDL file",
                    path.display()
                ));
            }
            files[before..].sort();
        }
        let kinds: Vec<_> = files.iter().map(|path| FileKind::of(path)).collect();
        if !kinds.contains(&Some(FileKind::Domain)) {
            let problems = files.iter().zip(&kinds);
            let problems =
                problems.filter(|(path, kind)| **kind == Some(FileKind::Problem) || is_settings(path));
            let mut beside: Vec<_> = problems
                .filter_map(|(path, _)| input::domain_beside(path))
                .collect();
            beside.sort();
            beside.dedup();
            files.splice(0..0, beside);
        }
        // Paths in the current folder are shown without `./`.
        let plain = |path: PathBuf| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
        Ok(files.into_iter().map(plain).collect())
    }
}

/// Returns the settings that apply to the domain in a file, if they are among `settings`.
fn settings_of<'s>(domain: &Source, settings: &'s [Source]) -> Option<&'s Source> {
    let file = input::settings_file(Path::new(domain.name()))?;
    settings.iter().find(|source| Path::new(source.name()) == file)
}

/// Returns whether the settings of a domain mention the name that a diagnostic is about, for example to draw its facts.
fn is_in_settings<C: Code>(diagnostic: &Diagnostic<C>, settings: &[Source]) -> bool {
    let Some(label) = diagnostic.labels().first() else {
        return false;
    };
    let name = label
        .source()
        .text()
        .get(label.span().range())
        .unwrap_or_default();
    let own = settings_of(label.source(), settings);
    own.is_some_and(|own| own.text().contains(&format!("\"{}\"", name.to_lowercase())))
}

/// Returns whether a file contains the settings of a domain or its table of sentences.
fn is_settings(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name == "env.toml" || name == "domain.text.toml")
}

/// The diagnostics of all files, and the problems that could not be checked.
#[derive(Default)]
struct Findings {
    files: usize,
    domains: usize,
    problems: usize,
    found: Vec<Finding>,
    notes: Vec<Note>,
    unchecked: Vec<Unchecked>,
}

/// A remark about a text, such as a name that nothing reads. It is no warning, also with --strict.
#[derive(Serialize)]
struct Note {
    file: String,
    line: usize,
    column: usize,
    message: String,
}

impl Note {
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

impl Findings {
    fn add<C: Code>(&mut self, diagnostics: &[Diagnostic<C>]) {
        self.found.extend(diagnostics.iter().map(Finding::of));
    }

    /// Adds an error without a code or a place.
    fn plain(&mut self, source: &Source, error: &(dyn std::error::Error + 'static)) {
        let message = format!("{}: {error}", source.name());
        self.found
            .push(Finding::plain(Severity::Error, FailureKind::of(error), message));
    }

    /// Checks files of PDDL.
    fn pddl(&mut self, sources: &[Source], settings: &[Source], asked: &Check, limits: Limits) {
        let strict = asked.strict;
        let options = ReadOptions {
            strict,
            ..input::read_options(limits)
        };
        let documents = sources.iter().map(|source| (source, read(source, &options)));
        let documents: Vec<(&Source, Document<'_>)> = documents.collect();
        let mut domains = Domains::new();
        for (source, document) in &documents {
            self.add(document.diagnostics());
            for domain in document.domains() {
                let reading = domain.check();
                self.domains += 1;
                self.add(&reading.diagnostics);
                if let Some(domain) = &reading.value {
                    self.add(&doubts(domain, strict));
                }
                if let Some(domain) = &reading.value {
                    let own = settings_of(source, settings);
                    if let Some(own) = own {
                        self.settings(own, domain);
                    }
                    self.sentences(source, settings, || sentences::vocabulary(domain, own));
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
        let mut reached = Reached::new(asked.ground.then_some(limits));
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
            let unread = notes.iter().filter(|one| !is_in_settings(one, settings));
            self.notes.extend(unread.map(Note::of));
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
            Err(reason) => self.unchecked.push(Unchecked {
                file: source.name().to_owned(),
                problem: problem.name(),
                reason: reason.to_string(),
            }),
        }
    }

    fn of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.found
            .iter()
            .filter(move |one| one.severity == severity.as_str())
    }

    fn report(self) -> Report {
        Report {
            files: self.files,
            domains: self.domains,
            problems: self.problems,
            errors: self.of(Severity::Error).count(),
            warnings: self.of(Severity::Warning).count(),
            diagnostics: self.found,
            notes: self.notes,
            unchecked: self.unchecked,
        }
    }

    /// Prints the diagnostics to standard error and their counts to standard output.
    fn print(&self) -> Result<(), Failure> {
        for one in &self.found {
            anstream::eprintln!("{}\n", one.rendered.trim_end());
        }
        for Note {
            file,
            line,
            column,
            message,
        } in &self.notes
        {
            anstream::eprintln!("note: {file}:{line}:{column}: {message}");
        }
        if !self.notes.is_empty() {
            anstream::eprintln!();
        }
        for Unchecked {
            file,
            problem,
            reason,
        } in &self.unchecked
        {
            let problem = match problem.as_str() {
                "" => String::new(),
                name => format!(": problem `{name}`"),
            };
            anstream::eprintln!("{file}{problem} was not checked: {reason}\n");
        }
        let mut out = output::out();
        let unchecked = match self.unchecked.len() {
            0 => String::new(),
            count => format!(", {count} not checked"),
        };
        writeln!(
            out,
            "{}: {}, {}; {}, {}{unchecked}",
            counted(self.files, "file"),
            counted(self.domains, "domain"),
            counted(self.problems, "problem"),
            counted(self.of(Severity::Error).count(), "error"),
            counted(self.of(Severity::Warning).count(), "warning"),
        )?;
        out.flush()?;
        Ok(())
    }
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
