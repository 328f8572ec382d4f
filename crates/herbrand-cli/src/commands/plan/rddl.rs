//! Plans for problems in RDDL.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use herbrand::core::{Choice, Described};
use herbrand::limits::{Budget, Limits};
use herbrand::rddl::gradient::{GradientError, GradientOptions, GradientPlanner, Relaxed};
use herbrand::rddl::plan::{Method, PlanOptions, Planner, StraightPlan};
use herbrand::rddl::simulate::Process;
use herbrand::rddl::suite::{RddlError, RddlSuite};
use serde::Serialize;

use super::{Determinize, Plan};
use crate::Answer;
use crate::failure::Failure;
use crate::output::{self, Format, grouped};

/// How plans for RDDL are found.
#[derive(Args)]
#[command(next_help_heading = "Options for RDDL")]
pub struct RddlArgs {
    /// How plans are found
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    method: How,

    /// How many steps a plan has [default: the horizon, up to 100]
    #[arg(long, value_name = "STEPS")]
    lookahead: Option<u32>,

    /// How many plans are drawn at once, or improved side by side [default: 256, or 8 by gradient]
    #[arg(long, value_name = "N")]
    candidates: Option<usize>,

    /// How often plans are drawn, or improved [default: 10, or 200 by gradient]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
}

/// How plans are found.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum How {
    /// Plans are drawn from what the best ones of before have in common
    #[default]
    CrossEntropy,
    /// Plans are drawn at random, and the best one is kept
    RandomShooting,
    /// Plans are improved by the gradient of their returns, over steps that are made smooth
    Gradient,
}

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

impl Plan {
    /// Plans for the one problem of a suite.
    pub(super) fn rddl(&self, suite: &RddlSuite, limits: Limits, format: Format) -> Result<Answer, Failure> {
        self.refuse_for_rddl()?;
        let process = Arc::clone(suite.process(0)?);
        let begin = Instant::now();
        let plan = match self.rddl.method {
            How::CrossEntropy => self.by_roll_outs(&process, Method::CrossEntropy, limits),
            How::RandomShooting => self.by_roll_outs(&process, Method::RandomShooting, limits),
            How::Gradient => self.by_gradient(&process, limits),
        }?;
        let simulator = suite.simulator(0)?;
        let words = |joint: &Vec<Choice>| joint.iter().map(|&one| simulator.choice_text(one)).collect();
        let report = Report {
            problem: suite.problem_name(0).unwrap_or_default().to_owned(),
            plan: plan.steps.iter().map(words).collect(),
            mean_return: plan.mean,
            standard_error: plan.error,
            simulated_steps: plan.simulated,
            seconds: begin.elapsed().as_secs_f64(),
        };
        if let Some(path) = &self.out {
            output::write_file(path, report.text(&plan))?;
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
        let unable = |error: GradientError| match error {
            GradientError::Compile(error) => Failure::from(RddlError::from(error)),
            error @ GradientError::NoGradient(_) => Failure::Request(error.to_string()),
        };
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

    /// Refuses what has a meaning for plans of PDDL alone.
    fn refuse_for_rddl(&self) -> Result<(), Failure> {
        let flags = [
            ("--planner", self.planner.is_some()),
            ("--external", self.external.is_some()),
            ("--optimal", self.optimal),
            ("--determinize", self.determinize != Determinize::default()),
        ];
        match flags.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((flag, _)) => Err(Failure::Request(format!("{flag} is for PDDL"))),
        }
    }
}

impl Report {
    fn text(&self, plan: &StraightPlan) -> String {
        let mut text = String::new();
        for (step, words) in self.plan.iter().enumerate() {
            let joint = if words.is_empty() {
                "()".to_owned()
            } else {
                words.join(", ")
            };
            let _ = writeln!(text, "{}: {joint}", step + 1);
        }
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
