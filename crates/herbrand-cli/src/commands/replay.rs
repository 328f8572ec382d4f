//! `herbrand replay`: follow traces and compare every state.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::env::trace::{Header, Replay as Replayed, Replayer};
use herbrand::env::{ActionMode, Suite};
use serde::Serialize;

use crate::Answer;
use crate::engine::EngineName;
use crate::failure::Failure;
use crate::input::{self, file_error};
use crate::output::{self, Format, grouped};

/// Replay traces and compare every state
///
/// Follows recorded walks, by this or another engine: the atoms of every state, all valid actions, whether the goal
/// holds. After an action of chance the recorded state must be one of the possible outcomes. Domain and problem are
/// found through each trace's header, relative to the trace, unless they are named. The exit status is 1 when
/// anything differs.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand replay p01.trace.jsonl
  herbrand replay traces/*.trace.jsonl --format json
  herbrand replay walk.jsonl --domain domain.pddl --problem p01.pddl
  herbrand replay p01.trace.jsonl --engine lifted")]
pub struct Replay {
    /// The traces
    #[arg(required = true, value_name = "TRACE")]
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

#[derive(Serialize, Default)]
struct Report {
    traces: usize,
    states: u64,
    mismatches: u64,
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
        for trace in &self.traces {
            match self.replay(trace, &mut problems) {
                Ok(replayed) => report.add(trace, replayed),
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
        if report.failures > 0 {
            let message = format!("{} trace(s) could not be followed", report.failures);
            return Err(Failure::Request(message));
        }
        Ok(if report.mismatches == 0 {
            Answer::Yes
        } else {
            Answer::No
        })
    }

    fn replay(&self, trace: &Path, problems: &mut Problems) -> Result<Replayed, Failure> {
        let trace_error = |error| Failure::Trace {
            path: trace.to_owned(),
            error,
        };
        let file = File::open(trace).map_err(|error| file_error(trace, error))?;
        let mut lines = BufReader::new(file);
        let header = Replayer::read_header(&mut lines).map_err(trace_error)?;
        let (domain, problem) = self.files(trace, &header)?;
        let suite = problems.suite(&domain, &problem)?;
        let replayer = Replayer::with_engine(suite, 0, self.engine.into(), header)?;
        replayer.replay(lines).map_err(trace_error)
    }

    /// The files of a trace: as named, else as its header says.
    fn files(&self, trace: &Path, header: &Header) -> Result<(PathBuf, PathBuf), Failure> {
        let folder = trace.parent().unwrap_or(Path::new(""));
        let find = |named: &Option<PathBuf>, told: &str, what: &str| match named {
            Some(path) => Ok(path.clone()),
            None if told.is_empty() => Err(Failure::Request(format!(
                "{}: the header names no {what}; give it with --{what}",
                trace.display()
            ))),
            None => Ok(folder.join(told)),
        };
        Ok((
            find(&self.domain, &header.domain, "domain")?,
            find(&self.problem, &header.problem, "problem")?,
        ))
    }
}

/// Problems by their files, each compiled once by the grounded engine: several traces may be of one.
#[derive(Default)]
struct Problems {
    suites: BTreeMap<(PathBuf, PathBuf), Suite>,
}

impl Problems {
    fn suite(&mut self, domain: &Path, problem: &Path) -> Result<&Suite, Failure> {
        match self.suites.entry((domain.to_owned(), problem.to_owned())) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let files = input::pair(domain, &[problem.to_owned()])?;
                Ok(place.insert(Suite::new(files, ActionMode::Declared)?))
            }
        }
    }
}

impl Report {
    fn add(&mut self, trace: &Path, replayed: Replayed) {
        self.traces += 1;
        self.states += replayed.states;
        self.mismatches += replayed.mismatches;
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
        writeln!(
            out,
            "{} traces, {} states, {} mismatches",
            grouped(self.traces as u64),
            grouped(self.states),
            grouped(self.mismatches)
        )?;
        if self.unverified > 0 {
            writeln!(
                out,
                "{} states followed too many outcomes to compare",
                grouped(self.unverified)
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
