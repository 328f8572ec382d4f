//! The twin's judgement of the plan that a random episode with time is.

use std::collections::BTreeMap;

use herbrand::core::{Random, System};
use herbrand::env::{Planning, SteppingEngine, TimedPlan};
use herbrand::pddl::{Domain, ObjectId};
use herbrand_oracle::Oracle;
use herbrand_oracle::time::{TimedAction, TimedStep, TimedValidation, decimal, validate_timed};
use num_rational::BigRational;

/// Returns a time of the clock, which has at most six digits after the point, as a fraction.
pub fn exact(time: f64) -> BigRational {
    let micro = (time * 1e6).round().to_string();
    BigRational::new(micro.parse().expect("digits"), 1_000_000.into())
}

/// Judges a plan. Actions that still run end as planned.
pub fn judge<W: SteppingEngine>(
    domain: &Domain,
    oracle: &Oracle<'_>,
    plan: &TimedPlan,
    system: &Planning<W>,
) -> TimedValidation {
    let objects = system.walk().vocabulary().objects.iter().enumerate();
    let names: BTreeMap<_, _> = objects
        .map(|(index, object)| (object.name.as_str(), ObjectId::from_index(index)))
        .collect();
    let step = |step: &herbrand::env::TimedPlanStep| {
        let mut words = step.action.trim_matches(['(', ')']).split(' ');
        let name = words.next().unwrap_or_default();
        let mut durative = domain.durative_actions.iter();
        let action = match durative.position(|own| own.name.as_str() == name) {
            Some(index) => TimedAction::Durative(index),
            None => TimedAction::Instant(domain.find_schema(name).expect("a schema")),
        };
        TimedStep {
            time: exact(step.start),
            action,
            arguments: words.map(|word| names[word]).collect(),
            duration: step.duration.map(|duration| exact(duration.min(1e6))),
        }
    };
    let steps: Vec<_> = plan.steps.iter().map(step).collect();
    validate_timed(oracle, &steps, &decimal(0.001)).expect("a verdict")
}

/// Returns whether the twin sees in the plan of an episode what the engine saw in the episode: no fault, and the goal or not;
/// or a fault at the time at which the episode failed. Actions that still run may have faults later.
pub fn agrees<W: SteppingEngine>(verdict: &TimedValidation, system: &Planning<W>) -> bool {
    let Some(agenda) = system.walk().agenda() else {
        return false;
    };
    let clock = exact(agenda.clock);
    match (&agenda.failure, verdict.faults.as_slice()) {
        (None, []) => !agenda.running.is_empty() || verdict.valid == system.status().goal,
        (Some(_), [first, ..]) => first.time >= clock && first.time < clock + decimal(0.001),
        (None, faults) => !agenda.running.is_empty() && faults.iter().all(|fault| fault.time > clock),
        (Some(_), []) => false,
    }
}

/// Takes up to `steps` random steps, and then waits until nothing runs or is due. Returns the plan, and the number of
/// steps. `see` is called after each.
pub fn episode<W: SteppingEngine>(
    domain: &Domain,
    system: &mut Planning<W>,
    (seed, steps): (u64, usize),
    mut see: impl FnMut(&Planning<W>, f64),
) -> (TimedPlan, usize) {
    let mut random = Random::new(seed);
    let (mut plan, mut joint, mut taken) = (TimedPlan::default(), Vec::new(), 0);
    if system.reset(&mut random).is_err() {
        return (plan, 0);
    }
    let wait = system
        .find_action("(time.wait)")
        .or_else(|| system.find_action("(wait)"));
    let wait = wait.map(|wait| [wait.into()]);
    while !system.status().goal && taken < 20 * steps {
        let is_late = taken >= steps;
        match wait.filter(|wait| is_late && system.is_valid(wait)) {
            Some(wait) => joint = wait.to_vec(),
            None if is_late
                && system
                    .walk()
                    .agenda()
                    .is_none_or(|agenda| agenda.running.is_empty()) =>
            {
                break;
            }
            None => {
                if !system.sample(&mut random, &mut joint) {
                    break;
                }
            }
        }
        let Ok(transition) = system.step(&joint, &mut random) else {
            break;
        };
        system.add_to(&mut plan, domain);
        taken += 1;
        see(system, transition.reward);
    }
    (plan, taken)
}
