//! Plans for problems in RDDL.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use herbrand::core::{Choice, Described};
use herbrand::limits::Limits;
use herbrand::rddl::plan::{Method, PlanOptions, Planner, StraightPlan};
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
    /// How plans are found by roll-outs
    #[arg(long, value_enum, default_value_t, value_name = "METHOD")]
    method: How,

    /// How many steps a plan has [default: the horizon, up to 100]
    #[arg(long, value_name = "STEPS")]
    lookahead: Option<u32>,

    /// How many plans are drawn at once
    #[arg(long, default_value_t = 256, value_name = "N")]
    candidates: usize,

    /// How often plans are drawn
    #[arg(long, default_value_t = 10, value_name = "N")]
    rounds: u32,
}

/// How plans are found.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum How {
    /// Plans are drawn from what the best ones of before have in common
    #[default]
    CrossEntropy,
    /// Plans are drawn at random, and the best one is kept
    RandomShooting,
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
        let options = PlanOptions {
            method: match self.rddl.method {
                How::CrossEntropy => Method::CrossEntropy,
                How::RandomShooting => Method::RandomShooting,
            },
            lookahead: self.rddl.lookahead,
            candidates: self.rddl.candidates,
            iterations: self.rddl.rounds,
            time: limits.time,
            seed: self.seed,
            ..PlanOptions::default()
        };
        let begin = Instant::now();
        let mut planner = Planner::new(Arc::clone(&process), options);
        let plan = planner.plan(process.initial()).map_err(RddlError::from)?;
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

    /// Refuses what has a meaning for plans of PDDL alone.
    fn refuse_for_rddl(&self) -> Result<(), Failure> {
        let flags = [
            ("--planner", self.planner.is_some()),
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
