//! `herbrand rollout`: a random policy, measured.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use herbrand::env::{self, ActionMode, Registry, RolloutOptions, Split, Suite};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::Answer;
use crate::failure::Failure;
use crate::input;
use crate::output::{self, Format, grouped, short};

/// Roll out a random policy and measure it
///
/// The policy is uniform over the valid actions. Episodes go over a domain's problems in turn and end at the goal, in
/// a dead end, or after --steps steps. Parsing, grounding and compiling are not in the time. One seed gives one
/// result, on any number of threads.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand rollout                                  every bundled domain
  herbrand rollout sokoban hanoi --split test       the test problems of two domains
  herbrand rollout ./my-domain --seconds 2          a folder, for two seconds
  herbrand rollout sokoban --problem 03 --steps 1000 --through-goals
  herbrand rollout --domain domain.pddl --problem p01.pddl p02.pddl
  herbrand rollout --format json --seed 7 --threads 2")]
pub struct Rollout {
    /// Bundled domains or folders (all bundled domains when left out); with --domain more problem files
    #[arg(value_name = "DOMAIN")]
    domains: Vec<String>,

    /// All bundled domains
    #[arg(long, conflicts_with_all = ["domains", "domain_file"])]
    all: bool,

    /// A domain file, with --problem for its problem files
    #[arg(long = "domain", value_name = "FILE", requires = "problems")]
    domain_file: Option<PathBuf>,

    /// One problem, by name or index; with --domain a problem file, any number of times
    #[arg(long = "problem", value_name = "NAME|INDEX|FILE")]
    problems: Vec<String>,

    /// Only this part of the problems
    #[arg(long, value_name = "train|test", conflicts_with = "domain_file")]
    split: Option<Split>,

    /// Episodes for each domain
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    episodes: u64,

    /// Seconds for each domain, instead of a number of episodes
    #[arg(long, value_name = "S", conflicts_with = "episodes", value_parser = seconds)]
    seconds: Option<Duration>,

    /// The longest an episode may be
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,

    /// The seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// How many threads share the episodes
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = threads)]
    threads: usize,

    /// Walk on past goals
    #[arg(long)]
    through_goals: bool,

    /// Take the operators as the actions, whatever the domain declares
    #[arg(long)]
    operators: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().map_err(|error| error.to_string())?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "not a positive number of seconds".to_owned())
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        Ok(_) => Err("not a number from 1 to 1024".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The report, as JSON shows it.
#[derive(Serialize)]
struct Report {
    seed: u64,
    threads: usize,
    rows: Vec<Row>,
}

/// One domain.
#[derive(Serialize)]
struct Row {
    domain: String,
    problems: usize,
    episodes: u64,
    steps: u64,
    seconds: f64,
    steps_per_s: f64,
    mean_valid_actions: f64,
    goals: u64,
    dead_ends: u64,
    digest: String,
}

impl Rollout {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let suites = self.suites()?;
        let progress = self.progress(suites.len());
        let options = self.options();
        let mut rows = Vec::with_capacity(suites.len());
        for suite in &suites {
            progress.set_message(suite.name().to_owned());
            let result = env::rollout(suite, &options, &|episodes| progress.inc(episodes))?;
            rows.push(Row {
                domain: suite.name().to_owned(),
                problems: result.problems,
                episodes: result.episodes,
                steps: result.steps,
                seconds: result.seconds,
                steps_per_s: result.steps_per_second(),
                mean_valid_actions: result.mean_valid_actions,
                goals: result.goals,
                dead_ends: result.dead_ends,
                digest: format!("{:016x}", result.digest),
            });
        }
        progress.finish_and_clear();
        match format {
            Format::Json => output::json(&Report {
                seed: self.seed,
                threads: self.threads,
                rows,
            })?,
            Format::Text => print(&rows)?,
        }
        Ok(Answer::Yes)
    }

    fn options(&self) -> RolloutOptions {
        RolloutOptions {
            episodes: self.episodes,
            steps: self.steps,
            seed: self.seed,
            threads: self.threads,
            duration: self.seconds,
            through_goals: self.through_goals,
        }
    }

    fn suites(&self) -> Result<Vec<Suite>, Failure> {
        let mode = if self.operators {
            ActionMode::Operators
        } else {
            ActionMode::Declared
        };
        if let Some(domain) = &self.domain_file {
            let problems = self.problems.iter().chain(&self.domains).map(PathBuf::from);
            let problems = problems.collect::<Vec<_>>();
            return Ok(vec![Suite::new(input::pair(domain, &problems)?, mode)?]);
        }
        let names = if self.domains.is_empty() {
            Registry::names()?
        } else {
            self.domains.clone()
        };
        let mut suites = Vec::new();
        for name in &names {
            for files in input::suites(name)? {
                suites.push(self.chosen(&Suite::new(files, mode)?)?);
            }
        }
        Ok(suites)
    }

    /// The problems of a suite that were asked for.
    fn chosen(&self, suite: &Suite) -> Result<Suite, Failure> {
        let suite = match self.split {
            Some(split) => &suite.split(split),
            None => suite,
        };
        Ok(match self.problems.as_slice() {
            [] => suite.clone(),
            [problem] => suite.problem(problem)?,
            _ => {
                let message = "--problem names one problem; several go with --domain FILE";
                return Err(Failure::Request(message.to_owned()));
            }
        })
    }

    /// A bar on standard error; hidden when that is not a terminal.
    fn progress(&self, suites: usize) -> ProgressBar {
        let template = "{bar:32.cyan} {pos}/{len} episodes  {msg}";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        if self.seconds.is_some() {
            return ProgressBar::new_spinner();
        }
        ProgressBar::new(self.episodes.saturating_mul(suites as u64)).with_style(style)
    }
}

fn print(rows: &[Row]) -> Result<(), Failure> {
    let columns = [
        ("domain", false),
        ("problems", true),
        ("episodes", true),
        ("steps", true),
        ("steps/s", true),
        ("valid actions", true),
        ("goals", true),
        ("dead ends", true),
    ];
    let rows = rows.iter().map(|row| {
        vec![
            row.domain.clone(),
            row.problems.to_string(),
            grouped(row.episodes),
            grouped(row.steps),
            short(row.steps_per_s),
            format!("{:.2}", row.mean_valid_actions),
            grouped(row.goals),
            grouped(row.dead_ends),
        ]
    });
    Ok(output::table(&columns, rows)?)
}
