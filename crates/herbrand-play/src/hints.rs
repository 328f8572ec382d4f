//! Plans from where a player is: the one that is stored with the problem, or one that a planner finds.

use std::collections::BTreeSet;

use herbrand_env::plan::Plan;
use herbrand_env::{AgentActionId, EnvError, Instance, PlanningError, Registry, Source, Suite};
use herbrand_limits::Budget;
use herbrand_plan::{Determinization, Outcome, Planner, PlannerKind, Request};
use herbrand_step::{State, StepError};

/// A plan that comes with a problem, and the states that it may lead through.
#[derive(Clone, Debug)]
pub struct Hints {
    steps: Vec<Hint>,
}

/// One step of the plan.
#[derive(Clone, Debug)]
struct Hint {
    action: AgentActionId,
    /// The states in which the step may be due.
    states: BTreeSet<State>,
}

/// More states than this are not followed at once, where chance has a part in a plan.
const MOST_STATES: usize = 1000;

impl Hints {
    /// The hints for the one problem of `suite`; none if no plan comes with it.
    ///
    /// # Errors
    /// When the problem is at fault, or the plan.
    pub fn of(suite: &Suite) -> Result<Option<Self>, EnvError> {
        let problem = suite.full_problem_name(0).unwrap_or_default();
        let own = Registry::files(suite.name()).is_ok_and(|files| {
            let mut problems = files.iter().flat_map(|files| &files.problems);
            problems.any(|file| Some(&file.source) == suite.problem_source(0))
        });
        let Some(text) = Registry::plan(suite.name(), &problem).filter(|_| own) else {
            return Ok(None);
        };
        let Ok(plan) = Plan::parse(&Source::new(&problem, text)) else {
            return Ok(None);
        };
        Ok(Some(Self::along(suite.instance(0)?, &plan)?))
    }

    /// Follows a plan of operators in all ways in which chance can go, up to a limit.
    fn along(instance: &Instance, plan: &Plan) -> Result<Self, EnvError> {
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

    /// The step that is due in a state: the last one, if the plan comes there several times.
    #[must_use]
    pub fn here(&self, state: &State) -> Option<AgentActionId> {
        self.rest(state)?.first().copied()
    }

    /// The steps from a state on; `None` if the plan does not lead through it.
    #[must_use]
    pub fn rest(&self, state: &State) -> Option<Vec<AgentActionId>> {
        let at = self.steps.iter().rposition(|hint| hint.states.contains(state))?;
        Some(self.steps[at..].iter().map(|hint| hint.action).collect())
    }
}

/// What a planner came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Planned {
    /// The actions of a plan, one or more. Under chance they rely on what is drawn.
    Steps(Vec<AgentActionId>),
    /// Why there is none.
    None(&'static str),
}

/// A plan from a state of the problem, as [`PlannerKind::default`] finds it within a budget, or why there is none.
///
/// # Errors
/// When an action has too many outcomes to plan with.
pub fn planned(instance: &Instance, state: &State, budget: Budget) -> Result<Planned, EnvError> {
    let mut request = Request {
        budget,
        seed: 0,
        progress: &mut |_| {},
    };
    let planner = PlannerKind::default();
    let (simulator, outcomes) = (instance.simulator(), Determinization::AllOutcomes);
    let report = planner
        .solve(simulator, state, outcomes, &mut request)
        .map_err(|error| EnvError::Planning(PlanningError::from(error)))?;
    let space = instance.space();
    Ok(match report.outcome {
        Outcome::Plan(plan) if !plan.steps.is_empty() => {
            let steps = plan.steps.iter().map(|&step| space.action_of(step));
            Planned::Steps(steps.collect())
        }
        Outcome::Plan(_) | Outcome::GoalAlreadyTrue => Planned::None("the goal already holds"),
        Outcome::ProvenUnsolvable => Planned::None("no plan leads to the goal from here: undo some steps"),
        Outcome::Exhausted => Planned::None("this planner's search space has no plan; another planner may find one"),
        Outcome::OutOfTime => Planned::None("no plan was found within the time limit of a hint"),
        Outcome::OutOfMemory => Planned::None("no plan was found within the memory limit of a hint"),
        Outcome::Cancelled => Planned::None("the planner was stopped"),
        Outcome::Failed(_) => Planned::None("the planner failed"),
    })
}
