//! `herbrand bench`: measures the bundled domains by PDDLGym's protocol.

mod measure;

use std::time::Duration;

use clap::Args;
use herbrand::env::Registry;
use herbrand::tasks::AnyProblems;
use herbrand::tasks::survey::Survey;
use serde::Serialize;

use crate::engine::EngineName;
use crate::failure::Failure;
use crate::input::{self, FileKind};
use crate::interrupt::Interrupt;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, short};
use crate::problem::sort_words;
use crate::progress::Progress;
use herbrand::env::ActionMode;
use herbrand::tasks::open::ProblemWords;

use super::rollout::seconds;

/// Measure the bundled domains by random walks
///
/// Follows PDDLGym's protocol: a random policy over valid actions, in episodes of 10 steps that go over the problems of a
/// domain in turn. Each figure is the fastest of five short rounds; a round runs as many episodes as fit its time.
/// Compilation is not included. `first step` is the mean time from a problem's files to its first step: reading, grounding
/// and compiling. Ctrl-C or `kill` prints the domains that are done; the exit status is then 130 or 143.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand bench
  herbrand bench sokoban hanoi --seconds 1
  herbrand bench sokoban --engine lifted
  herbrand bench rddl
  herbrand bench domain.pddl problem.pddl --format json")]
pub struct Bench {
    /// Bundled domains or folders; `rddl` means all bundled RDDL environments [default: all bundled PDDL domains]
    #[arg(value_name = "DOMAIN")]
    domains: Vec<String>,

    /// Seconds per figure, divided among five rounds
    #[arg(long, default_value = "0.25", value_name = "S", value_parser = seconds)]
    seconds: Duration,

    /// Maximum number of steps per episode
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,

    /// The random seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// The engine that steps the problems
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: EngineName,

    #[command(flatten)]
    pub limits: LimitArgs,
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
}

impl Bench {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let words = self.words()?;
        let mut suites = Vec::new();
        for words in &words {
            let read = input::opener(ActionMode::Declared, self.limits.limits()).sets(words, None)?;
            suites.extend(read.into_iter().map(|suite| (words, suite)));
        }
        let mut rows = Vec::new();
        let interrupt = Interrupt::watch_termination()?;
        let mut progress = Progress::of(suites.len() as u64, "domains");
        for (index, (words, suite)) in suites.iter().enumerate() {
            progress.begin(suite.name(), index, suites.len());
            let row = self.row(words, suite, interrupt);
            // An interrupted measurement is not reported.
            if interrupt.is_pressed() {
                break;
            }
            rows.push(row?);
            progress.advance(1);
        }
        progress.finish();
        match format {
            Format::Json => output::json(&rows)?,
            Format::Text => print(&rows)?,
        }
        Ok(interrupt.answer())
    }

    /// Returns the domains to measure, in the order of the command line. If the first word is a file, all words are files of
    /// one domain.
    fn words(&self) -> Result<Vec<ProblemWords>, Failure> {
        if self.domains.first().is_some_and(|word| FileKind::is_file(word)) {
            return Ok(vec![sort_words(None, &[], self.domains.iter().cloned())?]);
        }
        let names = if self.domains.is_empty() {
            Registry::names()?
        } else {
            self.domains.clone()
        };
        let alone = |domain| ProblemWords {
            domain,
            problems: Vec::new(),
            rest: Vec::new(),
        };
        Ok(names.into_iter().map(alone).collect())
    }

    fn row(&self, words: &ProblemWords, suite: &AnyProblems, interrupt: Interrupt) -> Result<Row, Failure> {
        if matches!(suite, AnyProblems::World(_)) {
            return Err(suite.unsupported("bench", "PDDL and RDDL").into());
        }
        Ok(Row {
            domain: suite.name().to_owned(),
            survey: Survey::of(suite)?,
            first_step_seconds: self.first_step(words, suite, interrupt)?,
            steps_per_s: self.measure(suite, interrupt)?,
        })
    }
}

fn print(rows: &[Row]) -> std::io::Result<()> {
    let columns = [
        ("domain", false),
        ("beyond typed STRIPS", false),
        ("problems", true),
        ("objects", true),
        ("atoms", true),
        ("actions", true),
        ("first step", true),
        ("steps/s", true),
    ];
    let cells = rows.iter().map(|row| {
        let survey = &row.survey;
        vec![
            row.domain.clone(),
            survey.features.join(", "),
            survey.problems.to_string(),
            survey.objects.to_string(),
            survey.atoms.to_string(),
            survey.actions.to_string(),
            format!("{:.2} ms", row.first_step_seconds * 1e3),
            short(row.steps_per_s),
        ]
    });
    output::table(&columns, cells)
}
