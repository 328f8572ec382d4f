//! The place where a plan stops.

use herbrand_core::{Described as _, Problems, RolloutPolicy};
use herbrand_env::plan::{ParsedPlan, PlanFailure, PlanStep, validate};
use herbrand_env::{EngineKind, EnvError};
use herbrand_rddl_sim::simulate::Preconditions;

use super::{RolloutQuery, RolloutReport};
use crate::failure::TaskFailure;
use crate::numbers::{counted, grouped};
use crate::problems::AnyProblems;

/// Returns where the plan of a rollout stopped before its end, and why as far as it is known; `None` if it did not.
///
/// # Errors
/// Fails if the problem is faulty or a limit is reached.
pub fn stop_of_plan(
    problems: &AnyProblems,
    query: &RolloutQuery,
    result: &RolloutReport,
) -> Result<Option<String>, TaskFailure> {
    let RolloutPolicy::Plans(plans) = &query.policy else {
        return Ok(None);
    };
    let plan = plans.first().map_or(&[][..], Vec::as_slice);
    let suite = match problems {
        AnyProblems::Pddl(suite) => suite,
        AnyProblems::Rddl(suite) if suite.preconditions() == Preconditions::Refused => {
            let all = result.episodes.saturating_mul(plan.len() as u64);
            let stop = format!(
                "a step that violates an action precondition ends an episode: {} of {} were taken",
                grouped(result.steps),
                counted(all, "step")
            );
            return Ok((result.ends.stopped > 0 && result.steps < all).then_some(stop));
        }
        AnyProblems::Rddl(_) | AnyProblems::World(_) => return Ok(None),
    };
    // A plan of agent actions, or without grounding, is not executed again.
    if suite.agent_actions().is_some() || query.engine == EngineKind::Lifted {
        let (taken, all) = (result.steps / result.episodes, plan.len() as u64);
        let stop = format!(
            "the plan stops after {taken} of {}: the next is not valid",
            counted(all, "step")
        );
        return Ok((taken < all && result.episodes == 1).then_some(stop));
    }
    let system = Problems::system(suite, 0)?;
    let steps = plan.iter().flatten().map(|&choice| system.choice_text(choice));
    let steps = (1..).zip(steps).map(|(line, action)| PlanStep {
        line,
        action,
        time: None,
        duration: None,
    });
    let plan = ParsedPlan {
        steps: steps.collect(),
    };
    let simulator = suite.timeless_instance(0, "a plan without times")?.simulator();
    let validation = validate(simulator, &plan).map_err(|error| EnvError::Planning(error.into()))?;
    let stop =
        |failure: PlanFailure| format!("the plan stops before step {}: {}", failure.step, failure.reason);
    Ok(validation.failure.map(stop))
}
