//! Random walks, as pictures.

use std::fmt::Display;

use herbrand::core::{Choice, Described, Group, RolloutPolicy, Status, Streams};
use herbrand::rddl::simulate::Preconditions;
use herbrand::render::{Moment, ReplayState, Scene};
use herbrand::tasks::FaultTotals;

use crate::choices::ValidActions;
use crate::output::reward;
use crate::progress::Progress;

/// The options of a random walk that is drawn.
pub struct WalkOptions {
    pub policy: RolloutPolicy,
    pub steps: u64,
    pub seed: u64,
    /// Whether every state is drawn, or only the last one.
    pub all: bool,
    /// The effect of a violated action precondition, in RDDL.
    pub preconditions: Preconditions,
}

/// The pictures of a walk.
pub struct Walk {
    pub stills: Vec<ReplayState>,
    /// The step at which the walk ended, because it is not valid or has no result.
    pub failed_step: Option<String>,
    /// Why that step has no result.
    pub error: Option<String>,
}

/// Walks at random from an initial state of `system`, and returns pictures of the states. If a step has no result, because a
/// number is undefined or overflows, the pictures end before it.
///
/// # Errors
/// Fails if the initial state has no result.
pub fn walk<S: Described<Error: Display>>(
    system: &mut S,
    plan: &WalkOptions,
    moment: impl Fn(&S) -> Moment,
    draw: impl Fn(&Moment) -> Scene,
    valid: impl Fn(&S) -> ValidActions,
) -> Result<Walk, S::Error> {
    let mut streams = Streams::new(plan.seed);
    system.reset(&mut streams.outcomes)?;
    let (mut stills, mut failed_step, mut failure) = (Vec::new(), None, None);
    let mut last: Option<String> = None;
    let (mut total, mut violating, mut steps) = (0.0, 0, 0);
    let progress = Progress::of(plan.steps.saturating_add(1), "pictures");
    let still = |system: &S, steps: u64, total: f64, last: Option<&String>, next: Option<&[Choice]>| {
        let mut now = moment(system);
        if plan.steps > 0 {
            now.captions
                .push(format!("step {steps}, return {}", reward(total)));
            now.captions.extend(last.map(|action| format!("after {action}")));
        }
        let valid = valid(system);
        ReplayState {
            scene: draw(&now),
            action: next.map(|joint| text(system, joint)),
            valid_summary: valid.summary(),
            valid: valid.choices,
            facts: facts(system),
            note: note(system.status()).to_owned(),
        }
    };
    for step in 0..=plan.steps {
        let status = system.status();
        let ended = status.goal || status.dead_end || status.terminal || status.broken;
        let next = (!ended && step < plan.steps)
            .then(|| choose(system, plan, step, &mut streams))
            .flatten();
        if plan.all || next.is_none() {
            stills.push(still(system, step, total, last.as_ref(), next.as_deref()));
        }
        progress.advance(1);
        let Some(joint) = next else {
            if let RolloutPolicy::Plans(plans) = &plan.policy
                && step < plan.steps
            {
                if ended {
                    warn_of_early_end(status, step, plan);
                } else {
                    let joint = plans.first().and_then(|plan| plan.get(step as usize));
                    let joint = text(system, joint.map_or(&[], Vec::as_slice));
                    failed_step = Some(format!("step {} of the plan, {joint}, is not valid", step + 1));
                }
            }
            break;
        };
        let before = system.state().clone();
        let transition = match system.step(&joint, &mut streams.outcomes) {
            Ok(transition) => transition,
            Err(error) => {
                // Part of the step may have been taken.
                system.set_state(&before)?;
                if !plan.all {
                    stills.push(still(system, step, total, last.as_ref(), Some(&joint)));
                }
                let joint = text(system, &joint);
                failed_step = Some(format!("step {}, {joint}, has no result", step + 1));
                failure = Some(error.to_string());
                break;
            }
        };
        last = Some(text(system, &joint));
        total += transition.reward;
        violating += u64::from(system.has_violated());
        steps += 1;
    }
    progress.finish();
    let totals = FaultTotals {
        violating,
        steps,
        effect: plan.preconditions,
        broken: u64::from(system.status().broken),
        episodes: 1,
    };
    if let Some(sentence) = totals.sentence("walk") {
        anstream::eprintln!("warning: {sentence}");
    }
    Ok(Walk {
        stills,
        failed_step,
        error: failure,
    })
}

/// Warns that a walk ended in a final state before the last step of its plan.
fn warn_of_early_end(status: Status, steps: u64, plan: &WalkOptions) {
    anstream::eprintln!(
        "warning: the walk ends after {steps} of the {} steps of the plan: {} The outcomes of chance are drawn from --seed {}",
        plan.steps,
        note(status),
        plan.seed
    );
}

/// Returns the joint action that the policy chooses after `step` steps; `None` if it chooses none.
fn choose<S: Described>(
    system: &S,
    plan: &WalkOptions,
    step: u64,
    streams: &mut Streams,
) -> Option<Vec<Choice>> {
    let mut joint = Vec::new();
    let elapsed = u32::try_from(step).ok()?;
    let chosen = plan
        .policy
        .choose(0, elapsed, system, &mut streams.actions, &mut joint);
    chosen.then_some(joint)
}

/// Formats a joint action in the syntax of its language.
fn text<S: Described>(system: &S, joint: &[Choice]) -> String {
    match joint {
        [] => "no action".to_owned(),
        choices => {
            let texts: Vec<_> = choices.iter().map(|&choice| system.choice_text(choice)).collect();
            texts.join(", ")
        }
    }
}

/// Returns the changing facts of the state: fluents and observations.
fn facts<S: Described>(system: &S) -> Vec<String> {
    let mut facts = Vec::new();
    system.facts(&mut |fact| {
        if matches!(fact.group, Group::Fluent | Group::Observed) {
            facts.push(fact.to_string());
        }
    });
    facts
}

/// Returns the sentence that explains why a walk ends in a state.
const fn note(status: Status) -> &'static str {
    match status {
        Status { goal: true, .. } => "The goal is reached.",
        Status { terminal: true, .. } => "The episode ends here.",
        Status { broken: true, .. } => "A state invariant does not hold here.",
        Status { dead_end: true, .. } => "No action is valid here.",
        Status { .. } => "The walk ends here.",
    }
}
