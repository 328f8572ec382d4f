//! `herbrand study planning`: how long plans take to find.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use cpu_time::ThreadTime;
use herbrand::env::{ActionMode, EnvError, Instance, Registry, Suite};
use herbrand::limits::Limits;
use herbrand::plan::{Determinization, Outcome, Planner, PlannerKind, Request};
use serde::Serialize;

use super::chart::{self, Bar};
use super::spread::Spread;
use crate::Answer;
use crate::commands::plan::planners;
use crate::failure::Failure;
use crate::files::{self, Mark};
use crate::interrupt::Interrupt;
use crate::limits::{self, LimitArgs, MemoryArgs, duration};
use crate::output::{self, Format};
use crate::progress::Progress;

/// Measure how long it takes to find plans
///
/// Plans for every problem of the bundled deterministic domains, once per seed, and reports the CPU time from the text of a
/// problem to its plan: reading, grounding and search. A problem without a plan within the time limit counts with the time
/// spent on it. The picture has a bar per domain, with a line from the fastest to the slowest run.
#[derive(Args)]
pub struct Planning {
    /// Bundled domains [default: all deterministic domains]
    #[arg(value_name = "DOMAIN")]
    domains: Vec<String>,

    /// The planner
    #[arg(long, value_name = "PLANNER", value_parser = planners(), default_value = "hill-climbing")]
    planner: PlannerKind,

    /// CPU time limit per search
    #[arg(long, value_name = "SECONDS", value_parser = duration, default_value = "10s")]
    time: Duration,

    #[command(flatten)]
    memory: MemoryArgs,

    /// How many seeds break ties: 0, 1, 2 and so on
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,

    /// Write all runs to a CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw the domains to an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// One search.
#[derive(Serialize)]
struct Run {
    domain: String,
    problem: String,
    seed: u64,
    outcome: &'static str,
    steps: Option<usize>,
    cost: Option<f64>,
    expanded: u64,
    /// CPU time, from the text to the end of the search.
    seconds: f64,
}

#[derive(Serialize)]
struct Row {
    domain: String,
    problems: usize,
    runs: usize,
    solved: usize,
    /// CPU seconds per run.
    seconds: Spread,
    /// Steps of the plans that were found.
    steps: Option<Spread>,
    expanded: Spread,
}

#[derive(Serialize)]
struct Report {
    planner: &'static str,
    time_limit_seconds: f64,
    seeds: u64,
    domains: Vec<Row>,
    runs: Vec<Run>,
}

impl Planning {
    /// Returns the limits of the whole command. The time limit is per search.
    pub fn limits(&self) -> LimitArgs {
        self.memory.into()
    }

    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let interrupt = Interrupt::watch()?;
        let suites = self.suites()?;
        files::check_before(self.csv.as_deref(), Mark::HeaderLine)?;
        files::check_before(self.svg.as_deref(), Mark::Markup)?;
        let mut progress = Progress::of_suites(suites.len());
        let mut report = Report {
            planner: self.planner.as_str(),
            time_limit_seconds: self.time.as_secs_f64(),
            seeds: self.seeds,
            domains: Vec::new(),
            runs: Vec::new(),
        };
        for (index, suite) in suites.iter().enumerate() {
            progress.begin(suite.name(), index, suites.len());
            let runs = self.runs(suite, interrupt)?;
            progress.advance(1);
            if interrupt.is_pressed() {
                break;
            }
            report.domains.extend(Row::of(suite, &runs));
            report.runs.extend(runs);
        }
        progress.finish();
        if let Some(file) = &self.csv {
            files::write_file(file, csv(&report.runs), Mark::HeaderLine)?;
        }
        if let Some(file) = &self.svg {
            draw(file, &report.domains)?;
        }
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => report.print()?,
        }
        Ok(interrupt.answer())
    }

    /// Returns the named domains, or all deterministic domains.
    fn suites(&self) -> Result<Vec<Suite>, Failure> {
        let names = match self.domains.as_slice() {
            [] => Registry::names()?,
            some => some.to_vec(),
        };
        let mut suites = Vec::new();
        for name in names {
            for files in Registry::files(&name)? {
                let suite = Suite::within(files, ActionMode::Operators, self.memory.limits())?;
                let chance = has_chance(suite.instance(0)?);
                if chance && !self.domains.is_empty() {
                    let message =
                        format!("`{name}` is probabilistic, and this study is for deterministic domains");
                    return Err(Failure::Request(message));
                }
                suites.extend((!chance).then_some(suite));
            }
        }
        Ok(suites)
    }

    fn runs(&self, suite: &Suite, interrupt: Interrupt) -> Result<Vec<Run>, Failure> {
        let mut runs = Vec::new();
        for index in 0..suite.len() {
            for seed in 0..self.seeds {
                if interrupt.is_pressed() {
                    return Ok(runs);
                }
                runs.push(self.search(suite, index, seed, interrupt)?);
            }
        }
        Ok(runs)
    }

    /// Reads, grounds and searches a problem.
    fn search(&self, suite: &Suite, index: usize, seed: u64, interrupt: Interrupt) -> Result<Run, Failure> {
        let began = ThreadTime::now();
        let problem = suite.parse_problem(index)?;
        let instance = Instance::compile(suite.domain(), &problem, None)?;
        let simulator = instance.simulator();
        let budget = limits::cpu_budget(Limits {
            bytes: self.memory.limits().bytes,
            time: Some(self.time),
        });
        let watched = budget.clone();
        let mut request = Request {
            budget,
            seed,
            progress: &mut |_| {
                if interrupt.is_pressed() {
                    watched.cancel();
                }
            },
        };
        let start = simulator.initial_state();
        let found = self
            .planner
            .solve(simulator, &start, Determinization::AllOutcomes, &mut request)
            .map_err(|error| EnvError::Planning(error.into()))?;
        let cost = match &found.outcome {
            Outcome::Plan(plan) => Some(plan.cost),
            Outcome::GoalAlreadyTrue => Some(0.0),
            _ => None,
        };
        Ok(Run {
            domain: suite.name().to_owned(),
            problem: suite.full_problem_name(index).unwrap_or_default(),
            seed,
            outcome: found.outcome.name(),
            steps: found.outcome.plan().map(<[_]>::len),
            cost,
            expanded: found.statistics.expanded,
            seconds: began.elapsed().as_secs_f64(),
        })
    }
}

fn has_chance(instance: &Instance) -> bool {
    instance.simulator().task().effects.chances() > 0
}

impl Row {
    /// `None` without runs.
    fn of(suite: &Suite, runs: &[Run]) -> Option<Self> {
        let all = |of: fn(&Run) -> f64| Spread::of(&runs.iter().map(of).collect::<Vec<_>>());
        let steps: Vec<f64> = runs
            .iter()
            .filter_map(|run| run.steps.map(|steps| steps as f64))
            .collect();
        Some(Self {
            domain: suite.name().to_owned(),
            problems: suite.len(),
            runs: runs.len(),
            solved: steps.len(),
            seconds: all(|run| run.seconds)?,
            steps: Spread::of(&steps),
            expanded: all(|run| run.expanded as f64)?,
        })
    }
}

impl Report {
    fn print(&self) -> Result<(), Failure> {
        let columns = [
            ("domain", false),
            ("problems", true),
            ("runs", true),
            ("solved", true),
            ("seconds", true),
            ("± deviation", true),
            ("slowest", true),
            ("steps", true),
            ("expanded", true),
        ];
        let rows = self.domains.iter().map(|row| {
            vec![
                row.domain.clone(),
                row.problems.to_string(),
                row.runs.to_string(),
                row.solved.to_string(),
                format!("{:.4}", row.seconds.mean),
                format!("{:.4}", row.seconds.deviation),
                format!("{:.4}", row.seconds.most),
                row.steps
                    .map_or_else(String::new, |steps| format!("{:.1}", steps.mean)),
                format!("{:.0}", row.expanded.mean),
            ]
        });
        Ok(output::table(&columns, rows)?)
    }
}

/// All runs, one per line.
fn csv(runs: &[Run]) -> String {
    let mut text = "domain,problem,seed,outcome,steps,cost,expanded,seconds\n".to_owned();
    for run in runs {
        let steps = run.steps.map(|steps| steps.to_string()).unwrap_or_default();
        let cost = run.cost.map(|cost| cost.to_string()).unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{steps},{cost},{},{:.6}",
            run.domain, run.problem, run.seed, run.outcome, run.expanded, run.seconds
        );
    }
    text
}

fn draw(file: &Path, rows: &[Row]) -> Result<(), Failure> {
    let mut bars: Vec<Bar> = rows
        .iter()
        .map(|row| Bar {
            label: row.domain.clone(),
            spread: row.seconds,
        })
        .collect();
    bars.sort_by(|one, other| one.spread.mean.total_cmp(&other.spread.mean));
    chart::draw(file, "CPU seconds from text to plan", &bars)
}
