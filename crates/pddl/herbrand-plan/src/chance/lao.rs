//! LAO*: an optimal policy from a part of the reachable states.

use std::sync::Arc;

use herbrand_limits::Budget;

use super::exact::Table;
use super::improve::improve;
use super::model::Model;
use super::policy::{PolicyStatistics, StateValue};
use super::solve::NONE;
use super::task::ProbabilisticTask;
use crate::estimate::{Estimator, HeuristicKind};
use crate::heuristic::Admissible;
use crate::task::{Determinization, SearchTask, TaskError};

/// Computes an optimal policy by LAO* (Hansen and Zilberstein 2001). It finds the best policy for the explored part of the
/// model, with an optimistic estimate for the frontier, and expands the frontier states that this policy reaches, until it
/// reaches none.
///
/// A frontier state counts as a state from which the goal is reached with certainty at the LM-cut estimate of the
/// determinized task; or as a dead end, if it is one even there. So by either criterion no policy is better in the full
/// model than in the explored part, and a policy that reaches no frontier state is optimal in both.
pub(crate) fn lao(task: Arc<ProbabilisticTask>, budget: &Budget) -> Result<Table, TaskError> {
    let mut model = Model::new(&task)?;
    let kind = kind_task(&task, budget)?;
    let admissible = HeuristicKind::Admissible(Admissible::LandmarkCut);
    let mut rim = Frontier {
        is_open: Vec::new(),
        estimator: Estimator::new(&kind, admissible, budget)?,
    };
    rim.judge(&mut model)?;
    let (mut choices, mut iterations) = (Vec::new(), 0);
    loop {
        let (worths, policies) = improve(&model, &mut choices, budget)?;
        iterations += policies;
        let reached = rim.reached(&model, &choices);
        if reached.is_empty() {
            let statistics = PolicyStatistics {
                states: model.len(),
                iterations,
                residual: None,
                rounding: None,
            };
            return Ok(Table::of(
                Arc::clone(&task),
                &model,
                &choices,
                &worths,
                statistics,
            ));
        }
        for state in reached {
            model.check(budget)?;
            model.expand(state, |_| true)?;
            rim.is_open[state as usize] = false;
            rim.judge(&mut model)?;
        }
    }
}

/// Creates the all-outcomes determinization, in which the agent chooses the outcomes, for estimates of states of `task`.
pub(crate) fn kind_task(task: &ProbabilisticTask, budget: &Budget) -> Result<SearchTask, TaskError> {
    let start = task.project(&task.starts()[0].1)?;
    let kind = SearchTask::new(task.searched(), &start, Determinization::AllOutcomes, budget)?;
    Ok(kind.for_any_state())
}

/// The frontier: the states that are not expanded.
struct Frontier<'k> {
    /// For each state, whether it is in the frontier. Dead ends and goal states are not.
    is_open: Vec<bool>,
    estimator: Estimator<'k>,
}

impl Frontier<'_> {
    /// Estimates the states added to the model since the last call.
    fn judge(&mut self, model: &mut Model<'_>) -> Result<(), TaskError> {
        for state in self.is_open.len() as u32..model.len() as u32 {
            let walker = model.go_to(state)?;
            let is_goal = walker.is_goal();
            let estimate = self.estimator.estimate(walker.state())?;
            let worth = estimate.map_or(StateValue::NOTHING, |paid| StateValue {
                probability: 1.0,
                paid,
            });
            model.ends[state as usize] = Some(if is_goal { StateValue::GOAL } else { worth });
            self.is_open.push(estimate.is_some() && !is_goal);
        }
        Ok(())
    }

    /// Returns the frontier states that the chosen actions reach, ascending.
    fn reached(&self, model: &Model<'_>, choices: &[u32]) -> Vec<u32> {
        let mut seen = vec![false; model.len()];
        let mut open: Vec<u32> = model.starts.iter().map(|start| start.1).collect();
        let mut reached = Vec::new();
        open.iter().for_each(|&state| seen[state as usize] = true);
        while let Some(state) = open.pop() {
            if self.is_open[state as usize] {
                reached.push(state);
            }
            if choices[state as usize] == NONE {
                continue;
            }
            for branch in model.branches(choices[state as usize]) {
                if !std::mem::replace(&mut seen[branch.state as usize], true) {
                    open.push(branch.state);
                }
            }
        }
        reached.sort_unstable();
        reached
    }
}
