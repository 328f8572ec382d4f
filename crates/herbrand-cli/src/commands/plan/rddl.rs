//! Plans for problems in RDDL.

use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use herbrand::core::{Choice, Described};
use herbrand::limits::{Budget, Limits};
use herbrand::plan::PolicyKind;
use herbrand::rddl::Horizon;
use herbrand::rddl::gradient::{GradientError, GradientOptions, GradientPlanner, Relaxed};
use herbrand::rddl::plan::{
    EvaluateOptions, Method, PlanOptions, Planner, StraightPlan, UctOptions, UctPlanner, evaluate,
};
use herbrand::rddl::portfolio::{Portfolio, PortfolioOptions};
use herbrand::rddl::simulate::{Process, RddlSimulator};
use herbrand::rddl::suite::{RddlError, RddlSuite};
use serde::Serialize;

use super::{AnyPlanner, Determinize, Plan};
use crate::Answer;
use crate::failure::Failure;
use crate::files::{self, Mark};
use crate::output::{self, Format, counted, grouped};

/// How plans for RDDL are found.
#[derive(Args)]
#[command(next_help_heading = "Options for RDDL")]
pub struct RddlArgs {
    /// How many steps a plan has, or uct looks ahead [default: the horizon, up to 100]
    #[arg(long, value_name = "STEPS")]
    lookahead: Option<u32>,

    /// How many plans are drawn at once, or improved side by side; not for auto [default: 256, or 8 by gradient]
    #[arg(long, value_name = "N")]
    candidates: Option<usize>,

    /// How often plans are drawn or improved, or turns are taken [default: 10, 200 by gradient, 8 by auto]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
}

/// The planners for RDDL that there are for nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum How {
    /// for RDDL: draws plans from what the best ones of before have in common
    #[default]
    CrossEntropy,
    /// for RDDL: draws plans, and keeps the best one
    RandomShooting,
    /// for RDDL: improves plans by the gradient of their returns, over steps that are made smooth
    Gradient,
    /// for RDDL: cross-entropy and gradient in turns, each from the other's best plan
    Auto,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CrossEntropy => "cross-entropy",
            Self::RandomShooting => "random-shooting",
            Self::Gradient => "gradient",
            Self::Auto => "auto",
        })
    }
}

/// A plan.
#[derive(Serialize)]
struct Report {
    problem: String,
    /// By step: the choices that differ from defaults.
    plan: Vec<Vec<String>>,
    /// The mean of the discounted returns of the plan, on draws that it was not chosen by.
    mean_return: f64,
    standard_error: f64,
    simulated_steps: u64,
    seconds: f64,
}

/// What acting paid.
#[derive(Serialize)]
struct Acted {
    problem: String,
    planner: &'static str,
    runs: u32,
    /// The mean of the discounted returns of the runs.
    mean_return: f64,
    standard_error: f64,
    /// What was done in the first run, by step: the choices that differ from defaults.
    first: Vec<Vec<String>>,
    seconds: f64,
}

impl Plan {
    /// Plans for the one problem of a suite.
    pub(super) fn rddl(&self, suite: &RddlSuite, limits: Limits, format: Format) -> Result<Answer, Failure> {
        self.refuse_for_rddl()?;
        let process = Arc::clone(suite.process(0)?);
        let begin = Instant::now();
        let how = match self.planner {
            None => How::default(),
            Some(AnyPlanner::Rddl(how)) => how,
            Some(AnyPlanner::Policy(PolicyKind::Uct)) => return self.by_walks(suite, limits, format),
            Some(AnyPlanner::Policy(kind)) => return Err(for_pddl(kind.as_str())),
            Some(AnyPlanner::Plan(kind)) => return Err(for_pddl(kind.as_str())),
        };
        let plan = match how {
            How::CrossEntropy => self.by_roll_outs(&process, Method::CrossEntropy, limits),
            How::RandomShooting => self.by_roll_outs(&process, Method::RandomShooting, limits),
            How::Gradient => self.by_gradient(&process, limits),
            How::Auto => self.by_both(&process, limits),
        }?;
        let simulator = suite.simulator(0)?;
        let report = Report {
            problem: suite.problem_name(0).unwrap_or_default().to_owned(),
            plan: plan.steps.iter().map(|joint| words(&simulator, joint)).collect(),
            mean_return: plan.mean,
            standard_error: plan.error,
            simulated_steps: plan.simulated,
            seconds: begin.elapsed().as_secs_f64(),
        };
        if let Some(path) = &self.out {
            files::write_file(path, report.text(&plan), Mark::Pddl)?;
            files::report_written(path, counted(report.plan.len() as u64, "step"));
        }
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => {
                let mut out = output::out();
                write!(out, "{}", report.text(&plan))?;
                out.flush()?;
            }
        }
        Ok(Answer::Yes)
    }

    fn by_roll_outs(
        &self,
        process: &Arc<Process>,
        method: Method,
        limits: Limits,
    ) -> Result<StraightPlan, Failure> {
        let defaults = PlanOptions::default();
        let options = PlanOptions {
            method,
            lookahead: self.rddl.lookahead,
            candidates: self.rddl.candidates.unwrap_or(defaults.candidates),
            iterations: self.rddl.rounds.unwrap_or(defaults.iterations),
            time: limits.time,
            seed: self.seed,
            ..defaults
        };
        let mut planner = Planner::new(Arc::clone(process), options);
        Ok(planner.plan(process.initial()).map_err(RddlError::from)?)
    }

    fn by_gradient(&self, process: &Arc<Process>, limits: Limits) -> Result<StraightPlan, Failure> {
        let relaxed = Relaxed::new(&process.instance, &Budget::new(limits)).map_err(unable)?;
        let defaults = GradientOptions::default();
        let options = GradientOptions {
            lookahead: self.rddl.lookahead,
            candidates: self.rddl.candidates.unwrap_or(defaults.candidates),
            iterations: self.rddl.rounds.unwrap_or(defaults.iterations),
            time: limits.time,
            seed: self.seed,
            ..defaults
        };
        let mut planner = GradientPlanner::new(Arc::new(relaxed), options);
        Ok(planner.plan(process.initial()).map_err(RddlError::from)?)
    }

    fn by_both(&self, process: &Arc<Process>, limits: Limits) -> Result<StraightPlan, Failure> {
        if self.rddl.candidates.is_some() {
            let message = "--candidates is for the other planners: auto has its own numbers of plans";
            return Err(Failure::Request(message.to_owned()));
        }
        let defaults = PortfolioOptions::default();
        let options = PortfolioOptions {
            lookahead: self.rddl.lookahead,
            turns: self.rddl.rounds.unwrap_or(defaults.turns),
            time: limits.time,
            seed: self.seed,
            ..defaults
        };
        let mut portfolio = Portfolio::new(process, options, &Budget::new(limits)).map_err(unable)?;
        Ok(portfolio.plan(process.initial()).map_err(RddlError::from)?)
    }

    /// Acts by UCT, which looks ahead before each step; `--time` is for all decisions together.
    fn by_walks(&self, suite: &RddlSuite, limits: Limits, format: Format) -> Result<Answer, Failure> {
        if self.out.is_some() {
            let message = "--out is for plans: UCT decides anew in every state";
            return Err(Failure::Request(message.to_owned()));
        }
        let begin = Instant::now();
        let process = Arc::clone(suite.process(0)?);
        let runs = self.policy.runs;
        let steps = match process.instance.horizon {
            Horizon::Steps(steps) => steps.min(self.policy.horizon),
            Horizon::Infinite => self.policy.horizon,
        };
        let defaults = UctOptions::default();
        let options = UctOptions {
            lookahead: self.rddl.lookahead,
            walks: self.policy.iterations,
            time: limits.time.map(|time| time / runs.saturating_mul(steps).max(1)),
            bytes: limits.bytes.unwrap_or(defaults.bytes),
            seed: self.seed,
            ..defaults
        };
        let mut planner =
            UctPlanner::new(process, options).map_err(|error| Failure::Request(error.to_string()))?;
        let options = EvaluateOptions {
            steps,
            episodes: runs,
            seed: self.seed,
        };
        let evaluation = evaluate(&mut planner, options).map_err(RddlError::from)?;
        let simulator = suite.simulator(0)?;
        let (mean_return, standard_error) = evaluation.mean_and_error();
        let acted = Acted {
            problem: suite.problem_name(0).unwrap_or_default().to_owned(),
            planner: PolicyKind::Uct.as_str(),
            runs,
            mean_return,
            standard_error,
            first: evaluation
                .first
                .iter()
                .map(|joint| words(&simulator, joint))
                .collect(),
            seconds: begin.elapsed().as_secs_f64(),
        };
        match format {
            Format::Json => output::json(&acted)?,
            Format::Text => {
                let mut out = output::out();
                write!(out, "{}", acted.text())?;
                out.flush()?;
            }
        }
        Ok(Answer::Yes)
    }

    /// Refuses what has a meaning for plans of PDDL alone.
    fn refuse_for_rddl(&self) -> Result<(), Failure> {
        let flags = [
            ("--external", self.external.is_some()),
            ("--optimal", self.optimal),
            ("--exact", self.policy.exact),
            ("--determinize", self.determinize != Determinize::default()),
        ];
        match flags.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((flag, _)) => Err(Failure::Request(format!("{flag} is for PDDL"))),
        }
    }
}

fn unable(error: GradientError) -> Failure {
    match error {
        GradientError::Compile(error) => Failure::from(RddlError::from(error)),
        error @ GradientError::NoGradient(_) => Failure::Request(error.to_string()),
    }
}

fn for_pddl(planner: &str) -> Failure {
    Failure::Request(format!(
        "--planner {planner} is for PDDL: for RDDL there are cross-entropy, random-shooting, gradient, auto and uct"
    ))
}

/// The choices of a joint action.
fn words(simulator: &RddlSimulator, joint: &[Choice]) -> Vec<String> {
    joint.iter().map(|&one| simulator.choice_text(one)).collect()
}

/// Joint actions, a line for each.
fn lines(steps: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (step, words) in steps.iter().enumerate() {
        let joint = if words.is_empty() {
            "()".to_owned()
        } else {
            words.join(", ")
        };
        let _ = writeln!(text, "{}: {joint}", step + 1);
    }
    text
}

impl Report {
    fn text(&self, plan: &StraightPlan) -> String {
        let mut text = lines(&self.plan);
        let _ = writeln!(
            text,
            "; mean return {:.4}, standard error {:.4}; {} steps simulated in {:.2} seconds",
            plan.mean,
            plan.error,
            grouped(plan.simulated),
            self.seconds
        );
        text
    }
}

impl Acted {
    fn text(&self) -> String {
        let mut text = lines(&self.first);
        let _ = writeln!(
            text,
            "; the first of {}: mean return {:.4}, standard error {:.4}; {:.2} seconds",
            counted(self.runs.into(), "run"),
            self.mean_return,
            self.standard_error,
            self.seconds
        );
        text
    }
}
