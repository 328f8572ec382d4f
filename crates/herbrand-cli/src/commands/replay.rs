//! `herbrand replay`: follow traces and compare every state.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{self, File};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::env::trace::{Header, Replay as Replayed, Replayer};
use herbrand::env::{ActionMode, Registry, Suite};
use serde::Serialize;

use crate::Answer;
use crate::engine::EngineName;
use crate::failure::Failure;
use crate::input::{self, file_error};
use crate::limits;
use crate::output::{self, Format, counted, grouped};

/// Replay traces and compare every state
///
/// Follows recorded walks, by this or another engine: the atoms of every state, all valid actions, whether the goal
/// holds. After an action of chance the recorded state must be one of the possible outcomes. A trace's header names the
/// domain and the problem, by their files relative to the trace or as those of a bundled domain, unless --domain and
/// --problem do. Where a trace lists the agent's actions rather than operators, `env.toml` beside the domain says what they
/// are. The exit status is 1 when anything differs.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand replay p01.trace.jsonl
  herbrand replay traces                  all traces (*.jsonl) in a folder and below it
  herbrand replay traces/*.trace.jsonl --format json
  herbrand replay walk.jsonl --domain domain.pddl --problem p01.pddl
  herbrand replay p01.trace.jsonl --engine lifted")]
pub struct Replay {
    /// The traces, or folders of traces
    #[arg(required = true, value_name = "TRACE|FOLDER")]
    traces: Vec<PathBuf>,

    /// The domain file of all traces
    #[arg(long, value_name = "FILE")]
    domain: Option<PathBuf>,

    /// The problem file of all traces
    #[arg(long, value_name = "FILE")]
    problem: Option<PathBuf>,

    /// What follows the traces
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: EngineName,
}

/// Why a state was not compared with anything.
const UNVERIFIED: &str =
    "the line before takes an action that has too many outcomes, or that the domain does not know";

#[derive(Serialize, Default)]
struct Report {
    /// Traces that were followed.
    traces: usize,
    states: u64,
    /// `None` when no state was compared.
    mismatches: Option<u64>,
    /// States that were taken over because there were too many possible ones.
    unverified: u64,
    first: Option<First>,
    /// Traces that could not be followed.
    failures: usize,
}

/// The first difference of all traces.
#[derive(Serialize)]
struct First {
    trace: String,
    line: usize,
    walk: u64,
    step: u64,
    difference: String,
}

impl Replay {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let mut problems = Problems::default();
        let mut report = Report::default();
        for trace in self.files()? {
            match self.replay(&trace, &mut problems) {
                Ok(replayed) => report.add(&trace, replayed),
                Err(failure) => {
                    report.failures += 1;
                    anstream::eprintln!("{}:", trace.display());
                    failure.print();
                }
            }
        }
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => report.print()?,
        }
        Ok(match (report.failures, report.mismatches) {
            (0, None | Some(0)) => Answer::Yes,
            (0, Some(_)) => Answer::No,
            (_, _) => Answer::Faulty,
        })
    }

    /// The traces that are named, and those in the folders that are named.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for path in &self.traces {
            if !path.is_dir() {
                files.push(path.clone());
                continue;
            }
            let before = files.len();
            below(path, &mut files)?;
            if files.len() == before {
                let message = format!("{}: there is no trace (`*.jsonl`) in this folder", path.display());
                return Err(Failure::Request(message));
            }
            files[before..].sort();
        }
        Ok(files)
    }

    fn replay(&self, trace: &Path, problems: &mut Problems) -> Result<Replayed, Failure> {
        let trace_error = |error| Failure::trace(trace, error);
        let file = File::open(trace).map_err(|error| file_error(trace, error))?;
        let mut lines = BufReader::new(file);
        let header = Replayer::read_header(&mut lines).map_err(trace_error)?;
        let suite = problems.suite(self.about(trace, &header)?)?;
        let replayer = Replayer::with_engine(suite, 0, self.engine.into(), header).map_err(trace_error)?;
        replayer.replay(lines).map_err(trace_error)
    }

    /// What a trace is of: as named, else as its header says.
    fn about(&self, trace: &Path, header: &Header) -> Result<About, Failure> {
        if self.domain.is_none() && self.problem.is_none() && names_bundled(&header.domain) {
            return Ok(About::Bundled {
                domain: header.domain.clone(),
                problem: header.problem.clone(),
            });
        }
        let folder = trace.parent().unwrap_or(Path::new(""));
        let find = |named: &Option<PathBuf>, told: &str, what: &str| match named {
            Some(path) => Ok(path.clone()),
            None if told.is_empty() => Err(Failure::Request(format!(
                "{}: the header names no {what}; give it with --{what}",
                trace.display()
            ))),
            None => Ok(folder.join(told)),
        };
        Ok(About::Files {
            domain: find(&self.domain, &header.domain, "domain")?,
            problem: find(&self.problem, &header.problem, "problem")?,
            agent: header.agent_actions.is_some(),
        })
    }
}

/// Whether a header names a bundled domain rather than a file: files of domains end in `.pddl`.
fn names_bundled(domain: &str) -> bool {
    let is_file = Path::new(domain)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("pddl"));
    !is_file && Registry::files(domain).is_ok()
}

/// Adds the files in a folder and below it whose names end in `.jsonl`.
fn below(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |error| file_error(folder, error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        // Links to folders are not followed: they may lead back.
        if entry.file_type().map_err(failed)?.is_dir() {
            below(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
    Ok(())
}

/// What a trace is of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    /// A problem of a bundled domain.
    Bundled { domain: String, problem: String },
    /// Two files, and `env.toml` beside the domain if the agent's actions are listed.
    Files {
        domain: PathBuf,
        problem: PathBuf,
        agent: bool,
    },
}

impl About {
    fn suite(&self) -> Result<Suite, Failure> {
        match self {
            Self::Bundled { domain, problem } => Ok(Registry::get(domain)?.problem(problem)?),
            Self::Files {
                domain,
                problem,
                agent,
            } => {
                let mut files = input::pair(domain, std::slice::from_ref(problem))?;
                if *agent {
                    files.config = input::settings(domain)?;
                }
                Ok(Suite::new(files, ActionMode::Declared)?.with_limits(limits::defaults()))
            }
        }
    }
}

/// Problems by where they come from, each compiled once by the grounded engine: several traces may be of one.
#[derive(Default)]
struct Problems(BTreeMap<About, Suite>);

impl Problems {
    fn suite(&mut self, about: About) -> Result<&Suite, Failure> {
        match self.0.entry(about) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let suite = place.key().suite()?;
                Ok(place.insert(suite))
            }
        }
    }
}

impl Report {
    fn add(&mut self, trace: &Path, replayed: Replayed) {
        self.traces += 1;
        self.states += replayed.states;
        if replayed.states > 0 {
            *self.mismatches.get_or_insert(0) += replayed.mismatches;
        }
        self.unverified += replayed.unverified;
        if let (None, Some(mismatch)) = (&self.first, replayed.first) {
            self.first = Some(First {
                trace: trace.display().to_string(),
                line: mismatch.line,
                walk: mismatch.walk,
                step: mismatch.step,
                difference: mismatch.difference.to_string(),
            });
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
        if self.unverified > 0 {
            writeln!(
                out,
                "{} not compared: {UNVERIFIED}",
                counted(self.unverified, "state")
            )?;
        }
        if let Some(first) = &self.first {
            let First {
                trace,
                line,
                walk,
                step,
                difference,
            } = first;
            writeln!(
                out,
                "first: {trace}:{line} (walk {walk}, step {step}): {difference}"
            )?;
        }
        out.flush()?;
        Ok(())
    }
}
