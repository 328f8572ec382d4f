//! `herbrand rollout`: a policy, measured.

mod table;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use herbrand::env::{ActionMode, EngineKind, Registry, Split};
use herbrand::tasks::curves::{CurvesForm, curves};
use herbrand::tasks::open::{chosen, is_domain};
use herbrand::tasks::rollout::{
    RolloutQuery, RolloutReport, rollout, rollout_observed, rollout_recorded, stop_of_plan,
};
use herbrand::tasks::{AnyProblems, Run, TaskFailure};
use serde::Serialize;

use crate::engine::EngineName;
use crate::failure::{Failure, refuse};
use crate::files::{self, report_written, write_with};
use crate::input::{self, FileKind};
use crate::interrupt::Interrupt;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted};
use crate::policy::{PolicyArgs, PolicyName, one_problem};
use crate::preconditions::PreconditionArgs;
use crate::problem::sort_words;
use crate::progress::Progress;
use crate::start::StartArgs;

use table::{Observed, Row};

/// Roll out a policy and measure it
///
/// The random policy is uniform over the valid actions; in RDDL, over the valid joint actions. Where it finds no valid one,
/// it takes no action. RDDL takes steps that violate preconditions, and the report counts them; --preconditions chooses
/// another effect. Episodes go over the problems of a domain in turn. An episode ends at the goal, in a dead end or terminal
/// state, at a broken state invariant, or after --steps steps; the report counts how episodes ended. For RDDL, the
/// report has the mean and the standard deviation of the returns, and the mean discounted return; episodes that a
/// broken state invariant ended are left out. If a step cannot be computed, the error names the first such episode, and the
/// table shows the episodes before it. The time excludes parsing, grounding and compiling.
///
/// The result depends on the seed, but not on the number of threads or the engine. Ctrl-C or `kill` ends a rollout early and
/// prints the results so far; the exit status is then 130.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand rollout                                  measure every bundled domain
  herbrand rollout sokoban hanoi --split test       measure the test problems of two domains
  herbrand rollout ./my-domain --seconds 2          run a folder for two seconds
  herbrand rollout sokoban 03 --steps 1000 --through-goals
  herbrand rollout domain.pddl p01.pddl p02.pddl
  herbrand rollout blocks --policy plan             follow the stored plans of a bundled domain
  herbrand rollout blocks 01 --plan my.plan --record walk.jsonl
  herbrand rollout rddl/sysadmin-mdp --episodes 1000   an environment in RDDL; `rddl` means all of them
  herbrand rollout domain.rddl instance1.rddl --seconds 2
  herbrand rollout domain.rddl instance1.rddl --plan plan.txt
  herbrand rollout tireworld 01 --policy best.policy   a policy by `herbrand plan tireworld 01 --planner lao --out best.policy`
  herbrand rollout rddl/uav-mixed 1 --episodes 50 --out run.svg
  herbrand rollout blocks --observe bits-and-goal   measure the cost of observations
  herbrand rollout pddlworld/blocks                 edit a domain at random; see `herbrand play`
  herbrand rollout --format json --seed 7 --threads 2")]
pub struct Rollout {
    /// Bundled domains, folders or domain files, each followed by its problems [default: all bundled PDDL domains]
    ///
    /// `env.toml` beside a domain file applies.
    #[arg(value_name = "DOMAIN [PROBLEM]")]
    words: Vec<String>,

    /// Roll out all bundled PDDL domains
    #[arg(long, conflicts_with_all = ["words", "domain_file"])]
    all: bool,

    /// The domain file or folder, in place of DOMAIN
    #[arg(long = "domain", value_name = "FILE|FOLDER")]
    domain_file: Option<PathBuf>,

    /// A problem: a name such as 03 or test/03, a position from 1, or a file; repeat for several
    #[arg(long = "problem", value_name = "NAME|PLACE|FILE")]
    problems: Vec<String>,

    /// Use only the training or the test problems
    #[arg(long, value_name = "train|test")]
    split: Option<Split>,

    #[command(flatten)]
    pub limits: LimitArgs,

    #[command(flatten)]
    policy: PolicyArgs,

    #[command(flatten)]
    preconditions: PreconditionArgs,

    #[command(flatten)]
    start: StartArgs,

    /// Record all episodes of one problem to a trace for `herbrand replay`
    #[arg(long, value_name = "FILE", conflicts_with = "threads")]
    record: Option<PathBuf>,

    /// Write the rewards and the numbers of the states of all episodes of one problem: to a .csv file with a row each, or
    /// as curves to a .svg file
    ///
    /// A curve is the mean over the episodes that are still running, in a band of one standard deviation.
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["threads", "record", "digests"])]
    out: Option<PathBuf>,

    /// Episodes per domain [default: 100, or one per plan]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    episodes: Option<u64>,

    /// Seconds per domain, in place of a number of episodes
    #[arg(long, value_name = "S", conflicts_with = "episodes", value_parser = seconds)]
    seconds: Option<Duration>,

    /// Maximum number of steps per episode [default: the declared horizon, or 100; for a plan, its length]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    steps: Option<u32>,

    /// The random seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// The number of threads
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = threads)]
    threads: usize,

    /// Continue past goals
    #[arg(long)]
    through_goals: bool,

    /// Fail at the first episode whose return is infinite or NaN
    #[arg(long)]
    finite: bool,

    /// Include episodes that a broken state invariant ended in the means of the returns
    #[arg(long)]
    count_broken: bool,

    /// The engine; it does not change the episodes
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: EngineName,

    /// Use the operators as actions, even if the domain declares agent actions
    #[arg(long)]
    operators: bool,

    /// Observe every state and measure the cost: bits, bits-and-goal, atoms-one-hot-by-object, …; in RDDL fluents or
    /// bits; pixels
    ///
    /// Runs the rollout twice on one thread, without and with observations.
    #[arg(long, value_name = "MODE", conflicts_with_all = ["threads", "record", "digests"])]
    observe: Option<String>,

    /// Print only a digest of all episodes per domain
    #[arg(long, conflicts_with = "seconds")]
    digests: bool,
}

/// Runs work that an interrupt stops, or cancels if it does not stop soon.
fn stopping<T>(interrupt: Option<Interrupt>, work: impl FnOnce() -> T) -> T {
    match interrupt {
        Some(interrupt) => interrupt.stopping(work),
        None => work(),
    }
}

pub fn seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|duration| !duration.is_zero())
        .ok_or("not a positive number of seconds")
}

fn threads(text: &str) -> Result<usize, &'static str> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("not a number from 1 to 1024"),
    }
}

/// The report, as JSON shows it.
#[derive(Serialize)]
struct Report {
    seed: u64,
    policy: PolicyName,
    threads: usize,
    /// Whether Ctrl-C ended the rollout before its time.
    interrupted: bool,
    rows: Vec<Row>,
}

impl Rollout {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let (domains, suites): (Vec<_>, Vec<_>) = self.suites()?.into_iter().unzip();
        if suites.len() > 1 {
            let files = [
                ("--plan", self.policy.has_plan()),
                ("--policy FILE", self.policy.name() == PolicyName::File),
                ("--record", self.record.is_some()),
                ("--out", self.out.is_some()),
            ];
            if let Some((option, _)) = files.iter().find(|(_, given)| *given) {
                return Err(one_problem(option));
            }
        }
        let queries = domains.iter().zip(&suites);
        let queries = queries.map(|(domain, suite)| self.query(domain, suite));
        let queries = queries.collect::<Result<Vec<_>, _>>()?;
        let interrupt = self
            .record
            .is_none()
            .then(Interrupt::watch_termination)
            .transpose()?;
        let pressed = || interrupt.is_some_and(Interrupt::is_pressed);
        let stop = interrupt.map_or(&NEVER, Interrupt::flag);
        let mut progress = self.progress(queries.iter().zip(&suites));
        let (mut rows, mut failure): (Vec<Row>, _) = (Vec::with_capacity(suites.len()), None);
        for (index, (suite, query)) in suites.iter().zip(&queries).enumerate() {
            if pressed() {
                break;
            }
            progress.begin(suite.name(), index, suites.len());
            let advance = |episodes| progress.advance(episodes);
            let run = Run {
                seed: self.seed,
                episodes: Some(&advance),
                stop: Some(stop),
                ..Run::default()
            };
            let written = match (&self.record, &self.out) {
                (Some(path), _) => Some((path, recorded(suite, query, path, &run)?)),
                (None, Some(path)) => Some((path, drawn(suite, query, path, &run)?)),
                (None, None) => None,
            };
            let mut report = match written {
                Some((path, result)) => {
                    report_written(path, counted(result.episodes, "episode"));
                    RolloutReport::of(suite, query, &result)?
                }
                None => match stopping(interrupt, || rollout(suite, query, &run)) {
                    Ok(report) => report,
                    // The running step was cancelled.
                    Err(_) if pressed() => break,
                    Err(error) if rows.is_empty() => return Err(error.into()),
                    Err(error) => {
                        failure = Some(error.into());
                        break;
                    }
                },
            };
            let observe = self.observe.as_ref().filter(|_| report.failure.is_none());
            let observed = observe.map(|mode| {
                let (elements, rollout) = rollout_observed(suite, query, mode, &run)?;
                Ok::<_, Failure>(Observed::new(mode, elements, &report, &rollout))
            });
            failure = report.failure.take().map(Failure::Request);
            if report.episodes > 0 {
                let plan_stops = if self.policy.has_plan() && report.goals.unwrap_or(0) == 0 {
                    stop_of_plan(suite, query, &report)?
                } else {
                    None
                };
                rows.push(Row {
                    report,
                    observed: observed.transpose()?,
                    plan_stops,
                });
            }
            if failure.is_some() {
                break;
            }
        }
        progress.finish();
        match format {
            _ if self.digests => table::print_digests(&rows)?,
            Format::Json => output::json(&Report {
                seed: self.seed,
                policy: self.policy.name(),
                threads: self.threads,
                interrupted: pressed(),
                rows,
            })?,
            Format::Text => table::print(&rows)?,
        }
        match failure {
            Some(failure) => Err(failure),
            None => Ok(interrupt.map_or(CommandOutcome::Yes, Interrupt::answer)),
        }
    }

    /// Returns the query for a set of problems; `domain` is the word that names the set.
    fn query(&self, domain: &str, problems: &AnyProblems) -> Result<RolloutQuery, Failure> {
        let engine = self.engine.into();
        Ok(RolloutQuery {
            policy: self.policy.policy(domain, problems, engine)?,
            policy_text: String::new(),
            engine,
            episodes: self.episodes,
            steps: self.steps,
            threads: self.threads,
            duration: self.seconds,
            through_goals: self.through_goals,
            require_finite: self.finite,
            count_broken: self.count_broken,
        })
    }

    /// The sets of problems that the words name, each with the word for its domain.
    fn suites(&self) -> Result<Vec<(String, AnyProblems)>, Failure> {
        let mode = if self.operators {
            ActionMode::Operators
        } else {
            ActionMode::Declared
        };
        let mut suites = Vec::new();
        for (domain, problems) in self.groups()? {
            for set in input::opener(mode, self.limits.limits()).of_words(&domain, &problems)? {
                let set = self.start.apply(self.preconditions.apply(set)?)?;
                suites.push((domain.clone(), chosen(set, self.split, &problems)?));
            }
        }
        Ok(suites)
    }

    /// The words, grouped: a domain, and the problems of it that are named.
    fn groups(&self) -> Result<Vec<(String, Vec<String>)>, Failure> {
        let is_one =
            self.domain_file.is_some() || self.words.first().is_some_and(|word| FileKind::is_file(word));
        if is_one {
            let words = sort_words(
                self.domain_file.as_deref(),
                &self.problems,
                self.words.iter().cloned(),
            )?;
            return match words.rest.first() {
                None => Ok(vec![(words.domain, words.problems)]),
                Some(surplus) => refuse(format!("`{surplus}` is not a domain or problem file")),
            };
        }
        if self.words.is_empty() {
            let all = Registry::names()?.into_iter();
            return Ok(all.map(|name| (name, self.problems.clone())).collect());
        }
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for word in &self.words {
            match groups.last_mut() {
                Some((_, problems)) if FileKind::is_file(word) || !is_domain(word) => {
                    problems.push(word.clone())
                }
                _ => groups.push((word.clone(), self.problems.clone())),
            }
        }
        Ok(groups)
    }

    fn progress<'q>(&self, sets: impl Iterator<Item = (&'q RolloutQuery, &'q AnyProblems)>) -> Progress {
        let episodes = sets.map(|(query, problems)| query.options(problems, self.seed).episodes);
        match self.seconds {
            Some(seconds) => Progress::of_time(seconds, episodes.count()),
            None => Progress::of(episodes.sum(), "episodes"),
        }
    }
}

/// Rolls out one problem and records all episodes.
fn recorded(
    problems: &AnyProblems,
    query: &RolloutQuery,
    path: &Path,
    run: &Run<'_>,
) -> Result<herbrand::core::Rollout, Failure> {
    let (domain, problem) = input::trace_names(problems, Some(path));
    write_with(path, Failure::trace::<TaskFailure>, |out| {
        rollout_recorded(problems, query, (&domain, &problem), run, out)
    })
}

/// Rolls out one problem and writes the numbers of all steps to a file.
fn drawn(
    problems: &AnyProblems,
    query: &RolloutQuery,
    path: &Path,
    run: &Run<'_>,
) -> Result<herbrand::core::Rollout, Failure> {
    if problems.len() != 1 {
        return Err(one_problem("--out"));
    }
    problems.takes_engine(query.engine)?;
    if !matches!(query.engine, EngineKind::Automatic | EngineKind::Grounded) {
        return refuse("--out works only with the grounded engine: leave --engine out");
    }
    let form = match path.extension().unwrap_or_default().to_ascii_lowercase().to_str() {
        Some("csv") => CurvesForm::Table,
        Some("svg") => CurvesForm::Charts,
        _ => return refuse(format!("{}: write a .csv or a .svg file", path.display())),
    };
    files::check_before(Some(path))?;
    let (rollout, text, left_out) = curves(problems, query, form, run)?;
    if left_out > 0 {
        anstream::eprintln!("warning: {left_out} numbers are not drawn: write a .csv file for all of them");
    }
    let none = || Failure::Request(format!("{}: there is no number to draw", path.display()));
    files::write_file(path, text.ok_or_else(none)?)?;
    Ok(rollout)
}

/// The stop flag of a rollout that cannot be stopped.
static NEVER: AtomicBool = AtomicBool::new(false);
