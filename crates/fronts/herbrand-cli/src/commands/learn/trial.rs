//! The options of one trial, and its table.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use cpu_time::ThreadTime;
use herbrand::env::Suite;
use herbrand::learn::{
    ActionChoice, Exploration, KnownJudgements, LearnError, Learner, ModelRow, ModelTrial, TrialSetting, csv,
};
use herbrand::limits::Limits;
use herbrand::plan::PlannerKind;
use serde::Serialize;

use crate::failure::Failure;
use crate::files;
use crate::interrupt::Interrupt;
use crate::limits::{self, MemoryArgs, duration};
use crate::options::planners;
use crate::output;

/// The learner.
#[derive(Clone, Copy, Default, clap::ValueEnum)]
pub enum LearnerName {
    /// First-order logical decision trees for the agent's actions
    #[default]
    Foldt,
    /// For operators: the preconditions that always held and the effects that were observed
    Safe,
}

/// How the policy draws its actions.
#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum PolicyName {
    /// A uniformly random applicable action
    Valid,
    /// A uniformly random action with arguments of the right types
    Any,
    /// One of the two, with equal probability
    #[default]
    Mixed,
}

impl From<LearnerName> for Learner {
    fn from(name: LearnerName) -> Self {
        match name {
            LearnerName::Foldt => Self::Foldt,
            LearnerName::Safe => Self::Safe,
        }
    }
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

/// The options for learning and evaluating models.
#[derive(Args)]
pub struct TrialArgs {
    /// How the random policy draws actions
    #[arg(long, value_enum, default_value_t, value_name = "POLICY")]
    policy: PolicyName,

    /// Maximum number of actions per episode
    #[arg(long, value_name = "N", default_value_t = 25)]
    pub horizon: u32,

    /// CPU time limit for learning one model
    #[arg(long, value_name = "SECONDS", value_parser = duration, default_value = "10m")]
    time: Duration,

    #[command(flatten)]
    pub memory: MemoryArgs,

    /// The planner for the learned models
    #[arg(long, value_name = "PLANNER", value_parser = planners(), default_value = "portfolio")]
    planner: PlannerKind,

    /// CPU time limit for planning one test problem
    #[arg(long, value_name = "SECONDS", value_parser = duration, default_value = "10s")]
    plan_time: Duration,

    /// Write one line per model to a CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw the learning curves to an SVG file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// The planner that evaluates models and its limits, as part of reports.
#[derive(Clone, Copy, Serialize)]
pub struct Judging {
    horizon: u32,
    time_limit_seconds: f64,
    planner: &'static str,
    plan_time_limit_seconds: f64,
}

impl TrialArgs {
    /// Learns and judges one model with these options. Limits are in CPU time.
    pub fn run(
        &self,
        suite: &Suite,
        learner: Learner,
        (episodes, seed): (u32, u64),
        known: &mut KnownJudgements,
        interrupt: Interrupt,
    ) -> Result<ModelTrial, Failure> {
        let bytes = self.memory.limits().bytes;
        let within = |time| {
            let time = Some(time);
            limits::cpu_budget(Limits { time, bytes })
        };
        let setting = TrialSetting {
            learner,
            exploration: Exploration {
                episodes,
                horizon: self.horizon,
                seed,
                choice: self.policy.into(),
            },
            planner: self.planner,
            learning: &|| within(self.time),
            planning: &|| within(self.plan_time),
            clock: || ThreadTime::now().as_duration(),
            is_cancelled: &|| interrupt.is_pressed(),
        };
        ModelTrial::run(suite, &setting, known).map_err(failure)
    }

    pub fn judging(&self) -> Judging {
        Judging {
            horizon: self.horizon,
            time_limit_seconds: self.time.as_secs_f64(),
            planner: self.planner.as_str(),
            plan_time_limit_seconds: self.plan_time.as_secs_f64(),
        }
    }

    /// Checks before the work starts that the output files can be written. Fails if one cannot.
    pub fn check_files(&self) -> Result<(), Failure> {
        files::check_before(self.csv.as_deref())?;
        files::check_before(self.svg.as_deref())
    }

    /// Writes the rows to the file of --csv, if it is given.
    pub fn write_csv(&self, rows: &[ModelRow]) -> Result<(), Failure> {
        match &self.csv {
            Some(path) => files::write_file(path, csv(rows)),
            None => Ok(()),
        }
    }
}

/// Returns the failure for a model that could not be learned or evaluated.
pub fn failure(error: LearnError) -> Failure {
    match error {
        LearnError::Env(error) => error.into(),
        LearnError::Model(faults) => faults.into(),
        error => Failure::of(error),
    }
}

/// Prints the rows as a table for a terminal.
pub fn print(rows: &[ModelRow]) -> Result<(), Failure> {
    let columns = [
        ("domain", false),
        ("learner", false),
        ("seed", true),
        ("episodes", true),
        ("steps", true),
        ("seconds", true),
        ("schemas", true),
        ("error", true),
        ("distance", true),
        ("solved", true),
        ("", false),
    ];
    let percent =
        |value: Option<f64>| value.map_or_else(String::new, |value| format!("{:.2} %", 100.0 * value));
    let cells = rows.iter().map(|row| {
        vec![
            row.domain.clone(),
            row.learner.to_string(),
            row.seed.to_string(),
            row.episodes.to_string(),
            row.transitions.to_string(),
            format!("{:.2}", row.seconds),
            row.schemas.to_string(),
            percent(row.error),
            percent(row.distance),
            row.solved
                .map_or_else(String::new, |solved| format!("{solved}/{}", row.problems)),
            if row.outcome == "learned" {
                String::new()
            } else {
                row.outcome.clone()
            },
        ]
    });
    Ok(output::table(&columns, cells)?)
}
