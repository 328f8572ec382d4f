//! Rollouts over suites.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use herbrand_core::trace::Seeded;
use herbrand_core::{
    Choice, Described, Fingerprinted, Problems, Rollout, RolloutOptions, RolloutPolicy, roll_out,
    watch_roll_out,
};

use crate::engine::EngineKind;
use crate::error::EnvError;
use crate::plan::{ParsedPlan, SimultaneousSteps};
use crate::planning::{Planning, SteppingEngine};
use crate::suite::{Engines, Suite};
use crate::trace::{Header, Recorder, TraceError, header};

/// Runs episodes with a random policy, uniform over the valid agent actions, on the automatically selected engine, and
/// measures them. `progress` is called, from any of the threads, with the number of episodes finished since its last
/// call. The problems take turns, in the order of the suite. [`RolloutOptions`] has the number of episodes, the longest
/// episode, the seed and the threads.
///
/// ```
/// use herbrand_env::{ActionMode, Domain, Problem, RolloutOptions, Suite, rollout};
///
/// let domain = Domain::from_text("(define (domain coin) (:predicates (up)) (:action turn :effect (not (up))))")?;
/// let problem = Problem::from_text("(define (problem one) (:domain coin) (:init (up)))", &domain)?;
/// let suite = Suite::from_problems(domain, [problem], ActionMode::Declared)?;
/// let report = rollout(&suite, &RolloutOptions::default(), &|_| ())?;
/// assert_eq!((report.episodes, report.steps), (100, 1000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the suite has no problem, a problem is faulty or too large for both engines, or a step is refused, for
/// example by a division by zero.
pub fn rollout(
    suite: &Suite,
    options: &RolloutOptions,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Rollout, EnvError> {
    let stop = AtomicBool::new(false);
    rollout_until(
        &RolloutPolicy::Random,
        suite,
        EngineKind::Automatic,
        options,
        progress,
        &stop,
    )
}

/// Like [`rollout`], with any policy on a given engine. When `stop` becomes true, running episodes are cut off and the
/// result covers the work so far; its digest then depends on the time of the stop. [`plan_policy`] makes a policy from
/// plans.
///
/// # Errors
/// Fails like [`rollout`]. With [`EngineKind::Grounded`], also fails if a problem is too large to be grounded.
pub fn rollout_until(
    policy: &RolloutPolicy,
    suite: &Suite,
    engine: EngineKind,
    options: &RolloutOptions,
    progress: &(dyn Fn(u64) + Sync),
    stop: &AtomicBool,
) -> Result<Rollout, EnvError> {
    match suite.on(engine)? {
        Engines::Grounded(suite) => roll_out(&suite.unseen(), policy, options, progress, stop),
        Engines::Lifted(suite) => roll_out(&suite, policy, options, progress, stop),
    }
}

/// Runs episodes of a policy on one thread and records each as a walk of a trace, which is written to `out`. The suite
/// must have exactly one problem. The header gets the `names` of domain and problem. The measured time includes the
/// recording. The number of threads in `options` does not matter. [`Replayer`](crate::trace::Replayer) reads the
/// trace.
///
/// # Errors
/// Fails like [`rollout_until`], if the suite does not have exactly one problem, and if writing fails; the trace is
/// then incomplete.
pub fn rollout_recorded(
    policy: &RolloutPolicy,
    suite: &Suite,
    engine: EngineKind,
    options: &RolloutOptions,
    names: (&str, &str),
    out: impl Write,
) -> Result<Rollout, TraceError> {
    if suite.len() != 1 {
        return Err(TraceError::from(EnvError::NotOneProblem {
            suite: suite.name().to_owned(),
            problems: suite.len(),
        }));
    }
    match suite.on(engine)? {
        Engines::Grounded(on) => record(&on, suite, policy, options, names, out),
        Engines::Lifted(on) => record(&on, suite, policy, options, names, out),
    }
}

/// Rolls out and records on one engine.
fn record<P>(
    problems: &P,
    suite: &Suite,
    policy: &RolloutPolicy,
    options: &RolloutOptions,
    names: (&str, &str),
    out: impl Write,
) -> Result<Rollout, TraceError>
where
    P: Problems<System: Described + Fingerprinted, Error = EnvError>,
{
    let system = problems.system(0)?;
    let header = Header {
        seeded: Some(Seeded::under(policy)),
        ..header(&system, suite.agent_actions(), names, options.seed)
    };
    let mut recorder = Recorder::new(&header, out)?;
    let (mut step, mut written) = (0, Ok(()));
    let stop = AtomicBool::new(false);
    let rollout = watch_roll_out(problems, policy, options, &stop, |walk, system, _, joint| {
        if written.is_ok() {
            written = recorder.visit(walk, step, system, joint);
            stop.store(written.is_err(), Ordering::Relaxed);
        }
        step = joint.map_or(0, |_| step + 1);
    })?;
    written?;
    recorder.finish()?;
    Ok(rollout)
}

/// Creates the policy that follows one plan per problem of `suite`, in order, for [`rollout_until`] on the same suite
/// and engine. [`ParsedPlan::parse`] reads a plan. A step of a plan may be an agent action or an operator. For an
/// operator, the policy takes the agent action that the operator carries out.
///
/// # Errors
/// Fails if a step is neither or is found unreachable by grounding, if the number of plans differs from the number of
/// problems, or if a problem is faulty.
pub fn plan_policy(
    suite: &Suite,
    engine: EngineKind,
    plans: &[ParsedPlan],
) -> Result<RolloutPolicy, EnvError> {
    if plans.len() != suite.len() {
        return Err(EnvError::PlanCount {
            plans: plans.len(),
            problems: suite.len(),
        });
    }
    for (index, plan) in plans.iter().enumerate() {
        check_times(suite, index, plan)?;
    }
    Ok(RolloutPolicy::Plans(match suite.on(engine)? {
        Engines::Grounded(on) => plans_on(&on, plans)?,
        Engines::Lifted(on) => plans_on(&on, plans)?,
    }))
}

/// Checks that steps with the same time do not depend on their order.
fn check_times(suite: &Suite, index: usize, plan: &ParsedPlan) -> Result<(), EnvError> {
    let times: Vec<f64> = plan.steps.iter().filter_map(|step| step.time).collect();
    if times.windows(2).all(|pair| pair[0] < pair[1]) {
        return Ok(());
    }
    let simulator = suite.instance(index)?.simulator();
    let mut at_once = SimultaneousSteps::default();
    for step in &plan.steps {
        if let Ok(action) = simulator.parse_action(&step.action) {
            let line = step.line;
            let taken = at_once.take(simulator.task(), step, action);
            taken.map_err(|reason| EnvError::SimultaneousSteps { line, reason })?;
        }
    }
    Ok(())
}

/// Returns the joint actions of each problem's plan.
fn plans_on<P, W>(problems: &P, plans: &[ParsedPlan]) -> Result<Vec<Vec<Vec<Choice>>>, EnvError>
where
    P: Problems<System = Planning<W>, Error = EnvError>,
    W: SteppingEngine,
{
    let plans = plans.iter().enumerate().map(|(index, plan)| {
        let system = problems.system(index)?;
        let steps = plan.steps.iter().map(|step| {
            let action = system.find_action(&step.action);
            let action = action.ok_or_else(|| EnvError::PlanStep {
                line: step.line,
                action: step.action.clone(),
            })?;
            Ok(vec![action.into()])
        });
        steps.collect()
    });
    plans.collect()
}
