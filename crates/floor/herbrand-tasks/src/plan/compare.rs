//! Every planner on one problem.

use herbrand_env::Suite;
use herbrand_limits::{Instant, Limits};
use herbrand_pddl::Effect;

use super::search::Target;
use super::{PlanAnswer, PlanQuery, Shown, plan, policy};
use crate::failure::TaskFailure;
use crate::planners::AnyPlanner;
use crate::problems::AnyProblems;
use crate::run::{Run, within_share};

/// The result of one of several planners.
#[derive(Debug)]
pub struct Compared {
    /// The planner.
    pub planner: AnyPlanner,
    /// Its answer, or why it has none.
    pub answer: Result<PlanAnswer, TaskFailure>,
}

/// Lets every planner of the language plan for the first of the problems, in PDDL those for policies only under chance. Each has
/// an equal share of the time that is left. The options of the request are left out where they do not go with a planner. Ends
/// early if it is cancelled.
///
/// # Errors
/// Fails if the problem is faulty or too large for the limits.
pub fn compare(
    problems: &AnyProblems,
    request: &PlanQuery,
    run: &mut Run<'_>,
) -> Result<Vec<Compared>, TaskFailure> {
    if request.optimal || request.external.is_some() {
        let option = if request.optimal { "optimal" } else { "external" };
        return Err(TaskFailure::option(option, "goes with one planner"));
    }
    let (began, begun, whole) = (Instant::now(), run.cpu(), run.limits);
    let problem = problems.first()?;
    let target = match &problem {
        AnyProblems::Pddl(suite) => Some(Target::new(suite, request, run)?),
        AnyProblems::Rddl(_) => None,
        AnyProblems::World(_) => return Err(problem.unsupported("plan", "PDDL and RDDL")),
    };
    let planners: Vec<AnyPlanner> = match &problem {
        AnyProblems::Pddl(suite) if has_chance(suite) => AnyPlanner::of_pddl().collect(),
        AnyProblems::Pddl(_) => AnyPlanner::of_searches().collect(),
        _ => AnyPlanner::of_rddl().collect(),
    };
    let mut results: Vec<Compared> = Vec::new();
    for (number, &planner) in planners.iter().enumerate() {
        let own = request.for_planner(planner);
        let left = (planners.len() - number) as u32;
        let rest = run.rest(began.elapsed());
        let limits = Limits {
            time: rest.time.map(|time| time / left),
            ..rest
        };
        let (clock, share) = (run.cpu, run.cpu_time);
        let answer = within_share(clock.zip(share), begun, left, || {
            match (&target, planner, &problem) {
                (Some(target), AnyPlanner::Policy(kind), AnyProblems::Pddl(suite)) => {
                    let report = policy::policy(suite, kind, &own, limits, target.compiled(), run);
                    report.map(|report| PlanAnswer::Policy(Box::new(report)))
                }
                (Some(target), _, _) => {
                    let report = target.search(planner, &own, limits, run);
                    report.map(|report| PlanAnswer::Plan(Box::new(report)))
                }
                (None, ..) => {
                    run.limits = limits;
                    let answer = plan(&problem, &own, run);
                    run.limits = whole;
                    answer
                }
            }
        });
        let is_over = (answer.as_ref()).is_ok_and(|answer| answer.shown() == Shown::Cancelled);
        results.push(Compared { planner, answer });
        if is_over {
            break;
        }
    }
    Ok(results)
}

/// Returns whether an action of the domain has random effects.
fn has_chance(suite: &Suite) -> bool {
    let mut found = false;
    for schema in &suite.domain().schemas {
        schema
            .effect
            .walk(&mut |part| found |= matches!(part, Effect::Probabilistic(_)));
    }
    found
}
