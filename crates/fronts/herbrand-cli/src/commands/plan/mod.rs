//! `herbrand plan`: a plan for a problem.

mod policy;
mod rddl;
mod report;
mod search_progress;
mod undefined;

use std::path::PathBuf;
use std::time::Instant;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use cpu_time::ProcessTime;
use herbrand::Simulator;
use herbrand::env::plan::{Validation, validate};
use herbrand::env::{ActionMode, EnvError, Suite};
use herbrand::limits::{Budget, Limits};
use herbrand::plan::{
    Admissible, Determinization, External, ExternalCommand, PlanRequest, Planner, PlannerKind, PolicyKind,
    SearchOutcome, SearchTask, TaskError,
};
use herbrand::step::{Random, StepError};

use crate::CommandOutcome;
use crate::failure::Failure;
use crate::files::{self, Mark};
use crate::habits::{other_names, our_name};
use crate::limits::LimitArgs;
use crate::output::{self, Format};
use crate::problem::ProblemArgs;
use crate::problems::Problems;

use report::{FoundPlan, Report};
use search_progress::SearchProgress;

/// Find a plan for a problem
///
/// Prints the plan with one operator per line, in the format that `validate` and other planners' tools read. Lines that
/// begin with a semicolon report its cost and the search. Every plan is executed before it is printed. The cost is the
/// metric if the metric is a sum over the steps, and otherwise the number of steps.
///
/// In probabilistic domains, a plan assumes that the agent chooses the outcomes; the report includes the probability that it
/// reaches the goal. The planners policy-iteration, lao, uct and replan compute a policy instead, which selects an action in
/// every state. For a policy, the report is the probability and the expected cost of reaching the goal.
///
/// For RDDL, a plan is a joint action for each of the next steps, found by roll-outs (cross-entropy, random-shooting), by
/// gradients, or by both in turns (auto). With uct there is no plan: the planner looks ahead before each step. The report is
/// the mean return, and how much lower it is for doing nothing and for random actions on the same random draws. In a partially
/// observed problem, a plan depends on no observations, and uct sees the state itself.
///
/// With --external, another program searches for the plan, in a temporary folder and within the same limits. Its plan is
/// executed like any other, and rejected if it does not reach the goal.
///
/// The exit status is 1 if there is no plan, or none is found within the limits.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand plan domain.pddl problem.pddl
  herbrand plan blocks test/03 --time 30 --memory 4GiB
  herbrand plan ferry --optimal
  herbrand plan logistics --planner anytime --time 60 --out logistics.plan
  herbrand plan river --planner policy-iteration
  herbrand plan exploding-blocks --planner replan --runs 200
  herbrand plan blocks --external \"fast-downward.py --plan-file {plan} --alias lama-first {domain} {problem}\"
  herbrand plan rddl/cartpole-continuous --lookahead 30 --candidates 512
  herbrand plan rddl/elevators --planner uct --iterations 200 --runs 5
  herbrand plan hanoi --format json")]
pub struct Plan {
    #[command(flatten)]
    problem: ProblemArgs,

    /// The planner [default: landmarks, or cross-entropy for RDDL]
    #[arg(long, value_name = "PLANNER", value_parser = all_planners(), conflicts_with = "optimal")]
    planner: Option<AnyPlanner>,

    /// The command of an external planner, with {domain} and {problem} for its input files and {plan} for its output
    /// file; without {plan}, the plan is read from its output
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["planner", "optimal"])]
    external: Option<ExternalCommand>,

    /// Find a plan of least cost; the same as --planner astar-lmcut
    #[arg(long)]
    optimal: bool,

    /// The random seed for ties and random outcomes; 0 breaks ties in the order of the text
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// How plans treat random outcomes
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    determinize: Determinize,

    /// Also write the plan to a file
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    policy: policy::PolicyArgs,

    #[command(flatten)]
    rddl: rddl::RddlArgs,
}

/// How plans treat random outcomes.
#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Determinize {
    /// The agent chooses among all outcomes
    #[default]
    AllOutcomes,
    /// Every action has its most likely outcome
    MostLikely,
}

impl From<Determinize> for Determinization {
    fn from(determinize: Determinize) -> Self {
        match determinize {
            Determinize::AllOutcomes => Self::AllOutcomes,
            Determinize::MostLikely => Self::MostLikely,
        }
    }
}

/// Returns the parser of planner names for clap. Each planner has a one-line summary for the help.
pub fn planners() -> impl TypedValueParser<Value = PlannerKind> {
    PossibleValuesParser::new(PlannerKind::ALL.map(possible))
        .try_map(|name| our_name(&name).parse::<PlannerKind>())
}

fn possible(kind: PlannerKind) -> PossibleValue {
    let name = kind.as_str();
    PossibleValue::new(name)
        .help(kind.summary())
        .aliases(other_names(name))
}

/// A planner for plans, for policies, or for RDDL.
#[derive(Clone, Copy)]
enum AnyPlanner {
    Plan(PlannerKind),
    Policy(PolicyKind),
    Rddl(rddl::How),
}

fn all_planners() -> impl TypedValueParser<Value = AnyPlanner> {
    let plans = PlannerKind::ALL.map(possible);
    let policies = PolicyKind::ALL.map(|kind| PossibleValue::new(kind.as_str()).help(kind.summary()));
    let rddl = rddl::How::value_variants()
        .iter()
        .filter_map(ValueEnum::to_possible_value);
    let values: Vec<_> = plans.into_iter().chain(policies).chain(rddl).collect();
    PossibleValuesParser::new(values).try_map(|name| {
        if let Ok(how) = rddl::How::from_str(&name, false) {
            return Ok(AnyPlanner::Rddl(how));
        }
        match our_name(&name).parse() {
            Ok(kind) => Ok(AnyPlanner::Plan(kind)),
            Err(_) => name.parse().map(AnyPlanner::Policy),
        }
    })
}

impl Plan {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.problem.limits
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let (began, cpu) = (Instant::now(), ProcessTime::now());
        let limits = self.problem.limits();
        let problems = self.problem.find(ActionMode::Operators)?;
        files::check_before(self.out.as_deref(), Mark::Pddl)?;
        if let Problems::Rddl(suite) = &problems {
            return self.rddl(suite, limits, format);
        }
        let suite = problems.pddl("plan")?;
        let simulator = suite.instance(0)?.simulator();
        let (compiled, compiled_cpu) = (began.elapsed(), cpu.elapsed());
        let rest = Limits {
            time: limits.time.map(|time| time.saturating_sub(compiled)),
            ..limits
        };
        if let Some(AnyPlanner::Rddl(how)) = self.planner {
            return Err(Failure::Request(format!("--planner {how} supports only RDDL")));
        }
        if let Some(AnyPlanner::Policy(kind)) = self.planner {
            if self.out.is_some() {
                let message = "--out needs a planner that finds plans: a policy is not a sequence of steps";
                return Err(Failure::Request(message.to_owned()));
            }
            let setting = policy::Setting {
                kind,
                seed: self.seed,
                determinization: self.determinize.into(),
                limits: rest,
                compiled,
            };
            return self.policy.run(simulator, &setting, format);
        }
        let mut watch = SearchProgress::begin()?;
        let planner = self.planner(&suite)?;
        let (report, follows_metric) = self.search(planner.as_ref(), simulator, rest, &mut watch)?;
        let searched_cpu = cpu.elapsed().saturating_sub(compiled_cpu);
        watch.end();
        if let SearchOutcome::Failed(error) = &report.outcome {
            return Err(Failure::Request(error.to_string()));
        }
        let steps = report.outcome.plan();
        let found = steps.map(|steps| FoundPlan::of(simulator, steps, &report.outcome, follows_metric));
        let validation = found
            .as_ref()
            .map(|found| execute(simulator, found))
            .transpose()?;
        if let (Some(found), Some(path)) = (&found, &self.out) {
            files::write_file(path, found.text(), Mark::Pddl)?;
            let steps = steps.map_or(0, <[_]>::len);
            files::report_written(path, output::counted(steps as u64, "step"));
        }
        let (mut undefined, mut unreachable) = (Vec::new(), Vec::new());
        if matches!(
            report.outcome,
            SearchOutcome::ProvenUnsolvable | SearchOutcome::Exhausted
        ) {
            undefined = undefined::undefined_values(&suite, simulator)?;
            // A missing value tells more than the goals that it makes unreachable.
            if undefined.is_empty() {
                unreachable = suite.unreachable_goals(0)?;
            }
        }
        let report = Report {
            has_goal: suite.parse_problem(0)?.has_goal,
            undefined: &undefined,
            unreachable: &unreachable,
            planner: planner.name(),
            external: self.external.is_some(),
            outcome: &report.outcome,
            follows_metric,
            found: found.as_ref(),
            validation: validation.as_ref(),
            statistics: report.statistics,
            compiled,
            compiled_cpu,
            searched_cpu,
        };
        match format {
            Format::Json => output::json(&report.data())?,
            Format::Text => report.print()?,
        }
        Ok(match report.outcome {
            SearchOutcome::Cancelled => CommandOutcome::Interrupted,
            _ if found.is_some() => CommandOutcome::Yes,
            _ => CommandOutcome::No,
        })
    }

    /// The planner of a problem.
    fn planner(&self, suite: &Suite) -> Result<Box<dyn Planner>, Failure> {
        if let Some(command) = &self.external {
            let problem = suite.parse_problem(0)?;
            return Ok(Box::new(External::new(
                command.clone(),
                suite.domain().clone(),
                problem,
            )));
        }
        if self.optimal {
            return Ok(Box::new(PlannerKind::AStar(Admissible::LandmarkCut)));
        }
        Ok(Box::new(match self.planner {
            Some(AnyPlanner::Plan(kind)) => kind,
            Some(AnyPlanner::Policy(_) | AnyPlanner::Rddl(_)) | None => PlannerKind::default(),
        }))
    }

    /// Runs the search, and returns whether it judged plans by the metric.
    fn search(
        &self,
        planner: &dyn Planner,
        simulator: &Simulator,
        limits: Limits,
        watch: &mut SearchProgress,
    ) -> Result<(herbrand::plan::Report, bool), Failure> {
        let budget = Budget::new(limits);
        let start = simulator
            .sample_initial(&mut Random::new(self.seed))
            .map_err(failure)?;
        let task = match SearchTask::new(simulator, &start, self.determinize.into(), &budget) {
            Ok(task) => task,
            Err(TaskError::BudgetExhausted(exhausted)) => {
                let report = herbrand::plan::Report {
                    outcome: exhausted.into(),
                    statistics: herbrand::plan::SearchStatistics::default(),
                };
                return Ok((report, true));
            }
            Err(TaskError::Step(error)) => return Err(failure(error)),
        };
        if self.optimal && !task.costs().follows_metric() {
            let message = "--optimal cannot judge plans by this metric: it is not a linear sum of numbers, or it is to be maximised \
                           and steps add to it";
            return Err(Failure::Request(message.to_owned()));
        }
        if self.optimal && !task.costs().is_exact() {
            let message = "--optimal cannot minimise this metric: the cost of a step may be negative, has more than six decimals, \
                           or depends on numbers that change";
            return Err(Failure::Request(message.to_owned()));
        }
        let watched = budget.clone();
        let mut request = PlanRequest {
            budget,
            seed: self.seed,
            progress: &mut |statistics| watch.show(statistics, &watched),
        };
        let report = planner.plan(&task, &mut request);
        Ok((report, task.costs().follows_metric()))
    }
}

fn failure(error: StepError) -> Failure {
    EnvError::Planning(error.into()).into()
}

/// Executes a plan that was found.
fn execute(simulator: &Simulator, found: &FoundPlan) -> Result<Validation, Failure> {
    let validation = validate(simulator, &found.plan()).map_err(failure)?;
    if validation.goal > 0.0 {
        return Ok(validation);
    }
    let message = "the planner returned a plan that does not reach the goal: this is a bug in the planner";
    Err(Failure::Request(message.to_owned()))
}
