//! `herbrand learn`: learns an action model from interaction.

mod curve;
mod trial;

use std::path::PathBuf;

use clap::Args;
use herbrand::env::Suite;
use herbrand::learn::{KnownJudgements, Learned, Learner, ModelRow};
use herbrand::tasks::open::only_set;
use serde::Serialize;

use crate::failure::Failure;
use crate::files;
use crate::input;
use crate::interrupt::Interrupt;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::progress::Progress;

use trial::{Judging, LearnerName, TrialArgs};

/// Learn an action model from interaction
///
/// Runs a random policy on the training problems, learns preconditions and effects of the actions, and evaluates the model
/// on the test problems by two figures. `error` is the share of steps in unseen states that the model predicts wrongly.
/// `solved` counts the problems for which a plan by the learned model reaches the goal in the true model. In probabilistic
/// domains, `distance` is the total variation distance between the predicted and the true probabilities of successors. The
/// learner sees the types, predicates and axioms of the domain and the names of its actions, but no preconditions or
/// effects.
///
/// FOLDT learns first-order logical decision trees for the agent's actions, which may hide parameters of the operators. The
/// safe learner learns the operators, and never allows an action that is not applicable.
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

    /// The number of episodes on training problems
    #[arg(long, value_name = "N", default_value_t = 100)]
    episodes: u32,

    /// Learn one model for each of these numbers of episodes, for a learning curve; replaces --episodes
    #[arg(
        long,
        value_name = "N,N,…",
        value_delimiter = ',',
        conflicts_with = "episodes"
    )]
    points: Vec<u32>,

    /// The learner
    #[arg(long, value_enum, default_value_t, value_name = "LEARNER")]
    learner: LearnerName,

    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// The number of seeds
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,

    #[command(flatten)]
    trial: TrialArgs,

    /// Write the last model to a file, as PDDL
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report<'r> {
    domain: &'r str,
    learner: Learner,
    #[serde(flatten)]
    judging: Judging,
    rows: &'r [ModelRow],
    model: Option<&'r str>,
}

impl Learn {
    /// Returns the limits of the whole command. The time limit is per model.
    pub fn limits(&self) -> LimitArgs {
        self.trial.memory.into()
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let interrupt = Interrupt::watch_termination()?;
        let suite = self.suite()?;
        files::check_before(self.out.as_deref())?;
        self.trial.check_files()?;
        let points = if self.points.is_empty() {
            vec![self.episodes]
        } else {
            self.points.clone()
        };
        let total = self.seeds * points.iter().copied().map(u64::from).sum::<u64>();
        let mut progress = Progress::of(total, "episodes");
        progress.begin(suite.name(), 0, 1);
        let mut rows = Vec::new();
        let mut known = KnownJudgements::default();
        let mut last = None;
        for &episodes in &points {
            for seed in self.seed..self.seed.saturating_add(self.seeds) {
                if interrupt.is_pressed() {
                    break;
                }
                let learner = self.learner.into();
                let trial = (self.trial).run(&suite, learner, (episodes, seed), &mut known, interrupt)?;
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
        let mode = Learner::from(self.learner).mode();
        let found = input::opener(mode, self.trial.memory.limits()).named(&self.domain)?;
        Ok(only_set(&self.domain, found)?.pddl("learn")?)
    }

    fn report(
        &self,
        suite: &Suite,
        rows: &[ModelRow],
        learned: Option<&Learned>,
        format: Format,
    ) -> Result<(), Failure> {
        let text = learned
            .map(Learned::to_pddl)
            .transpose()
            .map_err(trial::failure)?;
        if let (Some(path), Some(text)) = (&self.out, &text) {
            files::write_file(path, text)?;
            files::report_written(path, "the last model");
        }
        self.trial.write_csv(rows)?;
        if let Some(path) = &self.trial.svg {
            curve::draw(path, suite.name(), rows)?;
        }
        let report = Report {
            domain: suite.name(),
            learner: self.learner.into(),
            judging: self.trial.judging(),
            rows,
            model: text.as_deref(),
        };
        match format {
            Format::Json => Ok(output::json(&report)?),
            Format::Text => trial::print(rows),
        }
    }
}
