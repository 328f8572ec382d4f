//! Policies that follow plans, and policies from files.

use herbrand_core::RolloutPolicy;
use herbrand_env::plan::ParsedPlan;
use herbrand_env::{EngineKind, EnvError, plan_policy};
use herbrand_limits::{Budget, Limits};
use herbrand_rddl_plan::plan::parse_plan;
use herbrand_text::Source;

use crate::failure::TaskFailure;
use crate::finite_domain::SasFile;
use crate::policy_file::{policy_json, read_policy};
use crate::problems::AnyProblems;

/// Returns the policy of a file for the only problem. Where it has no action or an invalid one, episodes end.
///
/// # Errors
/// Fails if there are several problems, if the text is no policy for this problem, or if the engine is lifted.
pub fn follow_policy(
    problems: &AnyProblems,
    policy: &Source,
    engine: EngineKind,
) -> Result<RolloutPolicy, TaskFailure> {
    if problems.len() != 1 {
        return Err(one_problem("policy"));
    }
    if engine == EngineKind::Lifted {
        let advice = "lifted does not go with the file of a policy: leave it out";
        return Err(TaskFailure::option("engine", advice));
    }
    let saved = read_policy(policy.text(), problems, 0, &Budget::enclosing());
    let saved = saved.map_err(|failure| failure.in_file(policy.name()))?;
    saved
        .ok_or_else(|| TaskFailure::NotPolicy(policy.name().to_owned()))?
        .into_rollout(problems)
}

/// Returns the failure of a file that is for a single problem, while there are several.
fn one_problem(option: &'static str) -> TaskFailure {
    TaskFailure::option(option, "needs a single problem: name one after the domain")
}

/// Returns the policy that follows one plan for each problem, up to the first step that is unknown. Returns the failure that
/// names the step, if there is one.
///
/// # Errors
/// Fails if a text is no plan, if the number of plans is wrong, or if a step of one of several plans is unknown.
pub fn follow_plans(
    problems: &AnyProblems,
    plans: &[Source],
    engine: EngineKind,
) -> Result<(RolloutPolicy, Option<TaskFailure>), TaskFailure> {
    if plans.len() != problems.len() {
        return Err(one_problem("plan"));
    }
    if let Some(plan) = plans.iter().find(|plan| policy_json(plan.text()).is_some()) {
        return Err(TaskFailure::IsPolicy(plan.name().to_owned()));
    }
    let suite = match (problems, plans) {
        (AnyProblems::Pddl(suite), _) => suite,
        (AnyProblems::Rddl(suite), [plan]) => {
            let simulator = suite.simulator(0)?;
            let failed = |error| TaskFailure::from(error).in_file(plan.name());
            let follow = |steps| RolloutPolicy::Plans(vec![steps]);
            let error = match parse_plan(&simulator, plan.text()) {
                Ok(steps) => return Ok((follow(steps), None)),
                Err(error) => error,
            };
            let before: Vec<_> = plan.text().lines().take(error.line - 1).collect();
            let steps = parse_plan(&simulator, &before.join("\n")).map_err(failed)?;
            return Ok((follow(steps), Some(failed(error))));
        }
        _ => return Err(problems.unsupported("following a plan", "PDDL and RDDL")),
    };
    let mut parsed = Vec::with_capacity(plans.len());
    for plan in plans {
        let mut plan = ParsedPlan::parse(plan)?;
        if let Some(file) = SasFile::of_suite(suite, Limits::default())? {
            file.rename(&mut plan);
        }
        parsed.push(plan);
    }
    let unknown = match (plan_policy(suite, engine, &parsed), parsed.as_mut_slice()) {
        (Err(unknown @ EnvError::PlanStep { line, .. }), [plan]) => {
            plan.steps.retain(|step| step.line < line);
            unknown
        }
        (policy, _) => return Ok((policy?, None)),
    };
    Ok((plan_policy(suite, engine, &parsed)?, Some(unknown.into())))
}
