//! Plans and policies.

mod agent;
mod choice;
mod compare;
mod options;
mod policy;
mod query;
mod report;
mod returns;
mod search;
mod states;
mod straight;
mod timed;
mod undefined;

pub use crate::found::{CostMeaning, Costs, FoundPlan};
pub use crate::planners::AnyPlanner;
pub use agent::{ActingReport, Optimum};
pub use compare::{Compared, compare};
pub use policy::{FirstRun, PolicyReport, PolicyRuns};
pub use query::PlanQuery;
pub(crate) use query::as_text;
pub use report::{Counts, PlanReport};
pub use returns::{Baseline, MeanReturn, PlanReturns};
pub use search::{beside_metric, plan_by, plan_from};
pub use states::{StateRow, StateTable, ValueOfAction};
pub use straight::{StraightReport, UNEVALUATED};

use herbrand_limits::Instant;
use herbrand_plan::SearchOutcome;
use serde::Serialize;

use crate::failure::TaskFailure;
use crate::options::OptionSpec;
use crate::problems::AnyProblems;
use crate::run::Run;
use crate::task_query::TaskQuery;
use search::Target;
use straight::Asked;

/// A plan or a policy, or the reason why none was found. Each serialises as `herbrand plan --format json` prints it.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PlanAnswer {
    /// In PDDL, the answer of a search for a plan.
    Plan(Box<PlanReport>),
    /// In PDDL, the answer of a planner for policies.
    Policy(Box<PolicyReport>),
    /// In RDDL, a plan.
    Straight(Box<StraightReport>),
    /// In RDDL, the runs of a planner that acts in every state.
    Acting(Box<ActingReport>),
}

/// The result of planning in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// There is a plan or a policy.
    Found,
    /// There is none.
    None,
    /// Neither, within the limits or in the search space of the planner.
    Neither,
    /// The work was cancelled before.
    Cancelled,
    /// The results of a step cannot be computed.
    Failed,
}

impl Shown {
    /// Returns what the end of a search shows.
    fn by(outcome: &SearchOutcome) -> Self {
        match outcome {
            SearchOutcome::Plan(_) | SearchOutcome::GoalAlreadyTrue => Self::Found,
            SearchOutcome::ProvenUnsolvable => Self::None,
            SearchOutcome::Cancelled => Self::Cancelled,
            _ => Self::Neither,
        }
    }
}

impl PlanAnswer {
    /// Returns the name of the problem.
    #[must_use]
    pub fn problem(&self) -> &str {
        match self {
            Self::Plan(report) => &report.problem,
            Self::Policy(report) => &report.problem,
            Self::Straight(report) => &report.problem,
            Self::Acting(report) => &report.problem,
        }
    }

    /// Returns what the planner has shown.
    #[must_use]
    pub fn shown(&self) -> Shown {
        let by_returns = |paid: Option<&PlanReturns>| match paid {
            Some(paid) if paid.has_failures() => Shown::Failed,
            _ => Shown::Found,
        };
        match self {
            Self::Plan(report) => Shown::by(&report.outcome),
            Self::Policy(report) => match &report.ended {
                Some(ended) => Shown::by(ended),
                None if report.reaches() => Shown::Found,
                // Only an exact value of 0 shows that no policy reaches the goal.
                None if report.optimal => Shown::None,
                None => Shown::Neither,
            },
            Self::Straight(report) => by_returns(report.paid.as_ref()),
            Self::Acting(report) => by_returns(Some(&report.paid)),
        }
    }

    /// Returns what a reader should know about the answer: a sentence each.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        match self {
            Self::Plan(_) | Self::Policy(_) => &[],
            Self::Straight(report) => &report.warnings,
            Self::Acting(report) => &report.warnings,
        }
    }
}

/// Why an option does not go with a finite-domain task.
const NEEDS_DOMAIN: &str = " needs a domain: the operators of a finite-domain task are ground";

/// Plans for the first of the problems, by the planner that the request names, or else the usual one of the language. A search
/// for a plan executes the plan before it returns it.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_tasks::plan::{PlanAnswer, PlanQuery, plan};
/// use herbrand_tasks::{AnyProblems, Run};
///
/// let problems = AnyProblems::Pddl(Registry::get("blocks")?);
/// let request = PlanQuery { optimal: true, ..PlanQuery::default() };
/// let mut run = Run { seed: 7, ..Run::default() };
/// let PlanAnswer::Plan(report) = plan(&problems, &request, &mut run)? else { panic!("PDDL has plans") };
/// assert_eq!(report.proven_optimal, Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the problem is faulty or too large for the limits, if the request names no planner of its language, or an option
/// that does not go with it.
pub fn plan(
    problems: &AnyProblems,
    request: &PlanQuery,
    run: &mut Run<'_>,
) -> Result<PlanAnswer, TaskFailure> {
    let began = Instant::now();
    match problems.first()? {
        AnyProblems::Pddl(suite) => match AnyPlanner::for_pddl(request)? {
            AnyPlanner::Policy(kind) if suite.is_ground() => Err(TaskFailure::Planner {
                name: kind.to_string(),
                advice: NEEDS_DOMAIN.to_owned(),
            }),
            AnyPlanner::Policy(kind) => {
                suite.timeless_instance(0, "a policy")?;
                let compiled = began.elapsed();
                let report = policy::policy(&suite, kind, request, run.rest(compiled), compiled, run)?;
                Ok(PlanAnswer::Policy(Box::new(report)))
            }
            planner => {
                let unfit = [("h2", request.h2), ("external", request.external.is_some())];
                if let Some((option, _)) = unfit.into_iter().find(|(_, given)| suite.is_ground() && *given) {
                    return Err(TaskFailure::option(option, NEEDS_DOMAIN.trim()));
                }
                if suite.domain().takes_time() {
                    let report = timed::timed(&suite, request, run)?;
                    return Ok(PlanAnswer::Plan(Box::new(report)));
                }
                let target = Target::new(&suite, request, run)?;
                let report = target.search(planner, request, run.rest(began.elapsed()), run)?;
                Ok(PlanAnswer::Plan(Box::new(report)))
            }
        },
        AnyProblems::Rddl(suite) => {
            let planner = AnyPlanner::for_rddl(request)?;
            let asked = Asked::new(&suite, request, run)?;
            Ok(match planner {
                AnyPlanner::Acting(kind) => PlanAnswer::Acting(Box::new(asked.by_agent(kind)?)),
                AnyPlanner::Line(kind) => PlanAnswer::Straight(Box::new(asked.straight(kind)?)),
                other => {
                    return Err(TaskFailure::Planner {
                        name: other.name().to_owned(),
                        advice: " supports only PDDL".to_owned(),
                    });
                }
            })
        }
        other @ AnyProblems::World(_) => Err(other.unsupported("plan", "PDDL and RDDL")),
    }
}

impl TaskQuery for PlanQuery {
    const NAME: &'static str = "plan";
    const ABOUT: &'static str = "Find a plan or a policy for a problem, and execute it.";
    const OPTIONS: &'static [OptionSpec] = options::PLAN_OPTIONS;
    type Answer = PlanAnswer;

    fn answer(&self, problems: &AnyProblems, run: &mut Run<'_>) -> Result<PlanAnswer, TaskFailure> {
        plan(problems, self, run)
    }
}
