//! Replanning.

use std::sync::Arc;

use fxhash::FxHashMap;
use herbrand_core::Random;
use herbrand_ground::ActionId;
use herbrand_limits::Budget;
use herbrand_step::State;

use super::kind::PolicyOptions;
use super::policy::{Policy, PolicyValue};
use super::task::ProbabilisticTask;
use crate::outcome::{PlanRequest, SearchOutcome};
use crate::planner::Planner as _;
use crate::projection::Projection;
use crate::task::{SearchTask, TaskError};

/// Follows a plan for a determinized task, and makes a new plan in a state that no earlier plan has visited (Yoon, Fern and
/// Givan 2007, "FF-Replan: a baseline for probabilistic planning").
///
/// The actions of a plan in all states it visits are stored, so the policy always takes the same action in the same state.
pub(crate) struct Replan {
    task: Arc<ProbabilisticTask>,
    certain: SearchTask,
    projection: Projection,
    /// For each visited state of the determinized task, the action to take.
    known: FxHashMap<State, Option<ActionId>>,
    options: PolicyOptions,
    budget: Budget,
}

impl Replan {
    pub(crate) fn new(
        task: Arc<ProbabilisticTask>,
        options: &PolicyOptions,
        budget: &Budget,
    ) -> Result<Self, TaskError> {
        let start = task.project(&task.starts()[0].1)?;
        let certain = SearchTask::new(task.searched(), &start, options.determinization, budget)?;
        Ok(Self {
            projection: Projection::new(task.searched(), certain.simulator()),
            certain,
            task,
            known: FxHashMap::default(),
            options: *options,
            budget: budget.without_limits(),
        })
    }

    /// Plans from a state, and stores the action for each state that the plan visits, unless one is known.
    fn plan(&mut self, state: State) -> Result<(), TaskError> {
        let task = self.certain.starting_at(state.clone());
        let (own, whole) = (Budget::new(self.options.decision), &self.budget);
        let watched = own.clone();
        let mut request = PlanRequest {
            budget: own,
            seed: self.options.seed,
            progress: &mut |_| {
                if whole.check("planning", 0).is_err() {
                    watched.cancel();
                }
            },
        };
        let outcome = self.options.planner.plan(&task, &mut request).outcome;
        self.budget.check("planning", 0)?;
        let SearchOutcome::Plan(plan) = outcome else {
            self.known.insert(state, None);
            return Ok(());
        };
        let mut walker = self.certain.simulator().walker();
        walker.set_state(&state)?;
        for (&searched, &step) in plan.searched.iter().zip(&plan.steps) {
            self.known.entry(walker.state().clone()).or_insert(Some(step));
            // The determinized task draws nothing.
            walker.apply(searched, &mut Random::new(0))?;
        }
        Ok(())
    }
}

impl Policy for Replan {
    fn act(&mut self, state: &State) -> Result<Option<ActionId>, TaskError> {
        let state = self.projection.of(&self.task.project(state)?)?;
        if !self.known.contains_key(&state) {
            self.plan(state.clone())?;
        }
        Ok(self.known.get(&state).copied().flatten())
    }

    fn value(&self) -> Option<PolicyValue> {
        None
    }
}
