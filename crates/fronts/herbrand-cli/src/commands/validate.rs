//! `herbrand validate`: whether a plan reaches the goal.

use std::io::Write;
use std::path::Path;

use clap::Args;
use herbrand::env::ActionMode;
use herbrand::pddl::Source;
use herbrand::tasks::validate::{
    FollowedReport, GoalReport, ReturnsReport, ValidateAnswer, ValidateQuery, validate,
};
use herbrand::tasks::{AnyProblems, Run, TaskFailure};
use serde::Serialize;

use crate::failure::Failure;
use crate::input;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted};
use crate::preconditions::PreconditionArgs;
use crate::problem::ProblemArgs;

/// Execute a plan and check whether it reaches the goal
///
/// The plan has one operator per line, in the format of Fast Downward or of VAL: `0: (operator argument) [1]`. In
/// probabilistic domains, all outcomes are followed and the probability of the goal is reported. If the goal does not hold at
/// the end, its missing conditions are listed. If the problem has a metric, its value is reported. The exit status is 1 if
/// the goal is not reached with certainty.
///
/// If actions take time, each line has a time and a duration, in the format of VAL, POPF, LPG or Unified Planning: `0.5: (boil
/// pot) [3]`. All faults of the first time with faults are reported, each with a reason.
///
/// For several plans, such as those of a class, a table has a row for each, and the last line is the number of plans that reach
/// the goal. The exit status is then 1 unless all do, and 2 if a file is no plan.
///
/// A policy that `herbrand plan --out` wrote can be given in place of a plan. In PDDL, the report is how many of --episodes reach the
/// goal; an episode ends after 1,000 steps, and in a state for which the policy has no valid action. The exit status is 1 unless
/// all reach it.
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
  herbrand validate tireworld 01 best.policy     a policy by `herbrand plan tireworld 01 --planner lao --out best.policy`
  herbrand validate domain.rddl instance.rddl net.policy   a policy by `herbrand plan --planner reactive --out net.policy`")]
pub struct Validate {
    #[command(flatten)]
    pub problem: ProblemArgs,

    #[command(flatten)]
    preconditions: PreconditionArgs,

    /// The plan file, or several; `-` is standard input [default: the plan stored with the problem]
    #[arg(value_name = "PLAN")]
    plans: Vec<String>,

    /// In RDDL and for policies, the number of episodes
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    episodes: u32,

    /// If actions take time, the least time between two that use the same atom or number
    #[arg(long, default_value_t = 0.001, value_name = "TIME", value_parser = positive)]
    epsilon: f64,

    /// In RDDL and for policies, the random seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
}

/// Parses a time greater than 0.
fn positive(text: &str) -> Result<f64, &'static str> {
    let time = text.parse().ok();
    time.filter(|time: &f64| time.is_finite() && *time > 0.0)
        .ok_or("not a positive number")
}

/// The result for one of several plans.
#[derive(Serialize)]
struct PlanVerdict {
    plan: String,
    #[serde(flatten)]
    report: Option<Box<GoalReport>>,
    /// The reason why the file is no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip)]
    result: String,
}

impl Validate {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let (problems, mut plans) = self.input()?;
        let plan = match (plans.pop(), plans.as_slice()) {
            (Some(plan), []) => input::read(Path::new(&plan))?,
            (Some(plan), _) => {
                plans.push(plan);
                return self.all(&problems, &plans, format);
            }
            (None, _) => self.stored(&problems)?,
        };
        let answer = self.validated(&problems, &plan)?;
        if let ValidateAnswer::Returns(report) = &answer {
            for warning in &report.warnings {
                anstream::eprintln!("warning: {warning}");
            }
        }
        match format {
            Format::Json => output::json(&answer)?,
            Format::Text => print(&answer)?,
        }
        Ok(CommandOutcome::yes_if(answer.is_valid()))
    }

    /// Returns the one problem, and the files of plans.
    fn input(&self) -> Result<(AnyProblems, Vec<String>), Failure> {
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
        let problems = self.problem.find_as(&words, ActionMode::Operators, usage)?;
        Ok((self.preconditions.apply(problems)?, plans))
    }

    /// Returns the plan stored with the problem.
    fn stored(&self, problems: &AnyProblems) -> Result<Source, Failure> {
        let domain = self.problem.words(&self.plans)?.domain;
        let opener = input::opener(ActionMode::Operators, self.problem.limits());
        Ok(opener.stored_plan(&domain, problems, 0, " after the problem")?)
    }

    /// Executes a plan.
    fn validated(&self, problems: &AnyProblems, plan: &Source) -> Result<ValidateAnswer, Failure> {
        let request = ValidateQuery {
            plan: plan.text().to_owned(),
            file: plan.name().to_owned(),
            episodes: self.episodes,
            epsilon: self.epsilon,
        };
        let run = Run {
            limits: self.problem.limits(),
            seed: self.seed,
            ..Run::default()
        };
        validate(problems, &request, &run).map_err(|failure| failure.in_file(&request.file).into())
    }

    /// Executes several plans, and reports them in a table.
    fn all(
        &self,
        problems: &AnyProblems,
        plans: &[String],
        format: Format,
    ) -> Result<CommandOutcome, Failure> {
        let (mut verdicts, mut failed) = (Vec::new(), None);
        for plan in plans {
            let answer = input::read(Path::new(plan)).and_then(|plan| self.validated(problems, &plan));
            let (report, error, result) = match answer {
                Ok(ValidateAnswer::Goal(report)) => {
                    let result = result(&report);
                    (Some(report), None, result)
                }
                Ok(ValidateAnswer::Policy(_)) => return Err(TaskFailure::IsPolicy(plan.clone()).into()),
                Ok(ValidateAnswer::Returns(_)) => {
                    return Err(problems.unsupported("validate with several plans", "PDDL").into());
                }
                Err(failure) => {
                    failed = failed.max(Some(failure.outcome()));
                    (None, Some(failure.to_string()), "no plan".to_owned())
                }
            };
            verdicts.push(PlanVerdict {
                plan: plan.clone(),
                report,
                error,
                result,
            });
        }
        report_all(&verdicts, failed, format)
    }
}

/// Reports several plans in a table.
fn report_all(
    verdicts: &[PlanVerdict],
    failed: Option<CommandOutcome>,
    format: Format,
) -> Result<CommandOutcome, Failure> {
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
    let errors = verdicts.iter().filter_map(|verdict| verdict.error.as_ref());
    for error in errors.filter(|_| format == Format::Text) {
        anstream::eprintln!("{error}");
    }
    Ok(failed.unwrap_or(CommandOutcome::yes_if(right == verdicts.len())))
}

/// Returns the result of a plan in a few words.
fn result(validation: &GoalReport) -> String {
    if validation.valid {
        return "reaches the goal".to_owned();
    }
    let goal = match validation.goal_probability {
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
fn sometimes(validation: &GoalReport) -> &'static str {
    if validation.executable_probability > 0.0 {
        ", for some outcomes"
    } else {
        ""
    }
}

/// Returns the words before conditions that do not hold after some outcomes only; empty if the goal never holds.
fn where_missing(validation: &GoalReport) -> &'static str {
    if validation.goal_probability > 0.0 {
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

/// Prints an answer as text.
fn print(answer: &ValidateAnswer) -> Result<(), Failure> {
    match answer {
        ValidateAnswer::Goal(report) => print_goal(report),
        ValidateAnswer::Policy(report) => print_followed(report),
        ValidateAnswer::Returns(report) => print_returns(report),
    }
}

fn print_followed(report: &FollowedReport) -> Result<(), Failure> {
    let mut out = output::out();
    writeln!(out, "{}", report.runs.sentence())?;
    if report.given_up > 0 {
        let runs = counted(report.given_up as u64, "run");
        writeln!(
            out,
            "{runs} ended in a state for which the policy has no valid action"
        )?;
    }
    out.flush()?;
    Ok(())
}

fn print_returns(report: &ReturnsReport) -> Result<(), Failure> {
    let mut out = output::out();
    for sentence in report.faults.sentences() {
        writeln!(out, "{sentence}")?;
    }
    writeln!(
        out,
        "mean {} {}, standard error {}, over {}",
        output::return_name(report.discount),
        output::fixed(report.mean_return, 4),
        output::fixed(report.standard_error, 4),
        counted(report.episodes.into(), "episode")
    )?;
    match report.horizon.filter(|&horizon| report.steps < horizon as usize) {
        Some(horizon) => writeln!(out, "steps: {} of {horizon}, the horizon", report.steps)?,
        None => writeln!(out, "steps: {}", report.steps)?,
    }
    out.flush()?;
    Ok(())
}

fn print_goal(report: &GoalReport) -> Result<(), Failure> {
    let mut out = output::out();
    for failure in report.failure.iter().chain(&report.further_failures) {
        writeln!(
            out,
            "step {} (line {}){}: {}",
            failure.step,
            failure.line,
            sometimes(report),
            failure.reason
        )?;
    }
    match report.goal_probability {
        _ if report.valid => writeln!(out, "the plan reaches the goal")?,
        0.0 if report.failure.is_none() && report.missing.is_empty() => {
            writeln!(
                out,
                "the goal does not hold at the end, nor in any reachable state"
            )?;
        }
        0.0 if report.failure.is_none() => writeln!(out, "the goal does not hold at the end")?,
        0.0 => writeln!(out, "the plan does not reach the goal")?,
        goal => writeln!(out, "the plan reaches the goal with probability {goal:.6}")?,
    }
    if !report.valid {
        let place = where_missing(report);
        for condition in &report.missing {
            writeln!(out, "  missing{place}: {condition}")?;
        }
    }
    writeln!(out, "steps: {}", report.steps)?;
    if let Some(makespan) = report.makespan {
        writeln!(out, "makespan: {}", output::significant(makespan))?;
    }
    if let (Some(value), Some((metric, beside))) = (report.metric, &report.metric_text) {
        let value = output::significant(value);
        writeln!(out, "value of the metric: {value} ({metric}){beside}")?;
    }
    out.flush()?;
    Ok(())
}
