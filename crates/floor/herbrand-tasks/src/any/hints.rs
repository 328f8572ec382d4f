//! Plans from the player's state: the plan stored with the problem, or one found by a planner.

use std::collections::BTreeSet;

use herbrand_env::plan::ParsedPlan;
use herbrand_env::{AgentActionId, CompiledProblem, EnvError, Registry, Source, Suite};
use herbrand_limits::Limits;
use herbrand_plan::SearchOutcome;
use herbrand_step::{State, StepError};

use crate::failure::TaskFailure;
use crate::plan::{PlanQuery, plan_from};
use crate::run::Run;

/// The plan that is stored with a bundled problem, and for each of its steps the states in which the plan may take it.
/// [`of`](Self::of) makes one.
#[derive(Clone, Debug)]
pub struct Hints {
    steps: Vec<Hint>,
}

/// A step of the plan.
#[derive(Clone, Debug)]
struct Hint {
    action: AgentActionId,
    /// The states in which the plan may take the step.
    states: BTreeSet<State>,
}

/// The maximum number of states that are tracked at once in probabilistic problems.
const MOST_STATES: usize = 1000;

impl Hints {
    /// Reads the plan stored for the first problem of `suite` and executes it to find the states of its steps; `None`
    /// if the problem is not a bundled one, has no stored plan, or the plan does not parse. In probabilistic problems,
    /// at most 1000 states are tracked per step. The further problems of `suite` are ignored. Then call
    /// [`here`](Self::here) or [`rest`](Self::rest) in a state.
    ///
    /// # Errors
    /// Fails if the problem is faulty, a step of the plan is not an operator of it, or an effect is undefined.
    pub fn of(suite: &Suite) -> Result<Option<Self>, EnvError> {
        let problem = suite.full_problem_name(0).unwrap_or_default();
        let own = Registry::files(suite.name()).is_ok_and(|files| {
            let mut problems = files.iter().flat_map(|files| &files.problems);
            problems.any(|file| Some(&file.source) == suite.problem_source(0))
        });
        let Some(text) = Registry::plan(suite.name(), &problem).filter(|_| own) else {
            return Ok(None);
        };
        let Ok(plan) = ParsedPlan::parse(&Source::new(&problem, text)) else {
            return Ok(None);
        };
        Ok(Some(Self::along(
            suite.timeless_instance(0, "a stored plan")?,
            &plan,
        )?))
    }

    /// Executes a plan of operators, tracking all outcomes up to a limit.
    fn along(instance: &CompiledProblem, plan: &ParsedPlan) -> Result<Self, EnvError> {
        let simulator = instance.simulator();
        let fail = |error: StepError| EnvError::Planning(error.into());
        let initial = simulator.initial_outcomes().map_err(fail)?;
        let mut states = initial
            .into_iter()
            .map(|outcome| outcome.state)
            .collect::<BTreeSet<_>>();
        let mut steps = Vec::new();
        for step in &plan.steps {
            let Ok(operator) = simulator.parse_action(&step.action) else {
                return Err(EnvError::PlanStep {
                    line: step.line,
                    action: step.action.clone(),
                });
            };
            states.retain(|state| simulator.is_valid(state, operator));
            let mut next = BTreeSet::new();
            for state in &states {
                let outcomes = simulator.outcomes(state, operator).map_err(fail)?;
                let room = MOST_STATES.saturating_sub(next.len());
                next.extend(outcomes.into_iter().map(|outcome| outcome.state).take(room));
            }
            steps.push(Hint {
                action: instance.space().action_of(operator),
                states: std::mem::replace(&mut states, next),
            });
        }
        Ok(Self { steps })
    }

    /// Returns the plan's step in a state, an action of the action space of the suite's first problem; `None` if the
    /// plan does not visit the state. If it may visit the state several times, returns the last of the steps. After the
    /// last step, and in states that are not tracked, it is `None` too.
    #[must_use]
    pub fn here(&self, state: &State) -> Option<AgentActionId> {
        self.rest(state)?.first().copied()
    }

    /// Returns the remaining steps of the plan from a state, beginning with the one to take there; `None` if the plan
    /// does not visit it. If it may visit the state several times, these are the steps from the last visit on. The
    /// list has at least one step.
    #[must_use]
    pub fn rest(&self, state: &State) -> Option<Vec<AgentActionId>> {
        let at = self.steps.iter().rposition(|hint| hint.states.contains(state))?;
        Some(self.steps[at..].iter().map(|hint| hint.action).collect())
    }
}

/// The result of [`planned`]. [`None`](Self::None) is also the result where the goal already holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Planned {
    /// The actions of a plan, at least one, in the action space of the problem. In probabilistic problems, the plan
    /// depends on the outcomes of draws.
    Steps(Vec<AgentActionId>),
    /// No plan was found, or none is needed because the goal already holds. Contains the reason for users.
    None(&'static str),
}

/// Searches for a plan from a state of the problem with the usual planner, within limits of time and memory.
/// If the goal already holds, there is no plan, or a limit is reached, the result is [`Planned::None`] and not an error.
///
/// # Errors
/// Fails if an action has too many outcomes for planning, or the state belongs to another problem.
pub fn planned(instance: &CompiledProblem, state: &State, limits: Limits) -> Result<Planned, TaskFailure> {
    let mut run = Run {
        limits,
        ..Run::default()
    };
    let report = plan_from(instance.simulator(), state, &PlanQuery::default(), &mut run)?;
    let space = instance.space();
    Ok(match report.outcome {
        SearchOutcome::Plan(plan) if !plan.steps.is_empty() => {
            let steps = plan.steps.iter().map(|&step| space.action_of(step));
            Planned::Steps(steps.collect())
        }
        SearchOutcome::Plan(_) | SearchOutcome::GoalAlreadyTrue => Planned::None("the goal already holds"),
        SearchOutcome::ProvenUnsolvable => Planned::None("no plan leads to the goal from here"),
        SearchOutcome::Exhausted => {
            Planned::None("this planner's search space has no plan; another planner may find one")
        }
        SearchOutcome::OutOfTime => Planned::None("no plan was found within the time limit of a hint"),
        SearchOutcome::OutOfMemory => Planned::None("no plan was found within the memory limit of a hint"),
        SearchOutcome::Cancelled => Planned::None("the planner was stopped"),
        SearchOutcome::Failed(_) => Planned::None("the planner failed"),
    })
}
