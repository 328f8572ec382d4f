//! `herbrand learn`: an action model from interaction.

mod curve;
pub mod trial;

use std::path::PathBuf;

use clap::Args;
use herbrand::env::{ActionMode, Suite};
use herbrand::learn::{ActionChoice, Learned};
use herbrand::plan::PlannerKind;
use serde::Serialize;

use crate::Answer;
use crate::commands::plan::planners;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::limits;
use crate::output::{self, Format};
use crate::problems::Problems;
use crate::progress::Progress;

use trial::{KnownVerdicts, LearnerName, Row, Setting, Trial};

/// Learn an action model from interaction
///
/// Plays a random policy on the training problems, learns a model of what actions need and do, and judges it on the test
/// problems: by the share of steps in unseen states that it predicts wrongly, and by how many problems it solves, that is,
/// whose plan by the learned model reaches the goal in the true one. With chance, `distance` is how far the predicted
/// probabilities of successors are from the true ones (total variation). The learner sees types, predicates and axioms of the
/// domain, and its actions' names, but no precondition and no effect.
///
/// FOLDT learns first-order logical decision trees, of the actions that the agent has: they may hide parameters. The safe
/// learner takes the operators, and permits no action that is not applicable.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand learn blocks --episodes 100 --out learned.pddl
  herbrand learn depot --learner safe
  herbrand learn sokoban --points 10,30,100,300 --seeds 3 --svg curve.svg --csv curve.csv
  herbrand learn ./my-domain --format json")]
pub struct Learn {
    /// A bundled domain or a folder
    #[arg(value_name = "DOMAIN")]
    domain: String,

    /// Episodes on training problems
    #[arg(long, value_name = "N", default_value_t = 100)]
    episodes: u32,

    /// Draw a learning curve: learn one model for each of these numbers of episodes, instead of one for --episodes
    #[arg(
        long,
        value_name = "N,N,…",
        value_delimiter = ',',
        conflicts_with = "episodes"
    )]
    points: Vec<u32>,

    /// How models are learned
    #[arg(long, value_enum, default_value_t, value_name = "LEARNER")]
    learner: LearnerName,

    /// How the policy draws its actions
    #[arg(long, value_enum, default_value_t, value_name = "POLICY")]
    policy: PolicyName,

    /// The most actions of an episode
    #[arg(long, value_name = "N", default_value_t = 25)]
    horizon: u32,

    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How many seeds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,

    /// The time that learning one model may take
    #[arg(long, value_name = "DURATION", default_value = "10m")]
    time: humantime::Duration,

    /// How plans by the learned model are looked for
    #[arg(long, value_name = "PLANNER", value_parser = planners(), default_value = "landmarks")]
    planner: PlannerKind,

    /// The time that planning for one test problem may take
    #[arg(long, value_name = "DURATION", default_value = "10s")]
    plan_time: humantime::Duration,

    /// Write the last model into a file, as PDDL
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write all measurements into a file, as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw the learning curve into a file, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// How the policy draws its actions.
#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum PolicyName {
    /// Uniformly among the applicable ones
    Valid,
    /// Uniformly among all that fit by type
    Any,
    /// Either way, with equal probability
    #[default]
    Mixed,
}

impl From<PolicyName> for ActionChoice {
    fn from(name: PolicyName) -> Self {
        match name {
            PolicyName::Valid => Self::Valid,
            PolicyName::Any => Self::Any,
            PolicyName::Mixed => Self::Mixed,
        }
    }
}

#[derive(Serialize)]
struct Report<'r> {
    domain: &'r str,
    learner: LearnerName,
    rows: &'r [Row],
    model: Option<&'r str>,
}

impl Learn {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let interrupt = Interrupt::watch()?;
        let suite = self.suite()?;
        let points = if self.points.is_empty() {
            vec![self.episodes]
        } else {
            self.points.clone()
        };
        let total = self.seeds * points.iter().copied().map(u64::from).sum::<u64>();
        let mut progress = Progress::of_episodes(total);
        progress.begin(suite.name(), 0, 1);
        let mut rows = Vec::new();
        let mut known = KnownVerdicts::default();
        let mut last = None;
        for &episodes in &points {
            for seed in self.seed..self.seed.saturating_add(self.seeds) {
                if interrupt.is_pressed() {
                    break;
                }
                let trial = Trial::run(&suite, &self.setting(episodes, seed), &mut known, interrupt)?;
                progress.advance(u64::from(episodes));
                last = trial.learned.or(last);
                rows.push(trial.row);
            }
        }
        progress.finish();
        self.report(&suite, &rows, last.as_ref(), format)?;
        Ok(interrupt.answer())
    }

    fn suite(&self) -> Result<Suite, Failure> {
        let mode = self.learner.mode();
        let mut found = Problems::named(&self.domain, mode, limits::defaults())?;
        if found.len() > 1 {
            let names: Vec<_> = found.iter().map(Problems::name).collect();
            let message = format!("`{}` has levels: name one of {}", self.domain, names.join(", "));
            return Err(Failure::Request(message));
        }
        match found.pop() {
            Some(problems) => problems.pddl("learn"),
            None => Err(Failure::Request(format!("`{}` has no problems", self.domain))),
        }
    }

    fn setting(&self, episodes: u32, seed: u64) -> Setting {
        Setting {
            learner: self.learner,
            choice: self.policy.into(),
            episodes,
            horizon: self.horizon,
            seed,
            time: self.time.into(),
            planner: self.planner,
            plan_time: self.plan_time.into(),
        }
    }

    fn report(
        &self,
        suite: &Suite,
        rows: &[Row],
        learned: Option<&Learned>,
        format: Format,
    ) -> Result<(), Failure> {
        let text = learned
            .map(Learned::to_pddl)
            .transpose()
            .map_err(trial::failure)?;
        if let (Some(path), Some(text)) = (&self.out, &text) {
            output::write_file(path, text)?;
        }
        if let Some(path) = &self.csv {
            output::write_file(path, trial::csv(rows))?;
        }
        if let Some(path) = &self.svg {
            curve::draw(path, suite.name(), rows)?;
        }
        let report = Report {
            domain: suite.name(),
            learner: self.learner,
            rows,
            model: text.as_deref(),
        };
        match format {
            Format::Json => Ok(output::json(&report)?),
            Format::Text => trial::print(rows),
        }
    }
}

impl LearnerName {
    /// The safe learner takes the operators as they are.
    pub const fn mode(self) -> ActionMode {
        match self {
            Self::Foldt => ActionMode::Declared,
            Self::Safe => ActionMode::Operators,
        }
    }
}
