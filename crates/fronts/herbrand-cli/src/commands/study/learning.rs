//! `herbrand study learning`: how hard the bundled domains are to learn.

use clap::Args;
use herbrand::env::{Registry, Suite};
use herbrand::pddl::Requirement;
use serde::Serialize;

use super::panels::{self, Panel, Point};
use super::spread::Spread;
use crate::Answer;
use crate::commands::learn::trial::{Judging, KnownVerdicts, LearnerName, Row, Trial, TrialArgs};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::limits::LimitArgs;
use crate::output::{self, Format};
use crate::progress::Progress;

/// Measure how hard the bundled domains are to learn
///
/// Learns models of the bundled deterministic domains with each learner, from several numbers of episodes and with several
/// seeds, like `herbrand learn` for one domain. For each learner and number of episodes, the table has the CPU time of
/// learning, the share of wrong predictions, and the share of test problems for which a plan by the learned model reaches
/// the goal in the true one. Figures are means over the seeds, with the range. The picture has a panel per domain. Ctrl-C
/// prints the results so far; the exit status is then 130.
#[derive(Args)]
pub struct Learning {
    /// Bundled domains [default: all deterministic domains]
    #[arg(value_name = "DOMAIN")]
    domains: Vec<String>,

    /// The learners
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "LEARNER,…",
        default_value = "foldt,safe"
    )]
    learners: Vec<LearnerName>,

    /// The numbers of episodes to learn from, one model for each
    #[arg(
        long,
        value_name = "N,N,…",
        value_delimiter = ',',
        default_value = "10,30,100"
    )]
    points: Vec<u32>,

    /// The number of seeds: 0, 1, 2, …
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,

    #[command(flatten)]
    trial: TrialArgs,
}

/// The models of one domain by one learner from one number of episodes.
#[derive(Serialize)]
struct Summary {
    domain: String,
    learner: LearnerName,
    episodes: u32,
    /// How many models there are: one per seed that was learned in time.
    models: usize,
    /// CPU seconds per model, including models that were not learned in time.
    seconds: Spread,
    /// The share of wrong predictions.
    error: Option<Spread>,
    /// How many test problems there are, and the share of them that was solved.
    problems: usize,
    solved: Option<Spread>,
    /// Over all models: on how many problems the planner gave up.
    gave_up: usize,
    /// Why there is no model, of the first that is missing.
    missing: Option<String>,
}

#[derive(Serialize)]
struct Report {
    seeds: u64,
    #[serde(flatten)]
    judging: Judging,
    summaries: Vec<Summary>,
    models: Vec<Row>,
}

impl Learning {
    /// Returns the limits of the whole command. The time limit is per model.
    pub fn limits(&self) -> LimitArgs {
        self.trial.memory.into()
    }

    pub fn run(mut self, format: Format) -> Result<Answer, Failure> {
        self.points.sort_unstable();
        self.points.dedup();
        self.learners.sort_unstable();
        self.learners.dedup();
        let interrupt = Interrupt::watch()?;
        let domains = self.suites()?;
        self.trial.check_files()?;
        let mut progress = Progress::of_models(self.models_each() * domains.len() as u64);
        let mut models = Vec::new();
        for (index, suites) in domains.iter().enumerate() {
            progress.begin(suites[0].1.name(), index, domains.len());
            for (learner, suite) in suites {
                self.learn(*learner, suite, interrupt, &progress, &mut models)?;
            }
            if interrupt.is_pressed() {
                break;
            }
        }
        progress.finish();
        let report = Report {
            seeds: self.seeds,
            judging: self.trial.judging(),
            summaries: summaries(&models),
            models,
        };
        self.trial.write_csv(&report.models)?;
        if let Some(file) = &self.trial.svg {
            panels::draw(file, &report.panels())?;
        }
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => report.print()?,
        }
        Ok(interrupt.answer())
    }

    fn models_each(&self) -> u64 {
        self.learners.len() as u64 * self.points.len() as u64 * self.seeds
    }

    /// By domain, its suite for each learner: the named domains, or all deterministic domains.
    fn suites(&self) -> Result<Vec<Vec<(LearnerName, Suite)>>, Failure> {
        let names = match self.domains.as_slice() {
            [] => Registry::names()?,
            some => some.to_vec(),
        };
        let mut domains = Vec::new();
        for name in names {
            for files in Registry::files(&name)? {
                let suite = |&learner: &LearnerName| {
                    let suite = Suite::within(files.clone(), learner.mode(), self.trial.memory.limits())?;
                    Ok((learner, suite))
                };
                let suites: Vec<_> = self.learners.iter().map(suite).collect::<Result<_, Failure>>()?;
                let chance = suites.iter().any(|(_, suite)| has_chance(suite));
                if chance && !self.domains.is_empty() {
                    let message = format!(
                        "`{name}` is probabilistic, and this study is for deterministic domains: use `herbrand learn \
                         {name}`, which compares probabilities"
                    );
                    return Err(Failure::Request(message));
                }
                domains.extend((!chance).then_some(suites));
            }
        }
        Ok(domains)
    }

    /// Learns all models of a domain by one learner, fewer episodes first.
    fn learn(
        &self,
        learner: LearnerName,
        suite: &Suite,
        interrupt: Interrupt,
        progress: &Progress,
        models: &mut Vec<Row>,
    ) -> Result<(), Failure> {
        let mut known = KnownVerdicts::default();
        for &episodes in &self.points {
            for seed in 0..self.seeds {
                if interrupt.is_pressed() {
                    return Ok(());
                }
                let setting = self.trial.setting(learner, episodes, seed);
                let trial = Trial::run(suite, &setting, &mut known, interrupt)?;
                progress.advance(1);
                if !interrupt.is_pressed() {
                    models.push(trial.row);
                }
            }
        }
        Ok(())
    }
}

fn has_chance(suite: &Suite) -> bool {
    let requirements = suite.domain().requirements;
    requirements.contains(Requirement::ProbabilisticEffects)
}

/// One summary for each domain, learner and number of episodes, in the order of the models.
fn summaries(models: &[Row]) -> Vec<Summary> {
    let groups = models.chunk_by(|one, other| {
        let key = |row: &Row| (row.domain.clone(), row.learner, row.episodes);
        key(one) == key(other)
    });
    groups.filter_map(Summary::of).collect()
}

impl Summary {
    fn of(rows: &[Row]) -> Option<Self> {
        let first = rows.first()?;
        let all = |of: fn(&Row) -> Option<f64>| Spread::of(&rows.iter().filter_map(of).collect::<Vec<_>>());
        let missing = rows.iter().find(|row| row.error.is_none());
        Some(Self {
            domain: first.domain.clone(),
            learner: first.learner,
            episodes: first.episodes,
            models: rows.iter().filter(|row| row.error.is_some()).count(),
            seconds: all(|row| Some(row.seconds))?,
            error: all(|row| row.error),
            problems: first.problems,
            solved: all(|row| Some(row.solved? as f64 / row.problems.max(1) as f64)),
            gave_up: rows.iter().map(|row| row.gave_up).sum(),
            missing: missing.map(|row| row.outcome.clone()),
        })
    }
}

impl Report {
    fn print(&self) -> Result<(), Failure> {
        let columns = [
            ("domain", false),
            ("learner", false),
            ("episodes", true),
            ("models", true),
            ("seconds", true),
            ("± deviation", true),
            ("errors", true),
            ("range", true),
            ("solved", true),
            ("range", true),
            ("gave up", true),
            ("", false),
        ];
        let rows = self.summaries.iter().map(|row| {
            let [error, error_range] = percents(row.error, 2);
            let [solved, solved_range] = percents(row.solved, 0);
            vec![
                row.domain.clone(),
                row.learner.name().to_owned(),
                row.episodes.to_string(),
                row.models.to_string(),
                format!("{:.3}", row.seconds.mean),
                format!("{:.3}", row.seconds.deviation),
                error,
                error_range,
                solved,
                solved_range,
                row.gave_up.to_string(),
                row.missing.clone().unwrap_or_default(),
            ]
        });
        Ok(output::table(&columns, rows)?)
    }

    /// A panel for each domain, with a curve for each learner that made a model.
    fn panels(&self) -> Vec<Panel> {
        let mut panels: Vec<Panel> = Vec::new();
        for row in &self.summaries {
            if panels.last().is_none_or(|panel| panel.title != row.domain) {
                panels.push(Panel {
                    title: row.domain.clone(),
                    curves: Vec::new(),
                });
            }
            let Some((panel, solved)) = panels.last_mut().zip(row.solved) else {
                continue;
            };
            let name = row.learner.name();
            if panel.curves.last().is_none_or(|(curve, _)| *curve != name) {
                panel.curves.push((name, Vec::new()));
            }
            if let Some((_, points)) = panel.curves.last_mut() {
                points.push(Point {
                    episodes: f64::from(row.episodes),
                    share: solved,
                });
            }
        }
        panels
    }
}

/// The mean of shares and their range, in percent.
fn percents(spread: Option<Spread>, digits: usize) -> [String; 2] {
    let percent = |value: f64| format!("{:.digits$}", 100.0 * value);
    spread.map_or_else(Default::default, |spread| {
        [
            format!("{} %", percent(spread.mean)),
            format!("{}–{}", percent(spread.least), percent(spread.most)),
        ]
    })
}
