//! `herbrand check`: everything that is wrong with PDDL files.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use herbrand::pddl::{
    Diagnostic, Document, Label, ReadOptions, Severity, Source, Style, UncheckedProblem, read,
};
use serde::Serialize;

use crate::Answer;
use crate::failure::Failure;
use crate::input;
use crate::output::{self, Format};
use crate::pairing::Domains;

/// Parse and check PDDL files
///
/// Prints every fault and warning with its place. What is a domain and what a problem is told by content; a problem
/// is checked against the domain of its name, or against the only domain there is. The exit status is 2 when there are
/// faults; warnings alone are fine.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand check domain.pddl p01.pddl p02.pddl
  herbrand check domains/blocks/domain.pddl domains/blocks/*/*.pddl
  herbrand check --strict domain.pddl           warnings count as faults
  herbrand check --format json domain.pddl
  generate-problem | herbrand check domain.pddl -

`herbrand explain CODE` says more about a diagnostic.")]
pub struct Check {
    /// PDDL files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Count warnings as faults
    #[arg(long)]
    strict: bool,
}

/// What a check found, as JSON shows it.
#[derive(Serialize)]
struct Report {
    files: usize,
    domains: usize,
    problems: usize,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<DiagnosticData>,
    /// Problems whose domain is not there or has faults.
    unchecked: Vec<Unchecked>,
}

#[derive(Clone, Serialize)]
struct Unchecked {
    file: String,
    problem: String,
    reason: String,
}

#[derive(Serialize)]
struct DiagnosticData {
    code: &'static str,
    severity: &'static str,
    #[serde(flatten)]
    place: Option<Place>,
    message: String,
    labels: Vec<LabelData>,
    help: Option<String>,
    notes: Vec<String>,
}

/// Lines and columns count from 1, columns in characters; the end is after the last character.
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

impl Check {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let sources = self
            .files
            .iter()
            .map(|path| input::read(path))
            .collect::<Result<Vec<_>, _>>()?;
        let options = ReadOptions {
            strict: self.strict,
            ..ReadOptions::default()
        };
        let documents = sources.iter().map(|source| (source, read(source, &options)));
        let documents = documents.collect::<Vec<_>>();
        let findings = Findings::of(&documents);
        let errors = findings.count(Severity::Error);
        match format {
            Format::Json => output::json(&findings.report(&documents))?,
            Format::Text => findings.print(&documents)?,
        }
        Ok(match errors {
            0 if findings.unchecked.is_empty() => Answer::Yes,
            _ => Answer::Faulty,
        })
    }
}

/// The diagnostics of all files, and the problems that could not be checked.
struct Findings {
    domains: usize,
    problems: usize,
    diagnostics: Vec<Diagnostic>,
    unchecked: Vec<Unchecked>,
}

impl Findings {
    fn of(documents: &[(&Source, Document<'_>)]) -> Self {
        let mut findings = Self {
            domains: 0,
            problems: 0,
            diagnostics: Vec::new(),
            unchecked: Vec::new(),
        };
        let mut domains = Domains::default();
        for (source, document) in documents {
            findings.diagnostics.extend_from_slice(document.diagnostics());
            let (count, diagnostics) = domains.add(source, document);
            findings.domains += count;
            findings.diagnostics.extend(diagnostics);
        }
        for (source, document) in documents {
            for problem in document.problems() {
                findings.problem(source, problem, &domains);
            }
        }
        findings
    }

    fn problem(&mut self, source: &Source, problem: UncheckedProblem<'_, '_>, domains: &Domains) {
        self.problems += 1;
        match domains.of(source, problem) {
            Ok(domain) => self.diagnostics.extend(problem.check(domain).diagnostics),
            Err(reason) => self.unchecked.push(Unchecked {
                file: source.name().to_owned(),
                problem: problem.name(),
                reason,
            }),
        }
    }

    fn count(&self, severity: Severity) -> usize {
        let of_this = |diagnostic: &&Diagnostic| diagnostic.severity() == severity;
        self.diagnostics.iter().filter(of_this).count()
    }

    fn report(&self, documents: &[(&Source, Document<'_>)]) -> Report {
        Report {
            files: documents.len(),
            domains: self.domains,
            problems: self.problems,
            errors: self.count(Severity::Error),
            warnings: self.count(Severity::Warning),
            diagnostics: self.diagnostics.iter().map(DiagnosticData::of).collect(),
            unchecked: self.unchecked.clone(),
        }
    }

    /// The diagnostics go to standard error, what they come to goes to standard output.
    fn print(&self, documents: &[(&Source, Document<'_>)]) -> Result<(), Failure> {
        for diagnostic in &self.diagnostics {
            anstream::eprintln!("{}\n", diagnostic.render(Style::Colored).trim_end());
        }
        for Unchecked {
            file,
            problem,
            reason,
        } in &self.unchecked
        {
            anstream::eprintln!("{file}: problem `{problem}` was not checked: {reason}\n");
        }
        let mut out = output::out();
        writeln!(
            out,
            "{}: {}, {}; {}, {}",
            counted(documents.len(), "file"),
            counted(self.domains, "domain"),
            counted(self.problems, "problem"),
            counted(self.count(Severity::Error), "error"),
            counted(self.count(Severity::Warning), "warning"),
        )?;
        out.flush()?;
        Ok(())
    }
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

impl DiagnosticData {
    fn of(diagnostic: &Diagnostic) -> Self {
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
