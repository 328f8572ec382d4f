//! One trial: learns a model, evaluates it, and reports it as a table row.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use cpu_time::ThreadTime;
use herbrand::env::{Split, Suite};
use herbrand::learn::{
    ActionChoice, Experience, Exploration, FoldtOptions, Judge, Judgement, LearnError, Learned, explore,
    learn_foldt, learn_safe,
};
use herbrand::limits::{Budget, Limits};
use herbrand::pddl::Requirement;
use herbrand::plan::{PlanRequest, PlannerKind};
use serde::Serialize;

use crate::failure::Failure;
use crate::files;
use crate::interrupt::Interrupt;
use crate::limits::{self, MemoryArgs, duration};
use crate::options::planners;
use crate::output;

/// The learner.
#[derive(Clone, Copy, Default, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
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
    /// Returns the settings for learning one model with these options.
    pub fn setting(&self, learner: LearnerName, episodes: u32, seed: u64) -> Setting {
        Setting {
            learner,
            choice: self.policy.into(),
            episodes,
            horizon: self.horizon,
            seed,
            time: self.time,
            bytes: self.memory.limits().bytes,
            planner: self.planner,
            plan_time: self.plan_time,
        }
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
    pub fn write_csv(&self, rows: &[Row]) -> Result<(), Failure> {
        match &self.csv {
            Some(path) => files::write_file(path, csv(rows)),
            None => Ok(()),
        }
    }
}

/// The settings for learning one model. Limits are in CPU time.
#[derive(Clone, Copy)]
pub struct Setting {
    pub learner: LearnerName,
    choice: ActionChoice,
    pub episodes: u32,
    horizon: u32,
    seed: u64,
    /// The limit for learning.
    time: Duration,
    bytes: Option<u64>,
    planner: PlannerKind,
    /// The limit for planning one problem.
    plan_time: Duration,
}

/// A cache of the verdicts on one domain's test problems, by model: equal models lead to equal plans. Valid only for a fixed
/// planner and planning time.
#[derive(Default)]
pub struct KnownVerdicts {
    by_model: BTreeMap<String, Vec<Judgement>>,
}

/// The number of episodes on test problems that supply the unseen states for the prediction error.
const UNSEEN: u32 = 20;

/// A learned model and its evaluation.
pub struct Trial {
    pub row: Row,
    /// The learned model; `None` if learning was not finished.
    pub learned: Option<Learned>,
}

/// A learned model's evaluation, as a row of the report.
#[derive(Clone, Serialize)]
pub struct Row {
    pub domain: String,
    pub learner: LearnerName,
    pub seed: u64,
    pub episodes: u32,
    /// The number of actions that the policy took, including refused ones.
    pub transitions: usize,
    /// The time of learning in CPU seconds, without exploration.
    pub seconds: f64,
    /// The word `learned`, or the reason why there is no model.
    pub outcome: String,
    pub schemas: usize,
    /// The mean probability that the model gives to successors that were not observed; `None` if there is no model.
    pub error: Option<f64>,
    /// In probabilistic domains, the mean total variation distance between the predicted and the true distribution of
    /// successors.
    pub distance: Option<f64>,
    /// The number of test problems.
    pub problems: usize,
    pub solved: Option<usize>,
    /// The number of problems for which the planner gave up.
    pub gave_up: usize,
}

impl Trial {
    /// Explores the training problems, learns a model, and evaluates it on the test problems. Both are the whole suite if it
    /// has no split.
    ///
    /// # Errors
    /// Fails if a problem is invalid.
    pub fn run(
        suite: &Suite,
        setting: &Setting,
        known: &mut KnownVerdicts,
        interrupt: Interrupt,
    ) -> Result<Self, Failure> {
        let part = |split| Some(suite.split(split)).filter(|part| !part.is_empty());
        let train = part(Split::Train).unwrap_or_else(|| suite.clone());
        let test = part(Split::Test).unwrap_or_else(|| suite.clone());
        let budget = limits::cpu_budget(Limits {
            time: Some(setting.time),
            bytes: setting.bytes,
        });
        let seen = explore(
            &train,
            &setting.exploration(setting.episodes, setting.seed),
            &budget,
        );
        let seen = seen.map_err(failure)?;
        let began = ThreadTime::now();
        let learned = setting.learn(&seen, &budget);
        let mut row = Row {
            domain: suite.name().to_owned(),
            learner: setting.learner,
            seed: setting.seed,
            episodes: setting.episodes,
            transitions: seen.transitions.len(),
            seconds: began.elapsed().as_secs_f64(),
            outcome: "learned".to_owned(),
            schemas: 0,
            error: None,
            distance: None,
            problems: test.len(),
            solved: None,
            gave_up: 0,
        };
        let learned = match learned {
            Ok(learned) => learned,
            Err(
                error @ (LearnError::Hidden { .. }
                | LearnError::Conditional { .. }
                | LearnError::BudgetExhausted(_)),
            ) => {
                row.outcome = error.to_string();
                return Ok(Self { row, learned: None });
            }
            Err(error) => return Err(failure(error)),
        };
        row.schemas = learned.domain().schemas.len();
        row.judge(&test, &learned, setting, known, interrupt)
            .map_err(failure)?;
        Ok(Self {
            row,
            learned: Some(learned),
        })
    }
}

impl Setting {
    const fn exploration(&self, episodes: u32, seed: u64) -> Exploration {
        Exploration {
            episodes,
            horizon: self.horizon,
            seed,
            choice: self.choice,
        }
    }

    fn learn(&self, seen: &Experience, budget: &Budget) -> Result<Learned, LearnError> {
        match self.learner {
            LearnerName::Foldt => learn_foldt(seen, &FoldtOptions::default(), budget),
            LearnerName::Safe => learn_safe(seen, budget),
        }
    }

    fn plan(&self, judge: &Judge<'_>, problem: usize, interrupt: Interrupt) -> Result<Judgement, LearnError> {
        let budget = limits::cpu_budget(Limits {
            time: Some(self.plan_time),
            bytes: self.bytes,
        });
        let watched = budget.clone();
        let mut request = PlanRequest {
            budget,
            seed: 0,
            progress: &mut |_| {
                if interrupt.is_pressed() {
                    watched.cancel();
                }
            },
        };
        judge.solve(problem, self.planner, &mut request)
    }
}

impl Row {
    fn judge(
        &mut self,
        test: &Suite,
        learned: &Learned,
        setting: &Setting,
        known: &mut KnownVerdicts,
        interrupt: Interrupt,
    ) -> Result<(), LearnError> {
        let judge = Judge::new(test, learned);
        let budget = Budget::unlimited();
        let unseen = explore(test, &setting.exploration(UNSEEN, !setting.seed), &budget)?;
        self.error = Some(learned.predict(&unseen, &budget)?.error());
        if test
            .domain()
            .requirements
            .contains(Requirement::ProbabilisticEffects)
        {
            self.distance = Some(judge.distance(&unseen, &budget)?);
        }
        let text = learned.to_pddl()?;
        let verdicts = match known.by_model.get(&text) {
            Some(verdicts) => verdicts.clone(),
            None => {
                let mut verdicts = Vec::new();
                for problem in 0..test.len() {
                    verdicts.push(setting.plan(&judge, problem, interrupt)?);
                    if interrupt.is_pressed() {
                        return Ok(());
                    }
                }
                known.by_model.insert(text, verdicts.clone());
                verdicts
            }
        };
        let count = |wanted: Judgement| verdicts.iter().filter(|&&verdict| verdict == wanted).count();
        self.solved = Some(count(Judgement::Works));
        self.gave_up = count(Judgement::GaveUp);
        Ok(())
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

/// Formats all rows as CSV.
fn csv(rows: &[Row]) -> String {
    let mut text =
        "domain,learner,seed,episodes,transitions,seconds,schemas,error,distance,problems,solved,gave_up,outcome\n"
            .to_owned();
    for row in rows {
        let number = |value: Option<f64>| value.map(|value| format!("{value:.6}")).unwrap_or_default();
        let (error, distance) = (number(row.error), number(row.distance));
        let solved = row.solved.map(|solved| solved.to_string()).unwrap_or_default();
        let outcome = row.outcome.replace('"', "\"\"");
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{},{},{},{},{:.6},{},{error},{distance},{},{solved},{},\"{outcome}\"",
            row.domain,
            row.learner.name(),
            row.seed,
            row.episodes,
            row.transitions,
            row.seconds,
            row.schemas,
            row.problems,
            row.gave_up,
        );
    }
    text
}

/// Prints the rows as a table for a terminal.
pub fn print(rows: &[Row]) -> Result<(), Failure> {
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
            row.learner.name().to_owned(),
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

impl LearnerName {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Foldt => "foldt",
            Self::Safe => "safe",
        }
    }
}
