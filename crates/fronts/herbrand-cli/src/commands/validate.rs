//! `herbrand validate`: whether a plan reaches the goal.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use herbrand::GroundTask;
use herbrand::core::Problems as _;
use herbrand::env::plan::{self, ParsedPlan, Validation};
use herbrand::env::{ActionMode, EnvError, Suite};
use herbrand::pddl::MetricDirection;
use herbrand::rddl::plan::{Agent, EvaluateOptions, FollowPlan, evaluate};
use herbrand::rddl::simulate::RddlSimulator;
use herbrand::rddl::suite::{RddlError, RddlSuite};
use serde::Serialize;

use super::plan::beside_metric;
use crate::failure::Failure;
use crate::input;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted};
use crate::policy_file::{self, SavedPolicy};
use crate::preconditions::PreconditionArgs;
use crate::problem::ProblemArgs;
use crate::task_file;
use crate::violations::Faults;
use herbrand::tasks::AnyProblems;

/// Execute a plan and check whether it reaches the goal
///
/// The plan has one operator per line, in the format of Fast Downward or of VAL: `0: (operator argument) [1]`. In
/// probabilistic domains, all outcomes are followed and the probability of the goal is reported. If the goal does not hold at
/// the end, its missing conditions are listed. If the problem has a metric, its value is reported. The exit status is 1 if
/// the goal is not reached with certainty.
///
/// For several plans, such as those of a class, a table has a row for each, and the last line is the number of plans that reach
/// the goal. The exit status is then 1 unless all do, and 2 if a file is no plan.
///
/// In RDDL, the plan is a file that `herbrand plan --out` wrote, perhaps the policy of `--planner reactive` or `exact`. There is no goal:
/// the report is the mean discounted return over --episodes. The exit status is 1 if an episode violates an action precondition
/// or breaks a state invariant; --preconditions chooses the effect of such a step.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand validate domain.pddl problem.pddl plan.txt
  herbrand plan domain.pddl problem.pddl | herbrand validate domain.pddl problem.pddl -
  herbrand validate domain.pddl problem.pddl ann.plan bob.plan cem.plan
  herbrand validate blocks test/03            check the plan stored with a bundled problem
  herbrand validate blocks test/03 plan.txt --format json
  herbrand validate output.sas sas_plan
  herbrand validate domain.rddl instance.rddl plan.txt --episodes 10000
  herbrand validate domain.rddl instance.rddl net.policy   a policy by `herbrand plan --planner reactive --out net.policy`")]
pub struct Validate {
    #[command(flatten)]
    problem: ProblemArgs,

    #[command(flatten)]
    preconditions: PreconditionArgs,

    /// The plan file, or several; `-` is standard input [default: the plan stored with the problem]
    #[arg(value_name = "PLAN")]
    plans: Vec<String>,

    /// In RDDL, the number of episodes
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    episodes: u32,

    /// In RDDL, the random seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
}

/// The number of steps in an episode of a policy if the horizon is infinite.
const ENDLESS: u32 = 100;

/// The evaluation of a plan for a problem in RDDL.
#[derive(Serialize)]
struct PlanEvaluation {
    steps: usize,
    /// The horizon of the problem; `None` if it is infinite.
    horizon: Option<u32>,
    episodes: u32,
    /// The mean of the discounted returns.
    #[serde(
        rename = "mean_discounted_return",
        serialize_with = "output::non_finite_as_text"
    )]
    mean_return: f64,
    standard_error: f64,
    #[serde(flatten)]
    faults: Faults,
    #[serde(skip)]
    discount: f64,
}

#[derive(Serialize)]
struct Report {
    valid: bool,
    steps: usize,
    goal_probability: f64,
    executable_probability: f64,
    metric: Option<f64>,
    failure: Option<FailureData>,
    /// The conditions of the goal that do not hold at the end.
    missing: Vec<String>,
}

#[derive(Serialize)]
struct FailureData {
    step: usize,
    line: usize,
    action: String,
    reason: String,
}

/// A problem and a plan for it.
enum Input {
    Pddl(Suite, ParsedPlan),
    /// With the name of the plan file.
    Rddl(RddlSuite, String),
    /// Several plans, by their files.
    Several(Suite, Vec<String>),
}

/// The result for one of several plans.
#[derive(Serialize)]
struct PlanVerdict {
    plan: String,
    #[serde(flatten)]
    report: Option<Report>,
    /// The reason why the file is no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip)]
    result: String,
}

impl Validate {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.problem.limits
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let (suite, plan) = match self.input()? {
            Input::Pddl(suite, plan) => (suite, plan),
            Input::Rddl(suite, plan) => return self.evaluate(&suite, &plan, format),
            Input::Several(suite, plans) => return all(&suite, &plans, format),
        };
        let simulator = suite.instance(0)?.simulator();
        let validation = validated(&suite, &plan)?;
        match format {
            Format::Json => output::json(&Report::of(&validation))?,
            Format::Text => print(simulator.task(), &validation)?,
        }
        Ok(if validation.is_valid() {
            CommandOutcome::Yes
        } else {
            CommandOutcome::No
        })
    }

    /// The one problem, and the plan.
    fn input(&self) -> Result<Input, Failure> {
        let (mut given, mut plans) = (self.problem.clone(), self.plans.clone());
        // Standard input and pipes have no known content: at the end, they are the plan.
        let is_stream = |word: &mut String| input::is_stream(Path::new(word));
        let stream = if plans.is_empty() {
            let last = match (&given.word, &given.domain_file) {
                (Some(_), _) => Some(&mut given.word),
                (None, Some(_)) => Some(&mut given.name),
                (None, None) => None,
            };
            last.and_then(|word| word.take_if(is_stream))
        } else {
            plans.pop_if(is_stream)
        };
        let mut words = given.words(&plans)?;
        let mut plans = std::mem::take(&mut words.rest);
        plans.extend(stream);
        let usage = "DOMAIN [PROBLEM] [PLAN …]: plans come last";
        if plans.len() > 1 {
            let problems = self.problem.find_as(&words, ActionMode::Operators, usage)?;
            return match self.preconditions.apply(problems)? {
                AnyProblems::Pddl(suite) => Ok(Input::Several(suite, plans)),
                other => Err(other.unsupported("validate with several plans", "PDDL").into()),
            };
        }
        let plan = plans.pop();
        let problems = self.problem.find_as(&words, ActionMode::Operators, usage)?;
        let suite = match self.preconditions.apply(problems)? {
            AnyProblems::Pddl(suite) => suite,
            AnyProblems::Rddl(suite) => {
                let message = "RDDL problems have no stored plans: give a plan file after the problem, which \
                               `herbrand plan … --out FILE` writes";
                let plan = plan.ok_or_else(|| Failure::Request(message.to_owned()))?;
                return Ok(Input::Rddl(suite, plan));
            }
            other => return Err(other.unsupported("validate", "PDDL and RDDL").into()),
        };
        let plan = match plan {
            Some(path) => task_file::read_plan(&suite, Path::new(&path))?,
            None => input::stored_plan(&words.domain, &suite)?,
        };
        Ok(Input::Pddl(suite, plan))
    }

    /// Tries a plan or a policy for a problem in RDDL in episodes.
    fn evaluate(&self, suite: &RddlSuite, plan: &str, format: Format) -> Result<CommandOutcome, Failure> {
        let simulator = suite.simulator(0)?;
        let compiled = Arc::clone(simulator.compiled());
        let horizon = suite.horizon(0);
        let (count, mut agent): (u32, Box<dyn Agent<RddlSimulator>>) =
            if let Some(SavedPolicy { agent, steps }) =
                policy_file::read(Path::new(plan), &compiled, self.seed)?
            {
                let horizon = horizon.unwrap_or(ENDLESS);
                (steps.map_or(horizon, |steps| steps.min(horizon)), agent)
            } else {
                let steps = input::read_rddl_plan(Path::new(plan), &simulator)?;
                let count = u32::try_from(steps.len()).unwrap_or(u32::MAX);
                (count, Box::new(FollowPlan::new(steps)))
            };
        if let Some(horizon) = horizon.filter(|&horizon| horizon < count) {
            anstream::eprintln!(
                "warning: the plan has {}, but an episode ends at the horizon of {}",
                counted(count.into(), "step"),
                counted(horizon.into(), "step")
            );
        }
        let options = EvaluateOptions {
            steps: horizon.map_or(count, |horizon| horizon.min(count)),
            episodes: self.episodes,
            seed: self.seed,
        };
        let mut simulator = simulator.with_preconditions(self.preconditions.effect());
        let discount = simulator.compiled().instance.discount;
        let evaluation = evaluate(&mut simulator, agent.as_mut(), &options).map_err(RddlError::from)?;
        let (mean_return, standard_error) = evaluation.mean_and_error();
        let paid = PlanEvaluation {
            steps: count as usize,
            horizon,
            episodes: self.episodes,
            mean_return,
            standard_error,
            faults: Faults::of(&mut simulator, &options, &evaluation).map_err(RddlError::from)?,
            discount,
        };
        match format {
            Format::Json => output::json(&paid)?,
            Format::Text => paid.print()?,
        }
        Ok(if paid.faults.is_empty() && !paid.mean_return.is_nan() {
            CommandOutcome::Yes
        } else {
            CommandOutcome::No
        })
    }
}

/// Executes a plan. The reason of a failure says which condition or type keeps an action from ever being valid.
fn validated(suite: &Suite, plan: &ParsedPlan) -> Result<Validation, Failure> {
    let simulator = suite.instance(0)?.simulator();
    let mut validation = plan::validate(simulator, plan).map_err(|error| EnvError::Planning(error.into()))?;
    if let Some(failure) = &mut validation.failure
        && let Some(reason) = suite.why_never(0, &failure.action)?
    {
        failure.reason = reason;
    }
    Ok(validation)
}

/// Executes several plans, and reports them in a table.
fn all(suite: &Suite, plans: &[String], format: Format) -> Result<CommandOutcome, Failure> {
    let mut verdicts = Vec::new();
    for plan in plans {
        let read = task_file::read_plan(suite, Path::new(plan));
        let validation = read.and_then(|read| validated(suite, &read));
        let (report, error, result) = match validation {
            Ok(validation) => (Some(Report::of(&validation)), None, result(&validation)),
            Err(failure) => (None, Some(failure.to_string()), "no plan".to_owned()),
        };
        verdicts.push(PlanVerdict {
            plan: plan.clone(),
            report,
            error,
            result,
        });
    }
    let valid = |verdict: &&PlanVerdict| verdict.report.as_ref().is_some_and(|report| report.valid);
    let right = verdicts.iter().filter(valid).count();
    match format {
        Format::Json => output::json(&verdicts)?,
        Format::Text => {
            let columns = [
                ("plan", false),
                ("steps", true),
                ("metric", true),
                ("result", false),
            ];
            output::table(&columns, verdicts.iter().map(PlanVerdict::row))?;
            let mut out = output::out();
            let all = counted(verdicts.len() as u64, "plan");
            let probable = |verdict: &&PlanVerdict| {
                let report = verdict.report.as_ref();
                report.is_some_and(|report| !report.valid && report.goal_probability > 0.0)
            };
            let certainly = match verdicts.iter().filter(probable).count() {
                0 => String::new(),
                count => format!(" with certainty, and {count} with a lower probability"),
            };
            writeln!(out, "\n{right} of {all} reach the goal{certainly}")?;
            out.flush()?;
        }
    }
    for error in verdicts.iter().filter_map(|verdict| verdict.error.as_ref()) {
        anstream::eprintln!("{error}");
    }
    Ok(if verdicts.iter().any(|verdict| verdict.error.is_some()) {
        CommandOutcome::Faulty
    } else if right == verdicts.len() {
        CommandOutcome::Yes
    } else {
        CommandOutcome::No
    })
}

/// Returns the result of a plan in a few words.
fn result(validation: &Validation) -> String {
    if validation.is_valid() {
        return "reaches the goal".to_owned();
    }
    let goal = match validation.goal {
        0.0 => None,
        goal => Some(format!("reaches the goal with probability {goal:.6}")),
    };
    let failure = (validation.failure.as_ref()).map(|failure| {
        format!(
            "step {} (line {}){}: {}",
            failure.step,
            failure.line,
            sometimes(validation),
            failure.reason
        )
    });
    let missing = match validation.missing.as_slice() {
        _ if failure.is_some() => None,
        [] => Some("the goal does not hold at the end".to_owned()),
        missing => Some(format!(
            "missing{}: {}",
            where_missing(validation),
            missing.join(", ")
        )),
    };
    let parts: Vec<_> = [goal, failure, missing].into_iter().flatten().collect();
    parts.join("; ")
}

/// Returns the words after a step that is not valid after some outcomes only; empty if it never is.
fn sometimes(validation: &Validation) -> &'static str {
    if validation.executable > 0.0 {
        ", for some outcomes"
    } else {
        ""
    }
}

/// Returns the words before conditions that do not hold after some outcomes only; empty if the goal never holds.
fn where_missing(validation: &Validation) -> &'static str {
    if validation.goal > 0.0 {
        " in the most probable end without the goal"
    } else {
        ""
    }
}

impl PlanVerdict {
    fn row(&self) -> Vec<String> {
        let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
        let report = self.report.as_ref();
        vec![
            self.plan.clone(),
            or_none(report.map(|report| report.steps.to_string())),
            or_none(report.and_then(|report| report.metric).map(output::significant)),
            self.result.clone(),
        ]
    }
}

impl PlanEvaluation {
    fn print(&self) -> Result<(), Failure> {
        let mut out = output::out();
        for sentence in self.faults.sentences() {
            writeln!(out, "{sentence}")?;
        }
        writeln!(
            out,
            "mean {} {}, standard error {}, over {}",
            output::return_name(self.discount),
            output::fixed(self.mean_return, 4),
            output::fixed(self.standard_error, 4),
            counted(self.episodes.into(), "episode")
        )?;
        match self.horizon.filter(|&horizon| self.steps < horizon as usize) {
            Some(horizon) => writeln!(out, "steps: {} of {horizon}, the horizon", self.steps)?,
            None => writeln!(out, "steps: {}", self.steps)?,
        }
        out.flush()?;
        Ok(())
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
            missing: validation.missing.clone(),
        }
    }
}

fn print(task: &GroundTask, validation: &Validation) -> Result<(), Failure> {
    let mut out = output::out();
    if let Some(failure) = &validation.failure {
        writeln!(
            out,
            "step {} (line {}){}: {}",
            failure.step,
            failure.line,
            sometimes(validation),
            failure.reason
        )?;
    }
    match validation.goal {
        _ if validation.is_valid() => writeln!(out, "the plan reaches the goal")?,
        0.0 if validation.failure.is_none() && validation.missing.is_empty() => {
            writeln!(
                out,
                "the goal does not hold at the end, nor in any reachable state"
            )?;
        }
        0.0 if validation.failure.is_none() => writeln!(out, "the goal does not hold at the end")?,
        0.0 => writeln!(out, "the plan does not reach the goal")?,
        goal => writeln!(out, "the plan reaches the goal with probability {goal:.6}")?,
    }
    if !validation.is_valid() {
        let place = where_missing(validation);
        for condition in &validation.missing {
            writeln!(out, "  missing{place}: {condition}")?;
        }
    }
    writeln!(out, "steps: {}", validation.steps)?;
    if let (Some(value), Some((direction, metric))) = (validation.metric, task.metric) {
        let direction = match direction {
            MetricDirection::Minimize => "minimize",
            MetricDirection::Maximize => "maximize",
        };
        let metric = task.display_expression(metric);
        let beside = beside_metric(task);
        let value = output::significant(value);
        writeln!(out, "value of the metric: {value} ({direction} {metric}){beside}")?;
    }
    out.flush()?;
    Ok(())
}
