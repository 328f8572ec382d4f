//! LAO*: the best policy, from the states that it takes to know that.

use std::sync::Arc;

use herbrand_limits::Budget;

use super::exact::Table;
use super::improve::improve;
use super::model::Model;
use super::policy::Worth;
use super::solve::NONE;
use super::task::ChanceTask;
use crate::estimate::{Estimator, HeuristicKind};
use crate::heuristic::Admissible;
use crate::projection::Projection;
use crate::task::{Determinization, SearchTask, TaskError};

/// LAO* (Hansen and Zilberstein 2001): finds the best policy of a part of the model, whose rim is judged by an estimate that
/// is never too bad, and expands the states of the rim that this policy reaches, until there are none.
///
/// A state of the rim counts as one from which the goal is certain, at the cost that landmark cuts estimate if chance is
/// kind; or as a dead end, if it is one even then. So no policy is better in the model than in the part of it, by
/// either criterion, and a policy that does not reach the rim is a best one of both.
pub(crate) fn lao(task: Arc<ChanceTask>, budget: &Budget) -> Result<Table, TaskError> {
    let mut model = Model::new(&task)?;
    let kind = kind_task(&task, budget)?;
    let admissible = HeuristicKind::Admissible(Admissible::LandmarkCut);
    let mut rim = Rim {
        is_open: Vec::new(),
        estimator: Estimator::new(&kind, admissible, budget)?,
        projection: Projection::new(task.searched(), kind.simulator()),
    };
    rim.judge(&mut model)?;
    let mut choices = Vec::new();
    loop {
        let worths = improve(&model, &mut choices, budget)?;
        let reached = rim.reached(&model, &choices);
        if reached.is_empty() {
            return Ok(Table::of(Arc::clone(&task), &model, &choices, &worths));
        }
        for state in reached {
            model.check(budget)?;
            model.expand(state, |_| true)?;
            rim.is_open[state as usize] = false;
            rim.judge(&mut model)?;
        }
    }
}

/// The task in which the agent chooses the outcomes, for estimates of states of `task`.
pub(crate) fn kind_task(task: &ChanceTask, budget: &Budget) -> Result<SearchTask, TaskError> {
    let start = task.project(&task.starts()[0].1)?;
    let kind = SearchTask::new(task.searched(), &start, Determinization::AllOutcomes, budget)?;
    Ok(kind.for_any_state())
}

/// The states that were not expanded.
struct Rim<'k> {
    /// By state.
    is_open: Vec<bool>,
    estimator: Estimator<'k>,
    projection: Projection,
}

impl Rim<'_> {
    /// Judges the states that are new.
    fn judge(&mut self, model: &mut Model<'_>) -> Result<(), TaskError> {
        for state in self.is_open.len() as u32..model.len() as u32 {
            let walker = model.go_to(state)?;
            let is_goal = walker.is_goal();
            let estimate = self.estimator.estimate(&self.projection.of(walker.state())?)?;
            let worth = estimate.map_or(Worth::NOTHING, |paid| Worth {
                probability: 1.0,
                paid,
            });
            model.ends[state as usize] = Some(if is_goal { Worth::GOAL } else { worth });
            self.is_open.push(estimate.is_some() && !is_goal);
        }
        Ok(())
    }

    /// The states of the rim that the chosen actions reach, ascending.
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
