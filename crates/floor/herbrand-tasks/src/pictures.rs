//! A walk through a problem, drawn.

use herbrand_core::{Choice, Group, RolloutPolicy, Status, Streams};
use herbrand_env::EngineKind;
use herbrand_render::{Moment, Picture, ReplayState, Scene};

use crate::any::{AnyError, AnyProblem, AnySystem};
use crate::failure::TaskFailure;
use crate::numbers::reward;
use crate::problems::AnyProblems;
use crate::run::Run;
use crate::step_faults::FaultTotals;

/// A walk to draw. By default it is the initial state. The seed is that of the run.
#[derive(Clone, Debug, Default)]
pub struct DrawQuery {
    /// How actions are chosen.
    pub policy: RolloutPolicy,
    /// The number of steps.
    pub steps: u64,
    /// Whether every state is drawn, or only the last one.
    pub all: bool,
    /// Whether only the surroundings of the agent are drawn.
    pub egocentric: bool,
    /// The engine; it does not change the pictures.
    pub engine: EngineKind,
}

/// The pictures of a walk.
#[derive(Clone, Debug, Default)]
pub struct DrawnWalk {
    /// The states.
    pub stills: Vec<ReplayState>,
    /// The step at which the walk ended, because it is not valid or has no result.
    pub failed_step: Option<String>,
    /// Why that step has no result.
    pub error: Option<String>,
    /// Warnings for the reader: a sentence each.
    pub warnings: Vec<String>,
}

/// Walks from an initial state of the first of the problems, and draws the states. If a step has no result, because a number is
/// undefined or overflows, the pictures end before it.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_tasks::pictures::{DrawQuery, draw};
/// use herbrand_tasks::{AnyProblems, Run};
///
/// let problems = AnyProblems::Pddl(Registry::get("blocks")?);
/// let query = DrawQuery { steps: 2, all: true, ..DrawQuery::default() };
/// let walk = draw(&problems, &query, &Run::default())?;
/// assert_eq!(walk.stills.len(), 3);
/// assert_eq!(walk.stills[0].action.as_deref(), Some("(unstack b a)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the problem is faulty, the initial state has no result, or an agent is to be drawn that the settings do not
/// declare.
pub fn draw(problems: &AnyProblems, query: &DrawQuery, run: &Run<'_>) -> Result<DrawnWalk, TaskFailure> {
    let problems = problems.first()?;
    let effect = problems.preconditions();
    let mut problem = problems.open_on(query.engine)?;
    let mut streams = Streams::new(run.seed);
    problem.reset(&mut streams.outcomes)?;
    let (picture, first) = problem.picture()?;
    if query.egocentric && picture.egocentric(&first).is_none() {
        return Err(no_eye());
    }
    let mut walk = DrawnWalk::default();
    let mut shown = Shot {
        query,
        steps: 0,
        total: 0.0,
        last: None,
    };
    let mut violating = 0;
    for step in 0..=query.steps {
        let status = problem.look().status();
        let ended = status.goal || status.dead_end || status.terminal || status.broken;
        let mut joint = Vec::new();
        let elapsed = u32::try_from(step).unwrap_or(u32::MAX);
        let goes_on = !ended
            && step < query.steps
            && problem.choose(&query.policy, elapsed, &mut streams.actions, &mut joint);
        if query.all || !goes_on {
            walk.stills.push(shown.of(&*problem, goes_on.then_some(&*joint))?);
        }
        if let Some(episodes) = run.episodes {
            episodes(step + 1);
        }
        if !goes_on {
            walk.end(problem.look().as_ref(), query, step, run.seed);
            break;
        }
        let text = text(&*problem.look(), &joint);
        let before = problem.state();
        let violations = problem.look().features().violations(&joint);
        match problem.step(&joint, &mut streams.outcomes, false) {
            Ok((transition, _)) => {
                violating += u64::from(violations.is_ok_and(|found| !found.is_empty()));
                shown.steps += 1;
                shown.total += transition.reward;
                shown.last = Some(text);
            }
            Err(error) => {
                // Part of the step may have been taken.
                problem.set_state(&*before)?;
                if !query.all {
                    walk.stills.push(shown.of(&*problem, Some(&joint))?);
                }
                walk.failed_step = Some(format!("step {}, {text}, has no result", step + 1));
                walk.error = Some(error.to_string());
                break;
            }
        }
    }
    let totals = FaultTotals {
        violating,
        steps: shown.steps,
        effect,
        broken: u64::from(problem.look().status().broken),
        episodes: 1,
    };
    walk.warnings.extend(totals.sentence("walk"));
    Ok(walk)
}

/// Returns the failure of drawing the surroundings of an agent that is not declared.
#[must_use]
pub fn no_eye() -> TaskFailure {
    let advice = "needs `eye` in `[render]` of the domain's settings, and does not work with traces";
    TaskFailure::option("egocentric", advice)
}

impl DrawnWalk {
    /// Notes whether a plan ended before its last step.
    fn end(&mut self, system: &dyn AnySystem, query: &DrawQuery, step: u64, seed: u64) {
        let RolloutPolicy::Plans(plans) = &query.policy else {
            return;
        };
        if step >= query.steps {
            return;
        }
        let status = system.status();
        if status.goal || status.dead_end || status.terminal || status.broken {
            self.warnings.push(format!(
                "the walk ends after {step} of the {} steps of the plan: {} The outcomes of chance are drawn from --seed {seed}",
                query.steps,
                note(status),
            ));
        } else {
            let joint = plans.first().and_then(|plan| plan.get(step as usize));
            let joint = text(system, joint.map_or(&[], Vec::as_slice));
            self.failed_step = Some(format!("step {} of the plan, {joint}, is not valid", step + 1));
        }
    }
}

/// The words in the pictures of a walk.
struct Shot<'q> {
    query: &'q DrawQuery,
    steps: u64,
    total: f64,
    last: Option<String>,
}

impl Shot<'_> {
    /// Draws the current state, before a step.
    fn of(&self, problem: &dyn AnyProblem, next: Option<&[Choice]>) -> Result<ReplayState, AnyError> {
        let (picture, mut moment) = problem.picture()?;
        if self.query.steps > 0 {
            let total = reward(self.total);
            moment
                .captions
                .push(format!("step {}, return {total}", self.steps));
            moment
                .captions
                .extend(self.last.iter().map(|action| format!("after {action}")));
        }
        let system = problem.look();
        let valid = system.offered();
        Ok(ReplayState {
            scene: self.scene(picture, &moment),
            action: next.map(|joint| text(&*system, joint)),
            valid_summary: valid.summary(),
            valid: valid.choices,
            facts: facts(&*system),
            note: note(system.status()).to_owned(),
        })
    }

    fn scene(&self, picture: &Picture, moment: &Moment) -> Scene {
        let near = self
            .query
            .egocentric
            .then(|| picture.egocentric(moment))
            .flatten();
        near.unwrap_or_else(|| picture.scene(moment))
    }
}

/// Formats a joint action in the syntax of its language.
fn text(system: &dyn AnySystem, joint: &[Choice]) -> String {
    match joint {
        [] => "no action".to_owned(),
        choices => {
            let texts: Vec<_> = choices.iter().map(|&choice| system.choice_text(choice)).collect();
            texts.join(", ")
        }
    }
}

/// Returns the changing facts of the state: fluents and observations.
fn facts(system: &dyn AnySystem) -> Vec<String> {
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
