//! `herbrand validate`: whether a plan reaches the goal.

use std::io::Write;
use std::path::Path;

use clap::Args;
use herbrand::env::plan::{self, Plan, Validation};
use herbrand::env::{ActionMode, EnvError, Suite};
use serde::Serialize;

use crate::Answer;
use crate::failure::Failure;
use crate::input;
use crate::output::{self, Format};
use crate::problem::ProblemArgs;

/// Execute a plan and say whether it reaches the goal
///
/// The plan names operators, one a line, as Fast Downward prints it, or VAL: `0: (operator argument) [1]`. With chance,
/// all ways in which the plan can go are followed, and the probability of the goal is told. The exit status is 1 when
/// the goal is not reached for certain.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand validate domain.pddl problem.pddl plan.txt
  herbrand validate blocks test/03            the plan that comes with a bundled problem
  herbrand validate blocks test/03 plan.txt --format json")]
pub struct Validate {
    #[command(flatten)]
    problem: ProblemArgs,

    /// The plan [default: the one that comes with the problem]
    #[arg(value_name = "PLAN")]
    plan: Option<String>,
}

#[derive(Serialize)]
struct Report {
    valid: bool,
    steps: usize,
    goal_probability: f64,
    executable_probability: f64,
    metric: Option<f64>,
    failure: Option<FailureData>,
}

#[derive(Serialize)]
struct FailureData {
    step: usize,
    line: usize,
    action: String,
    reason: String,
}

impl Validate {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let _guard = self.problem.limits.guard();
        let (suite, plan) = self.input()?;
        let simulator = suite.instance(0)?.simulator();
        let validation =
            plan::validate(simulator, &plan).map_err(|error| EnvError::Planning(error.into()))?;
        match format {
            Format::Json => output::json(&Report::of(&validation))?,
            Format::Text => print(&validation)?,
        }
        Ok(if validation.is_valid() {
            Answer::Yes
        } else {
            Answer::No
        })
    }

    /// The suite of the one problem, and the plan.
    fn input(&self) -> Result<(Suite, Plan), Failure> {
        let mut words = self.problem.words(self.plan.as_slice())?;
        let plan = words.rest.pop();
        let suite = self.problem.find_among(&words, ActionMode::Operators)?;
        let suite = suite.pddl("validate")?;
        let plan = match plan {
            Some(path) => input::read_plan(Path::new(&path))?,
            None => input::stored_plan(&words.domain, &suite)?,
        };
        Ok((suite, plan))
    }
}

impl Report {
    fn of(validation: &Validation) -> Self {
        Self {
            valid: validation.is_valid(),
            steps: validation.steps,
            goal_probability: validation.goal,
            executable_probability: validation.executable,
            metric: validation.metric,
            failure: validation.failure.clone().map(|failure| FailureData {
                step: failure.step,
                line: failure.line,
                action: failure.action,
                reason: failure.reason,
            }),
        }
    }
}

fn print(validation: &Validation) -> Result<(), Failure> {
    let mut out = output::out();
    if let Some(failure) = &validation.failure {
        let sometimes = if validation.executable > 0.0 {
            ", as it may turn out"
        } else {
            ""
        };
        writeln!(
            out,
            "step {} (line {}){sometimes}: {}",
            failure.step, failure.line, failure.reason
        )?;
    }
    match validation.goal {
        _ if validation.is_valid() => writeln!(out, "the plan reaches the goal")?,
        0.0 if validation.failure.is_none() => writeln!(out, "the goal does not hold at the end")?,
        0.0 => writeln!(out, "the plan does not reach the goal")?,
        goal => writeln!(out, "the plan reaches the goal with probability {goal:.6}")?,
    }
    writeln!(out, "steps: {}", validation.steps)?;
    if let Some(metric) = validation.metric {
        writeln!(out, "metric: {metric}")?;
    }
    out.flush()?;
    Ok(())
}
