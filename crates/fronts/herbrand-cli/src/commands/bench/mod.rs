//! `herbrand bench`: measures the bundled domains by PDDLGym's protocol, optionally beside other packages.

mod figures;
mod measure;
mod paper;
mod peer;
mod report;
mod table;

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use herbrand::env::{ActionMode, Registry};
use serde::Serialize;

use crate::Answer;
use crate::engine::EngineName;
use crate::failure::Failure;
use crate::input::FileKind;
use crate::interrupt::Interrupt;
use crate::limits::LimitArgs;
use crate::output::{self, Format};
use crate::problem::{Words, sort_words};
use crate::problems::Problems;
use crate::progress::Progress;
use crate::survey::Survey;

use figures::{Figure, Figures};
use peer::{Peer, Walks};
use report::Report;
use table::Table;

/// Measure the bundled domains by random walks
///
/// Follows PDDLGym's protocol: a random policy over valid actions, in episodes of 10 steps that go over the problems of a
/// domain in turn. Each figure is the fastest of five short rounds; a round runs as many episodes as fit its time.
/// Compilation is not included. `first step` is the mean time from a problem's files to its first step: reading, grounding
/// and compiling.
///
/// `paper` is the speed that the PDDLGym paper reports (Silver and Chitnis 2020): a random policy, 100 episodes of 10 steps,
/// on one laptop of 2020. The column is omitted if --steps is not 10.
///
/// With --peer, PDDLGym walks in the same run on its own files of the same domains, for 100 episodes timed in CPU seconds,
/// and Herbrand walks on the same files for comparison. With --figures, a file adds a column of figures from elsewhere: one
/// line `domain,steps per second` per domain, and optionally a header `domain,NAME` that names the column (the file's name
/// by default).
///
/// With --report, an HTML page shows all figures, and those of the installed Python packages (PDDLGym, pymimir, Unified
/// Planning, pyRDDLGym): tables, plots, versions, the machine and raw data. Ctrl-C prints the domains that are done; the
/// exit status is then 130.
#[derive(Args)]
#[command(group(ArgGroup::new("peers").args(["peer", "report"]).multiple(true)))]
#[command(after_help = "Examples:
  herbrand bench
  herbrand bench sokoban hanoi --seconds 1
  herbrand bench sokoban --engine lifted
  herbrand bench rddl
  herbrand bench --peer --python .venv/bin/python
  herbrand bench --peer --markdown > docs/reference/domains.md
  herbrand bench --figures paper.csv
  herbrand bench --report report.html --python .venv/bin/python")]
pub struct Bench {
    /// Bundled domains or folders; `rddl` means all bundled RDDL environments [default: all bundled PDDL domains]
    #[arg(value_name = "DOMAIN")]
    domains: Vec<String>,

    /// Seconds per figure, divided among five rounds
    #[arg(long, default_value_t = 0.25, value_name = "S", value_parser = seconds)]
    seconds: f64,

    /// Maximum number of steps per episode
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,

    /// The random seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// The engine that steps the problems
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: EngineName,

    /// Measure PDDLGym for comparison (`pip install pddlgym==0.0.7`)
    #[arg(long)]
    peer: bool,

    /// The Python that has the other packages [default: $HERBRAND_PYTHON, else python3]
    #[arg(long, value_name = "PROGRAM")]
    python: Option<PathBuf>,

    /// A folder of PDDLGym's files, in place of its package: `NAME.pddl` and `NAME/`, or `NAME/domain.pddl` and
    /// `NAME/problems/`
    #[arg(long, value_name = "FOLDER", requires = "peers")]
    corpus: Option<PathBuf>,

    /// Maximum CPU seconds of another package per domain
    #[arg(long, default_value_t = 20.0, value_name = "S", requires = "peers", value_parser = seconds)]
    limit: f64,

    /// A file of figures for comparison, in lines `domain,steps per second`
    #[arg(long, value_name = "FILE")]
    figures: Option<PathBuf>,

    /// Write an HTML page with all figures, including those of the installed Python packages
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Print a Markdown page
    #[arg(long)]
    markdown: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().map_err(|error| error.to_string())?;
    let fine = seconds.is_finite() && seconds > 0.0;
    fine.then_some(seconds)
        .ok_or_else(|| "not a positive number of seconds".to_owned())
}

/// The results for one domain.
#[derive(Serialize)]
struct Row {
    domain: String,
    #[serde(flatten)]
    survey: Survey,
    /// Mean seconds from a problem's files to its first step.
    first_step_seconds: f64,
    steps_per_s: f64,
    /// The figure of the PDDLGym paper.
    paper: Option<Figure>,
    /// The figure in the file of --figures.
    figure: Option<Figure>,
    /// PDDLGym beside Herbrand, both on PDDLGym's files.
    peer: Option<Beside>,
}

/// Published figures, shown beside the measured ones.
struct Elsewhere {
    paper: Option<Figures>,
    /// The figures in the file of --figures.
    figures: Option<Figures>,
}

/// PDDLGym and Herbrand on the same files.
#[derive(Serialize)]
struct Beside {
    pddlgym: Walks,
    steps_per_s: f64,
    /// Herbrand's speed divided by PDDLGym's; `None` if PDDLGym failed.
    ratio: Option<f64>,
}

impl Bench {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.limits
    }

    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let mut report = self
            .report
            .as_ref()
            .map(|file| Report::begin(file, &self))
            .transpose()?;
        let with_pddlgym = self.peer || report.as_ref().is_some_and(Report::has_pddlgym);
        let peer = with_pddlgym.then(|| Peer::new(&self)).transpose()?;
        let words = self.words()?;
        let mut suites = Vec::new();
        for words in &words {
            suites.extend(
                words
                    .read(self.limits.limits())?
                    .into_iter()
                    .map(|suite| (words, suite)),
            );
        }
        let paper = (self.steps == paper::STEPS).then(Figures::of_paper);
        let elsewhere = Elsewhere {
            paper,
            figures: self.figures(&suites)?,
        };
        let mut rows = Vec::new();
        let interrupt = Interrupt::watch()?;
        let mut progress = Progress::of_suites(suites.len());
        for (index, (words, suite)) in suites.iter().enumerate() {
            progress.begin(suite.name(), index, suites.len());
            let row = self.row(words, suite, interrupt, &elsewhere, peer.as_ref());
            // Neither an interrupted measurement nor a peer killed by the interrupt is reported.
            if interrupt.is_pressed() {
                break;
            }
            let row = row?;
            if let Some(report) = &mut report {
                report.compare(&self, suite, &row, interrupt)?;
            }
            rows.push(row);
            progress.advance(1);
        }
        progress.finish();
        let table = Table {
            rows: &rows,
            figures: elsewhere.figures.as_ref().map(|figures| figures.name.as_str()),
            peer: with_pddlgym,
        };
        match format {
            Format::Json => output::json(&rows)?,
            Format::Text if self.markdown => table.markdown()?,
            Format::Text => table.text()?,
        }
        if let Some(report) = report {
            report.finish(&self, &table)?;
        }
        Ok(interrupt.answer())
    }

    /// Returns the domains to measure, in the order of the command line. If the first word is a file, all words are files of
    /// one domain.
    fn words(&self) -> Result<Vec<Words>, Failure> {
        if self.domains.first().is_some_and(|word| FileKind::is_file(word)) {
            return Ok(vec![sort_words(None, &[], self.domains.iter().cloned())?]);
        }
        let names = if self.domains.is_empty() {
            Registry::names()?
        } else {
            self.domains.clone()
        };
        let alone = |domain| Words {
            domain,
            problems: Vec::new(),
            rest: Vec::new(),
        };
        Ok(names.into_iter().map(alone).collect())
    }

    fn figures(&self, suites: &[(&Words, Problems)]) -> Result<Option<Figures>, Failure> {
        let names = || {
            suites
                .iter()
                .map(|(_, suite)| suite.name().to_owned())
                .collect::<Vec<_>>()
        };
        let read = |path: &PathBuf| Figures::read(path, &names());
        self.figures.as_ref().map(read).transpose()
    }

    fn row(
        &self,
        words: &Words,
        suite: &Problems,
        interrupt: Interrupt,
        elsewhere: &Elsewhere,
        peer: Option<&Peer>,
    ) -> Result<Row, Failure> {
        let survey = match suite {
            Problems::Pddl(suite) => Survey::of(suite)?,
            Problems::Rddl(suite) => Survey::of_rddl(suite)?,
        };
        let first_step_seconds = self.first_step(words, suite, interrupt)?;
        let steps_per_s = self.measure(suite, interrupt)?;
        let beside = |figures: &Option<Figures>| figures.as_ref()?.beside(suite.name(), steps_per_s);
        Ok(Row {
            domain: suite.name().to_owned(),
            survey,
            first_step_seconds,
            steps_per_s,
            paper: beside(&elsewhere.paper),
            figure: beside(&elsewhere.figures),
            peer: peer
                .map(|peer| self.beside(suite.name(), interrupt, peer))
                .transpose()?
                .flatten(),
        })
    }

    /// Measures both engines on PDDLGym's files of a domain; `None` if PDDLGym has no domain of that name.
    fn beside(&self, name: &str, interrupt: Interrupt, peer: &Peer) -> Result<Option<Beside>, Failure> {
        let Some(files) = peer.files(name)? else {
            return Ok(None);
        };
        let pddlgym = peer.walk(&files)?;
        let problems = Problems::of_files(
            &files.domain,
            &files.problems,
            ActionMode::Declared,
            self.limits.limits(),
        )?;
        let steps_per_s = self.measure(&problems, interrupt)?;
        let ratio = pddlgym.steps_per_s.map(|theirs| steps_per_s / theirs);
        Ok(Some(Beside {
            pddlgym,
            steps_per_s,
            ratio,
        }))
    }
}
