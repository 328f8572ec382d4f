//! `herbrand replay`: follow traces and compare every state.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::collections::Collection;
use herbrand::core::trace::Replay as Replayed;
use herbrand::env::{ActionMode, Registry};
use herbrand::limits::Limits;
use herbrand::rddl::suite::RddlSuite;
use herbrand::tasks::AnyProblems;
use herbrand::tasks::open::only_set;
use herbrand::tasks::traces::TraceReader;
use serde::Serialize;

use crate::engine::EngineName;
use crate::failure::{Failure, refuse};
use crate::input::{self, FileKind};
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted, grouped};
use crate::python::{data, python};

/// Replay traces and compare every state
///
/// Follows walks recorded by this or another engine, and compares the atoms of every state, all valid actions, and whether
/// the goal holds. After a random outcome, the recorded state must be one of the possible outcomes. The header of a trace
/// names the domain and the problem, as files relative to the trace or as a bundled domain; --domain and --problem override
/// it. The settings in `env.toml` next to the domain apply; they declare the agent's actions, if the trace lists those. In RDDL,
/// values, rewards and observations are compared step by step, with a relative tolerance of a billionth for reals.
///
/// The exit status is 1 if anything differs. The Python package replays a folder that `herbrand record --parquet` wrote.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand replay p01.trace.jsonl
  herbrand replay traces                  all traces (*.jsonl) in a folder and below it
  herbrand replay traces/*.trace.jsonl --format json
  herbrand replay domain.pddl p01.pddl walk.jsonl
  herbrand replay p01.trace.jsonl --engine lifted")]
pub struct Replay {
    /// Traces or folders of traces; a domain file and a problem file may come first
    #[arg(required = true, value_name = "TRACE|FOLDER")]
    words: Vec<PathBuf>,

    /// The domain of all traces: a bundled domain, a folder or a file
    #[arg(long, value_name = "DOMAIN")]
    domain: Option<String>,

    /// The problem of all traces: a name or a file
    #[arg(long, value_name = "NAME|FILE")]
    problem: Option<String>,

    /// The engine that steps the problems
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: EngineName,

    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Serialize, Default)]
struct Report {
    /// The number of traces that were followed.
    traces: usize,
    states: u64,
    /// The number of differences; `None` if no state was compared.
    mismatches: Option<u64>,
    /// The number of recorded states that were accepted without comparison: too many successors were possible, or the action
    /// before was not understood.
    unverified: u64,
    /// The unverified states whose previous action is unknown or not allowed in the domain.
    not_understood: u64,
    first: Option<FirstDifference>,
    /// The number of traces that could not be followed.
    failures: usize,
    errors: Vec<Unfollowed>,
    warnings: Vec<Warned>,
}

/// A trace that could not be followed, and why.
#[derive(Serialize)]
struct Unfollowed {
    trace: String,
    error: Failure,
}

/// A warning about a trace.
#[derive(Serialize)]
struct Warned {
    trace: String,
    line: usize,
    key: String,
    message: String,
}

/// The first difference of all traces.
#[derive(Serialize)]
struct FirstDifference {
    trace: String,
    line: usize,
    walk: u64,
    step: u64,
    difference: String,
}

/// The domain and the problem that the arguments name for a trace: names, files or folders.
pub type NamedProblem<'w> = (Option<&'w str>, Option<&'w str>);

impl Replay {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.limits
    }

    pub fn run(mut self, format: Format) -> Result<CommandOutcome, Failure> {
        self.sort_words();
        if let [folder] = &self.words[..]
            && folder.join("card.json").is_file()
        {
            let arguments = ["replay".into(), folder.into()];
            return data(&python(None), arguments);
        }
        let mut problems = BTreeMap::new();
        let mut report = Report::default();
        for trace in self.files()? {
            if let Err(error) = self.replay(&trace, &mut problems, &mut report) {
                report.failures += 1;
                if format == Format::Text {
                    anstream::eprintln!("{}:", trace.display());
                    error.print();
                }
                let trace = trace.display().to_string();
                report.errors.push(Unfollowed { trace, error });
            }
        }
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => {
                report.print()?;
                report.print_warnings();
            }
        }
        let failed = report.errors.iter().map(|one| one.error.outcome()).max();
        let is_same = report.mismatches.is_none_or(|count| count == 0);
        Ok(failed.unwrap_or(CommandOutcome::yes_if(is_same)))
    }

    /// The traces that are named, and those in the folders that are named.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for path in &self.words {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let before = files.len();
            input::files_below(path, &mut files, &|path| {
                path.extension().is_some_and(|extension| extension == "jsonl")
            })?;
            if files.len() == before {
                return refuse(format!(
                    "{}: this folder has no trace (`*.jsonl`)",
                    path.display()
                ));
            }
            files[before..].sort();
        }
        if let (true, Some(path)) = (files.is_empty(), self.problem.as_ref().or(self.domain.as_ref())) {
            return refuse(format!(
                "{path} is not a trace: name a trace, which `herbrand record` writes"
            ));
        }
        Ok(files)
    }

    /// Replays a trace and adds the result to the report. Problems that several traces share are compiled once.
    fn replay(
        &self,
        trace: &Path,
        problems: &mut BTreeMap<TracedProblem, AnyProblems>,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let failed = |failure| Failure::trace(trace, failure);
        let reader = TraceReader::new(input::open(trace)?).map_err(failed)?;
        let problem = TracedProblem::new(trace, self.named(), reader.names())?;
        let problems = match problems.entry(problem) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let found = place.key().find(self.limits.limits())?;
                place.insert(found)
            }
        };
        report.add(
            trace,
            reader.replay(problems, self.engine.into()).map_err(failed)?,
        );
        Ok(())
    }

    /// Takes the domain file and the problem file out of the words.
    fn sort_words(&mut self) {
        let mut take = |wanted: FileKind| {
            let place = self
                .words
                .iter()
                .position(|word| FileKind::of(word) == Some(wanted));
            place.map(|place| self.words.remove(place).to_string_lossy().into_owned())
        };
        if self.domain.is_none() {
            self.domain = take(FileKind::Domain);
        }
        if self.problem.is_none() {
            self.problem = take(FileKind::Problem);
        }
    }

    /// The domain and the problem that the arguments name.
    fn named(&self) -> NamedProblem<'_> {
        (self.domain.as_deref(), self.problem.as_deref())
    }
}

/// Whether a header names a bundled domain, or one of a collection, rather than a file: files of domains end in `.pddl`.
fn names_bundled(domain: &str) -> bool {
    if Collection::of(domain).is_some() || RddlSuite::bundled(domain).is_ok() {
        return true;
    }
    let is_file = Path::new(domain)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("pddl"));
    !is_file && Registry::files(domain).is_ok()
}

/// The problem of a trace.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TracedProblem {
    /// A bundled domain, a folder or a file.
    domain: String,
    /// A name or a file.
    problem: String,
}

impl TracedProblem {
    /// Determines the problem of a trace from the arguments, or else from the `names` in its header.
    ///
    /// # Errors
    /// Fails if the domain or the problem is named neither by the arguments nor by the header.
    pub fn new(
        trace: &Path,
        (domain, problem): NamedProblem<'_>,
        names: (&str, &str),
    ) -> Result<Self, Failure> {
        let header = [names.0, names.1];
        if input::domain_under_edit(header[0]).is_some() {
            let [domain, problem] = header.map(str::to_owned);
            return Ok(Self { domain, problem });
        }
        let bundled = names_bundled(header[0]).then(|| header[0].to_owned());
        let folder = trace.parent().unwrap_or(Path::new(""));
        let find = |told: &str, what: &str| match told {
            "" => refuse(format!(
                "{}: the header names no {what}: give it with --{what}",
                trace.display()
            )),
            told => {
                let path = folder.join(told);
                if FileKind::is_file(told) && !path.exists() {
                    return refuse(format!(
                        "{}: the header names the {what} {}, which does not exist: name another with --{what}",
                        trace.display(),
                        path.display()
                    ));
                }
                Ok(path.to_string_lossy().into_owned())
            }
        };
        let domain = match (domain, bundled) {
            (Some(domain), _) => domain.to_owned(),
            (None, Some(domain)) => domain,
            (None, None) => find(header[0], "domain")?,
        };
        let problem = match problem {
            Some(problem) => problem.to_owned(),
            None if FileKind::is_file(&domain) => find(header[1], "problem")?,
            // A bundled domain or a folder has problems with names: those of their files, without the ending.
            None if FileKind::is_file(header[1]) => {
                let name = Path::new(header[1]).file_stem().unwrap_or_default();
                name.to_string_lossy().into_owned()
            }
            None => header[1].to_owned(),
        };
        Ok(Self { domain, problem })
    }

    /// Reads the problem.
    ///
    /// # Errors
    /// Fails if the problem does not exist, or if a file is invalid.
    pub fn find(&self, limits: Limits) -> Result<AnyProblems, Failure> {
        let Self { domain, problem } = self;
        // A file may define both.
        let files = if domain == problem {
            &[][..]
        } else {
            std::slice::from_ref(problem)
        };
        let sets = input::opener(ActionMode::Declared, limits).of_words(domain, files)?;
        let set = only_set(domain, sets)?;
        Ok(if FileKind::is_file(problem) {
            set.first()
        } else {
            set.select(&[problem])
        }?)
    }
}

impl Report {
    /// Adds the result of replaying one trace of any language.
    fn add(&mut self, trace: &Path, replayed: Replayed<String>) {
        self.traces += 1;
        self.states += replayed.states;
        if replayed.states > 0 {
            *self.mismatches.get_or_insert(0) += replayed.mismatches;
        }
        self.unverified += replayed.unverified;
        self.not_understood += replayed.not_understood;
        self.warnings
            .extend(replayed.warnings.into_iter().map(|warning| Warned {
                trace: trace.display().to_string(),
                line: warning.line,
                key: warning.key,
                message: warning.message,
            }));
        if let (None, Some(first)) = (&self.first, replayed.first) {
            self.first = Some(FirstDifference {
                trace: trace.display().to_string(),
                line: first.line,
                walk: first.walk,
                step: first.step,
                difference: first.difference,
            });
        }
    }

    /// Writes the warnings to standard error.
    fn print_warnings(&self) {
        use anstyle::{AnsiColor, Style};
        let yellow: Style = AnsiColor::Yellow.on_default().bold();
        for warning in &self.warnings {
            let Warned {
                trace,
                line,
                key,
                message,
            } = warning;
            anstream::eprintln!("{yellow}warning:{yellow:#} {trace}:{line}: `{key}`: {message}");
        }
    }

    fn print(&self) -> Result<(), Failure> {
        let mut out = output::out();
        write!(
            out,
            "{}, {}",
            counted(self.traces as u64, "trace"),
            counted(self.states, "state")
        )?;
        match self.mismatches {
            Some(1) => writeln!(out, ", 1 mismatch")?,
            Some(count) => writeln!(out, ", {} mismatches", grouped(count))?,
            None => writeln!(out, ": nothing was compared")?,
        }
        if self.failures > 0 {
            writeln!(
                out,
                "{} could not be followed",
                counted(self.failures as u64, "trace")
            )?;
        }
        self.print_unverified(&mut out)?;
        if let Some(first) = &self.first {
            let FirstDifference {
                trace,
                line,
                walk,
                step,
                difference,
            } = first;
            writeln!(
                out,
                "first difference: {trace}:{line} (walk {walk}, step {step}): {difference}"
            )?;
        }
        out.flush()?;
        Ok(())
    }

    /// Says which states were not compared with anything, and why.
    fn print_unverified(&self, out: &mut impl Write) -> Result<(), Failure> {
        let too_many = self.unverified - self.not_understood;
        if too_many > 0 {
            let states = counted(too_many, "state");
            writeln!(
                out,
                "{states} not compared: the preceding action has too many outcomes"
            )?;
        }
        if self.not_understood > 0 {
            let states = counted(self.not_understood, "state");
            writeln!(
                out,
                "{states} not compared: the preceding action is unknown or not valid"
            )?;
        }
        if self.is_of_another_domain() {
            writeln!(
                out,
                "the trace is probably of another domain or problem: name its files with --domain and --problem"
            )?;
        }
        Ok(())
    }

    /// Whether the share of actions that make no sense is so large that the trace is probably of another domain.
    fn is_of_another_domain(&self) -> bool {
        self.not_understood > 0 && 2 * self.not_understood >= self.states
    }
}
