//! Hints from a stored plan, or from a planner.

use std::collections::BTreeSet;
use std::time::Duration;

use herbrand::env::plan::Plan;
use herbrand::env::{AgentActionId, EnvError, Instance, Registry, Suite};
use herbrand::limits::{Budget, Limits};
use herbrand::plan::{Determinization, Outcome, Planner, PlannerKind, Request};
use herbrand::{ActionId, State};

use crate::failure::Failure;
use crate::input;

/// A plan, and the states that it may lead through.
pub struct Hints {
    steps: Vec<Hint>,
}

/// One step of the plan.
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
    pub fn of(suite: &Suite) -> Result<Option<Self>, Failure> {
        let problem = suite.full_problem_name(0).unwrap_or_default();
        let own = Registry::files(suite.name()).is_ok_and(|files| {
            let mut problems = files.iter().flat_map(|files| &files.problems);
            problems.any(|file| Some(&file.source) == suite.problem_source(0))
        });
        if !own || Registry::plan(suite.name(), &problem).is_none() {
            return Ok(None);
        }
        let plan = input::stored_plan(suite.name(), &problem)?;
        Ok(Some(Self::along(suite.instance(0)?, &plan)?))
    }

    /// Follows a plan of operators in all ways in which chance can go, up to a limit.
    fn along(instance: &Instance, plan: &Plan) -> Result<Self, Failure> {
        let simulator = instance.simulator();
        let fail = |error: herbrand::step::StepError| Failure::from(EnvError::Planning(error.into()));
        let initial = simulator.initial_outcomes().map_err(fail)?;
        let mut states = initial
            .into_iter()
            .map(|outcome| outcome.state)
            .collect::<BTreeSet<_>>();
        let mut steps = Vec::new();
        for step in &plan.steps {
            let operator = simulator.parse_action(&step.action);
            let operator = operator.map_err(|error| Failure::Request(error.to_string()))?;
            states.retain(|state| simulator.is_valid(state, operator));
            let next = states.iter().map(|state| successors(instance, state, operator));
            let next = next.collect::<Result<Vec<_>, _>>()?;
            steps.push(Hint {
                action: instance.space().action_of(operator),
                states: std::mem::take(&mut states),
            });
            states.extend(next.into_iter().flatten().take(MOST_STATES));
        }
        Ok(Self { steps })
    }

    /// The step that is due in a state: the last one, if the plan comes there several times.
    pub fn here(&self, state: &State) -> Option<AgentActionId> {
        let due = |hint: &&Hint| hint.states.contains(state);
        self.steps.iter().rev().find(due).map(|hint| hint.action)
    }
}

/// The next step of a plan from a state, and how many steps the plan has.
pub struct Planned {
    pub action: AgentActionId,
    pub steps: usize,
}

const GOAL_HOLDS: &str = "the goal holds already";

/// What a planner may use for a hint.
const LIMITS: Limits = Limits {
    bytes: Some(1 << 30),
    time: Some(Duration::from_secs(10)),
};

impl Planned {
    /// A plan from a state of the problem, as [`PlannerKind::default`] finds it, or why there is none.
    ///
    /// # Errors
    /// When an action has too many outcomes to plan with.
    pub fn of(instance: &Instance, state: &State) -> Result<Result<Self, &'static str>, Failure> {
        let mut request = Request {
            budget: Budget::new(LIMITS),
            seed: 0,
            progress: &mut |_| {},
        };
        let planner = PlannerKind::default();
        let report = planner
            .solve(
                instance.simulator(),
                state,
                Determinization::AllOutcomes,
                &mut request,
            )
            .map_err(|error| Failure::from(EnvError::Planning(error.into())))?;
        Ok(match report.outcome {
            Outcome::Plan(plan) => match plan.steps.first() {
                Some(&first) => Ok(Self {
                    action: instance.space().action_of(first),
                    steps: plan.steps.len(),
                }),
                None => Err(GOAL_HOLDS),
            },
            Outcome::GoalAlreadyTrue => Err(GOAL_HOLDS),
            Outcome::ProvenUnsolvable => Err("no plan leads to the goal from here: undo some steps"),
            Outcome::Exhausted => Err("no plan was found where the planner looks; there may be one"),
            Outcome::OutOfTime => Err("no plan was found within ten seconds"),
            Outcome::OutOfMemory => Err("no plan was found within a gibibyte of memory"),
            Outcome::Cancelled => Err("the planner was stopped"),
        })
    }
}

fn successors(instance: &Instance, state: &State, operator: ActionId) -> Result<Vec<State>, Failure> {
    let outcomes = instance.simulator().outcomes(state, operator);
    let outcomes = outcomes.map_err(|error| Failure::from(EnvError::Planning(error.into())))?;
    Ok(outcomes.into_iter().map(|outcome| outcome.state).collect())
}
