//! Whether a plan reaches the goal, or what it returns.

use std::sync::Arc;

use herbrand_core::{Agent, EvaluateOptions, Problems as _};
use herbrand_env::plan::{ParsedPlan, validate as validate_plan};
use herbrand_env::{EnvError, Suite};
use herbrand_limits::Budget;
use herbrand_plan::{Policy, TabledPolicy};
use herbrand_rddl_plan::plan::{FollowPlan, evaluate, parse_plan};
use herbrand_rddl_sim::simulate::RddlSimulator;
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};
use herbrand_text::Source;
use serde::{Deserialize, Serialize};

use crate::failure::TaskFailure;
use crate::finite_domain::SasFile;
use crate::numbers::{counted, non_finite_as_text};
use crate::options::{OptionSpec, OptionValues, any_text, at_least};
use crate::plan::{PolicyRuns, beside_metric};
use crate::policy_file::{SavedPolicy, read_policy};
use crate::problems::AnyProblems;
use crate::run::Run;
use crate::step_faults::StepFaults;
use crate::task_query::TaskQuery;
use crate::timed_plan::{takes_time, validate_timed_plan};

pub use crate::goal_report::{GoalReport, StepFailure};

/// A plan to validate.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ValidateQuery {
    /// The text of the plan, in the format of its language, or of a policy file.
    pub plan: String,
    /// The name of the text in errors.
    #[serde(skip)]
    pub file: String,
    /// In RDDL and for policies, the number of episodes.
    pub episodes: u32,
    /// If actions take time, the least time between two that use the same atom or number.
    pub epsilon: f64,
}

impl Default for ValidateQuery {
    /// An empty plan, 1,000 episodes, and 0.001 between actions.
    fn default() -> Self {
        Self {
            plan: String::new(),
            file: "plan".to_owned(),
            episodes: 1000,
            epsilon: 0.001,
        }
    }
}

impl TaskQuery for ValidateQuery {
    const NAME: &'static str = "validate";
    const ABOUT: &'static str = "Execute a plan, and report whether it reaches the goal, or what it returns.";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new(
            "plan",
            OptionValues::Text("PLAN", any_text),
            "The plan: one action in parentheses per line; in RDDL as `plan` writes it; or a policy that `plan` wrote to a file",
        ),
        OptionSpec::new(
            "episodes",
            at_least("N", 1),
            "In RDDL and for policies, the number of episodes [default: 1000]",
        ),
        OptionSpec::new(
            "epsilon",
            OptionValues::Positive,
            "The least time between two actions that use the same atom or number, if actions take time [default: 0.001]",
        ),
    ];
    type Answer = ValidateAnswer;

    fn answer(&self, problems: &AnyProblems, run: &mut Run<'_>) -> Result<ValidateAnswer, TaskFailure> {
        validate(problems, self, run)
    }
}

/// The result of a plan. Each serialises as `herbrand validate --format json` prints it.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ValidateAnswer {
    /// In PDDL, whether the plan reaches the goal.
    Goal(Box<GoalReport>),
    /// In PDDL, the episodes of a policy.
    Policy(Box<FollowedReport>),
    /// In RDDL, the returns of the plan or the policy.
    Returns(Box<ReturnsReport>),
}

/// The episodes of a policy in PDDL.
#[derive(Clone, Debug, Serialize)]
pub struct FollowedReport {
    /// How many episodes reached the goal, and at which cost.
    #[serde(flatten)]
    pub runs: PolicyRuns,
    /// The number of episodes that ended in a state with valid actions for which the policy has none of them.
    pub given_up: usize,
}

/// The returns of a plan or a policy in RDDL.
#[derive(Clone, Debug, Serialize)]
pub struct ReturnsReport {
    /// The number of steps of the plan.
    pub steps: usize,
    /// The horizon of the problem; `None` if it is infinite.
    pub horizon: Option<u32>,
    /// The number of episodes that fit into the time.
    pub episodes: u32,
    /// The mean of the discounted returns.
    #[serde(rename = "mean_discounted_return", serialize_with = "non_finite_as_text")]
    pub mean_return: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The violated preconditions, broken invariants and failed steps.
    #[serde(flatten)]
    pub faults: StepFaults,
    /// The discount of the problem.
    #[serde(skip)]
    pub discount: f64,
    /// Warnings about the plan.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// The number of steps in an episode of a policy if the horizon is infinite.
const ENDLESS: u32 = 100;

/// The maximum number of steps in an episode of a policy in PDDL, as for `herbrand plan`.
const LONGEST: u32 = 1000;

impl ValidateAnswer {
    /// Returns whether the plan does all that can be asked of it: it reaches the goal with certainty, a policy in every episode, or
    /// in RDDL violates no precondition, breaks no invariant and has a return that is a number.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        match self {
            Self::Goal(report) => report.valid,
            Self::Policy(report) => report.runs.reached == report.runs.count,
            Self::Returns(report) => report.faults.is_empty() && !report.mean_return.is_nan(),
        }
    }
}

/// Executes a plan for the first of the problems. A policy, and in RDDL a plan, is followed in episodes whose draws the seed of the
/// run determines.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_tasks::validate::{ValidateQuery, validate};
/// use herbrand_tasks::{AnyProblems, Run};
///
/// let problems = AnyProblems::Pddl(Registry::get("blocks")?);
/// let request = ValidateQuery { plan: "(pick-up a)".to_owned(), ..ValidateQuery::default() };
/// let answer = validate(&problems, &request, &Run::default())?;
/// assert!(!answer.is_valid());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the problem is faulty or too large for the limits, or the text is no plan.
pub fn validate(
    problems: &AnyProblems,
    request: &ValidateQuery,
    run: &Run<'_>,
) -> Result<ValidateAnswer, TaskFailure> {
    let problems = problems.first()?;
    let budget = Budget::new(run.limits);
    let saved = read_policy(&request.plan, &problems, run.seed, &budget)?;
    Ok(match (problems, saved) {
        (AnyProblems::Pddl(_), Some(SavedPolicy::Actions(mut policy))) => {
            let report = budget.enclose(|| followed(&mut policy, request, run))?;
            ValidateAnswer::Policy(Box::new(report))
        }
        (AnyProblems::Pddl(suite), _) => {
            let mut plan = ParsedPlan::parse(&Source::new(&request.file, &request.plan))?;
            let problem = suite.parse_problem(0)?;
            if takes_time(suite.domain(), &problem) {
                let domain = suite.domain();
                let report =
                    budget.enclose(|| validate_timed_plan(domain, &problem, &plan, request.epsilon))?;
                return Ok(ValidateAnswer::Goal(Box::new(report)));
            }
            if let Some(file) = SasFile::of_suite(&suite, run.limits)? {
                file.rename(&mut plan);
            }
            ValidateAnswer::Goal(Box::new(goal(&suite, &plan)?))
        }
        (AnyProblems::Rddl(suite), saved) => {
            ValidateAnswer::Returns(Box::new(returns(&suite, saved, request, run)?))
        }
        (other @ AnyProblems::World(_), _) => return Err(other.unsupported("validate", "PDDL and RDDL")),
    })
}

/// Executes a plan. The reason of a failure says which condition or type keeps an action from ever being valid.
fn goal(suite: &Suite, plan: &ParsedPlan) -> Result<GoalReport, TaskFailure> {
    let simulator = suite.instance(0)?.simulator();
    let mut validation = validate_plan(simulator, plan).map_err(|error| EnvError::Planning(error.into()))?;
    if let Some(failure) = &mut validation.failure
        && let Some(reason) = suite.why_never(0, &failure.action)?
    {
        failure.reason = reason;
    }
    let task = simulator.task();
    let metric = task.metric.map(|(direction, metric)| {
        let metric = task.display_expression(metric);
        (format!("{} {metric}", direction.word()), beside_metric(task))
    });
    Ok(GoalReport::of(validation, metric))
}

/// Follows a policy for PDDL in episodes.
fn followed(
    policy: &mut TabledPolicy,
    request: &ValidateQuery,
    run: &Run<'_>,
) -> Result<FollowedReport, TaskFailure> {
    let options = EvaluateOptions {
        steps: LONGEST,
        episodes: request.episodes,
        seed: run.seed,
    };
    let mut walker = policy.task().walker()?;
    let simulator = policy.task().simulator().clone();
    let policy: &mut dyn Policy = policy;
    let runs = herbrand_core::evaluate(&mut walker, policy, &options, 1.0, |_| false)?;
    Ok(FollowedReport {
        runs: PolicyRuns::of(&runs, simulator.task()),
        given_up: runs.ends.iter().filter(|end| end.is_none()).count(),
    })
}

/// Follows a plan or a policy for RDDL in episodes.
fn returns(
    suite: &RddlSuite,
    saved: Option<SavedPolicy>,
    request: &ValidateQuery,
    run: &Run<'_>,
) -> Result<ReturnsReport, TaskFailure> {
    let mut simulator = suite.simulator(0)?;
    let compiled = Arc::clone(simulator.compiled());
    let horizon = suite.horizon(0);
    let steps = saved.as_ref().and_then(SavedPolicy::steps);
    let (count, mut agent): (u32, Box<dyn Agent<RddlSimulator>>) =
        if let Some(agent) = saved.and_then(SavedPolicy::into_agent) {
            let horizon = horizon.unwrap_or(ENDLESS);
            (steps.map_or(horizon, |steps| steps.min(horizon)), agent)
        } else {
            let steps = parse_plan(&simulator, &request.plan)?;
            let count = u32::try_from(steps.len()).unwrap_or(u32::MAX);
            (count, Box::new(FollowPlan::new(steps)))
        };
    let longer = horizon.filter(|&horizon| horizon < count);
    let options = EvaluateOptions {
        steps: horizon.map_or(count, |horizon| horizon.min(count)),
        episodes: request.episodes,
        seed: run.seed,
    };
    let evaluation = evaluate(&mut simulator, agent.as_mut(), &options).map_err(RddlError::from)?;
    let (mean_return, standard_error) = evaluation.mean_and_error();
    let complete = evaluation.returns.len() as u32;
    let late = (complete < request.episodes).then(|| {
        format!(
            "{complete} of {} fit into the time: raise --time, or lower --episodes",
            counted(request.episodes.into(), "episode")
        )
    });
    let longer = longer.map(|horizon| {
        format!(
            "the plan has {}, but an episode ends at the horizon of {}",
            counted(count.into(), "step"),
            counted(horizon.into(), "step")
        )
    });
    Ok(ReturnsReport {
        steps: count as usize,
        horizon,
        episodes: complete,
        mean_return,
        standard_error,
        faults: StepFaults::of(&mut simulator, &options, &evaluation).map_err(RddlError::from)?,
        discount: compiled.instance.discount,
        warnings: longer.into_iter().chain(late).collect(),
    })
}
