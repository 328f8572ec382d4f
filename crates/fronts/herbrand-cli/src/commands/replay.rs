//! `herbrand replay`: follow traces and compare every state.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Display;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use herbrand::collections::Collection;
use herbrand::core;
use herbrand::core::trace::replay;
use herbrand::env::trace::{Header, Replayer};
use herbrand::env::{ActionMode, Registry, Suite};
use herbrand::limits::Limits;
use herbrand::pddlworld::Worlds;
use herbrand::rddl;
use herbrand::rddl::simulate::CompiledInstance;
use herbrand::rddl::suite::RddlSuite;
use herbrand::tasks::AnyProblems;
use serde::Serialize;

use super::rollout::only_engine;
use crate::engine::EngineName;
use crate::failure::{Failure, file_error, refuse};
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

/// Returns the world of a trace's header.
///
/// # Errors
/// Fails if the header names no domain under edit.
pub fn worlds_of(header: &Header, limits: Limits) -> Result<Worlds, Failure> {
    let words = std::slice::from_ref(&header.problem);
    let mut sets = input::opener(ActionMode::Operators, limits).of_words(&header.domain, words)?;
    match sets.pop() {
        Some(AnyProblems::World(worlds)) => Ok(worlds),
        _ => refuse(format!("`{}` is no domain under edit", header.domain)),
    }
}

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
        let mut problems = KnownProblems {
            limits: self.limits.limits(),
            pddl: BTreeMap::new(),
            rddl: BTreeMap::new(),
        };
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

    /// Replays a trace and adds the result to the report.
    fn replay(&self, trace: &Path, problems: &mut KnownProblems, report: &mut Report) -> Result<(), Failure> {
        let trace_error = |error| Failure::trace(trace, error);
        let mut lines = input::open(trace)?;
        if is_rddl(&mut lines).map_err(|error| file_error(trace, error))? {
            return self.replay_rddl(trace, lines, problems, report);
        }
        let header = Replayer::read_header(&mut lines).map_err(trace_error)?;
        if input::domain_under_edit(&header.domain).is_some() {
            return self.replay_edits(trace, &header, report);
        }
        let suite = problems.suite(about(trace, self.named(), &header)?)?;
        let replayer = Replayer::with_engine(suite, 0, self.engine.into(), header).map_err(trace_error)?;
        report.add(trace, replayer.replay(lines).map_err(trace_error)?);
        Ok(())
    }

    /// Replays a trace of a domain under edit.
    fn replay_edits(&self, trace: &Path, header: &Header, report: &mut Report) -> Result<(), Failure> {
        only_engine(self.engine.into())?;
        let worlds = worlds_of(header, self.limits.limits())?;
        let replayed = replay(&worlds, input::open(trace)?);
        let replayed = replayed.map_err(|error| Failure::edits_trace(trace, error))?;
        report.add(trace, replayed);
        Ok(())
    }

    fn replay_rddl(
        &self,
        trace: &Path,
        mut lines: impl BufRead,
        problems: &mut KnownProblems,
        report: &mut Report,
    ) -> Result<(), Failure> {
        only_engine(self.engine.into())?;
        let trace_error = |error| Failure::rddl_trace(trace, error);
        let header = rddl::trace::Replayer::read_header(&mut lines).map_err(trace_error)?;
        let compiled = problems.compiled(about_rddl(trace, self.named(), &header)?)?;
        let replayer = rddl::trace::Replayer::new(compiled, header).map_err(trace_error)?;
        report.add(trace, replayer.replay(lines).map_err(trace_error)?);
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

/// Determines the problem of a trace from the arguments, or else from its header.
///
/// # Errors
/// Fails if the domain or the problem is named neither by the arguments nor by the header.
pub fn about(trace: &Path, named: NamedProblem<'_>, header: &Header) -> Result<About, Failure> {
    let bundled = names_bundled(&header.domain).then(|| header.domain.clone());
    About::new(trace, named, bundled, [&header.domain, &header.problem])
}

/// Determines the problem of an RDDL trace from the arguments, or else from its header.
///
/// # Errors
/// Fails if the domain or the instance is named neither by the arguments nor by the header.
pub fn about_rddl(
    trace: &Path,
    named: NamedProblem<'_>,
    header: &rddl::trace::RddlHeader,
) -> Result<About, Failure> {
    let is_name = Collection::of(&header.domain).is_some() || RddlSuite::bundled(&header.domain).is_ok();
    let bundled = is_name.then(|| header.domain.clone());
    About::new(trace, named, bundled, [&header.domain, &header.instance])
}

/// Returns whether the first line of a trace is a header of RDDL, which names an instance. Leaves `lines` at the start.
pub fn is_rddl(lines: &mut impl BufRead) -> std::io::Result<bool> {
    let start = lines.fill_buf()?;
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let key = b"\"instance\"";
    Ok(line.windows(key.len()).any(|window| window == key))
}

/// Whether a header names a bundled domain, or one of a collection, rather than a file: files of domains end in `.pddl`.
fn names_bundled(domain: &str) -> bool {
    if Collection::of(domain).is_some() {
        return true;
    }
    let is_file = Path::new(domain)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("pddl"));
    !is_file && Registry::files(domain).is_ok()
}

/// The problem of a trace.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct About {
    /// A bundled domain, a folder or a file.
    domain: String,
    /// A name or a file.
    problem: String,
}

impl About {
    /// Combines the arguments with the header: its domain and problem, and the name of the domain if that is `bundled`.
    fn new(
        trace: &Path,
        (domain, problem): NamedProblem<'_>,
        bundled: Option<String>,
        header: [&str; 2],
    ) -> Result<Self, Failure> {
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
    fn problem(&self, limits: Limits) -> Result<AnyProblems, Failure> {
        let Self { domain, problem } = self;
        // A file may define both.
        let files = if domain == problem {
            &[][..]
        } else {
            std::slice::from_ref(problem)
        };
        let sets = input::opener(ActionMode::Declared, limits).of_words(domain, files)?;
        let [set] = &sets[..] else {
            return refuse(format!(
                "`{domain}` has several sets of problems: name one, such as a level"
            ));
        };
        Ok(if FileKind::is_file(problem) {
            set.first()
        } else {
            set.select(&[problem])
        }?)
    }

    /// Reads a suite with only this problem, in PDDL.
    ///
    /// # Errors
    /// Fails if the problem does not exist or is in RDDL, or if a file is invalid.
    pub fn suite(&self, limits: Limits) -> Result<Suite, Failure> {
        match self.problem(limits)? {
            AnyProblems::Pddl(suite) => Ok(suite),
            other => Err(other.unsupported("this trace", "PDDL").into()),
        }
    }

    /// Reads a suite with only this instance, in RDDL.
    ///
    /// # Errors
    /// Fails if the instance does not exist or is in PDDL, or if a file is invalid.
    pub fn suite_of_rddl(&self, limits: Limits) -> Result<RddlSuite, Failure> {
        match self.problem(limits)? {
            AnyProblems::Rddl(suite) => Ok(suite),
            other => Err(other.unsupported("this trace", "RDDL").into()),
        }
    }
}

/// The problems of the traces, read and compiled once even if several traces share one.
struct KnownProblems {
    limits: Limits,
    pddl: BTreeMap<About, Suite>,
    rddl: BTreeMap<About, RddlSuite>,
}

impl KnownProblems {
    fn suite(&mut self, about: About) -> Result<&Suite, Failure> {
        once(&mut self.pddl, about, |about| about.suite(self.limits))
    }

    fn compiled(&mut self, about: About) -> Result<&Arc<CompiledInstance>, Failure> {
        let suite = once(&mut self.rddl, about, |about| about.suite_of_rddl(self.limits))?;
        Ok(suite.compiled(0)?)
    }
}

/// Returns the value of a key, made on first use.
fn once<K: Ord, V>(
    known: &mut BTreeMap<K, V>,
    key: K,
    make: impl FnOnce(&K) -> Result<V, Failure>,
) -> Result<&V, Failure> {
    match known.entry(key) {
        Entry::Occupied(known) => Ok(known.into_mut()),
        Entry::Vacant(place) => {
            let made = make(place.key())?;
            Ok(place.insert(made))
        }
    }
}

impl Report {
    /// Adds the result of replaying one trace of any language.
    fn add(&mut self, trace: &Path, replayed: core::trace::Replay<impl Display>) {
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
                difference: first.difference.to_string(),
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
