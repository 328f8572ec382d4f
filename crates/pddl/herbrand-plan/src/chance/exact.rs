//! Policies stored as tables over enumerated states.

use std::sync::Arc;

use herbrand_ground::ActionId;
use herbrand_limits::Budget;
use herbrand_step::{Rounding, State, StateStore};

use super::improve::improve;
use super::model::Model;
use super::policy::{Policy, PolicyStatistics, PolicyValue, StateValue};
use super::solve::NONE;
use super::sweep::value_iteration;
use super::task::ProbabilisticTask;
use crate::task::TaskError;

/// A policy that looks up the action of a state in a table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    task: Arc<ProbabilisticTask>,
    store: StateStore,
    /// The action of each state in the store; `None` for goal states, dead ends and states that were not expanded.
    actions: Vec<Option<ActionId>>,
    value: PolicyValue,
    statistics: PolicyStatistics,
}

impl Table {
    /// Creates the table of the choices made in a model.
    pub(crate) fn of(
        task: Arc<ProbabilisticTask>,
        model: &Model<'_>,
        choices: &[u32],
        worths: &[StateValue],
        mut statistics: PolicyStatistics,
    ) -> Self {
        let words = (0..model.len()).map(|state| model.store.get(state));
        statistics.rounding = Rounding::of(task.simulator().task(), words);
        let proves = task.costs().prove_optimality() && statistics.rounding.is_none();
        let action = |&choice: &u32| (choice != NONE).then(|| model.choice(choice).action);
        Self {
            value: value(model, worths, proves),
            store: model.store.clone(),
            actions: choices.iter().map(action).collect(),
            statistics,
            task,
        }
    }

    /// Computes an optimal policy by enumerating all reachable states. With `sweeping`, the first policy is that of value
    /// iteration, which policy iteration proves or corrects.
    pub(crate) fn exact(
        task: Arc<ProbabilisticTask>,
        sweeping: bool,
        budget: &Budget,
    ) -> Result<Self, TaskError> {
        let mut model = Model::new(&task)?;
        let mut next = 0;
        while next < model.len() as u32 {
            model.check(budget)?;
            model.expand(next, |_| true)?;
            next += 1;
        }
        let swept = sweeping.then(|| value_iteration(&model, budget)).transpose()?;
        let mut choices = swept
            .as_ref()
            .map_or_else(Vec::new, |swept| swept.choices.clone());
        let (worths, policies) = improve(&model, &mut choices, budget)?;
        let statistics = PolicyStatistics {
            states: model.len(),
            iterations: swept.as_ref().map_or(policies, |swept| swept.sweeps),
            residual: swept.map(|swept| swept.residual),
            rounding: None,
        };
        Ok(Self::of(Arc::clone(&task), &model, &choices, &worths, statistics))
    }
}

/// Returns the value of a model from its start states.
pub(crate) fn value(model: &Model<'_>, worths: &[StateValue], optimal: bool) -> PolicyValue {
    let mut worth = StateValue::NOTHING;
    for &(probability, start) in &model.starts {
        worth.add(probability, 0.0, worths[start as usize]);
    }
    worth.value(optimal)
}

impl Policy for Table {
    fn act(&mut self, state: &State) -> Result<Option<ActionId>, TaskError> {
        let projected = self.task.project(state)?;
        let place = self.store.position(projected.words());
        Ok(place.and_then(|place| self.actions[place]))
    }

    fn value(&self) -> Option<PolicyValue> {
        Some(self.value)
    }

    fn statistics(&self) -> Option<PolicyStatistics> {
        Some(self.statistics)
    }
}
