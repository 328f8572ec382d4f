//! Heuristics: estimates of the cost from a state to the goal.

mod additive;
mod batch;
mod exploration;
mod landmark_cut;
mod maximum;
mod queue;

use herbrand_ground::ActionId;
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::Walker;

use crate::task::SearchTask;

pub(crate) use additive::{Additive, Estimate};
pub(crate) use batch::{Answer, estimate, units};
pub use batch::{EstimateError, Heuristic, StateBatch};
pub(crate) use landmark_cut::{LandmarkCut, Landmarks};
pub(crate) use maximum::Maximum;

/// The action costs that a heuristic uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CostUse {
    /// 1 for every action: finds a plan fast.
    One,
    /// The cost plus 1: finds cheap plans, but avoids long chains of zero-cost actions.
    PlusOne,
    /// The cost, as admissible heuristics require.
    Plain,
}

/// The largest cost of an action, so that sums over thousands of actions fit into 32 bits. Underestimating a cost keeps a
/// heuristic admissible.
const MOST: u64 = 1 << 20;

impl CostUse {
    /// Returns the cost of an action for a heuristic.
    pub(crate) fn of(self, task: &SearchTask, action: ActionId) -> u32 {
        let cost = (task.costs().least(action) / task.costs().coarse_unit()).min(MOST) as u32;
        match self {
            Self::One => 1,
            Self::PlusOne => cost + 1,
            Self::Plain => cost,
        }
    }

    /// Returns the number of units of [`StepCosts`](crate::StepCosts) in which [`of`](Self::of) counts.
    pub(crate) fn unit(self, task: &SearchTask) -> u64 {
        match self {
            Self::One => 1,
            Self::PlusOne | Self::Plain => task.costs().coarse_unit(),
        }
    }
}

/// The blind heuristic: 0 in goal states, the minimum action cost in all others.
#[derive(Debug)]
pub(crate) struct Blind {
    cheapest: u64,
}

impl Blind {
    pub(crate) fn new(task: &SearchTask) -> Self {
        let costs = task
            .simulator()
            .task()
            .actions
            .ids()
            .map(|id| task.costs().least(id));
        Self {
            cheapest: costs.min().unwrap_or(0),
        }
    }
}

impl Heuristic for Blind {
    fn estimate(&mut self, batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>) {
        let least = |walker: &Walker| if walker.is_goal() { 0 } else { self.cheapest };
        batch.each(estimates, |walker| Some(least(walker)));
    }

    fn is_admissible(&self) -> bool {
        true
    }
}

/// An admissible heuristic, which never exceeds the cost of a cheapest plan, so that A* with it is optimal. The content
/// of [`PlannerKind::AStar`](crate::PlannerKind::AStar) and
/// [`HeuristicKind::Admissible`](crate::HeuristicKind::Admissible).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Admissible {
    /// The blind heuristic: 0 in goal states, and the minimum action cost in all others.
    Blind,
    /// The max heuristic h^max: the cost of the most expensive fact needed, in the delete relaxation (Bonet and Geffner
    /// 2001).
    Maximum,
    /// The LM-cut heuristic: the sum of the costs of disjunctive action landmarks that are cuts in the justification graph
    /// (Helmert and Domshlak 2009).
    LandmarkCut,
}

impl Admissible {
    pub(crate) fn heuristic<'t>(
        self,
        task: &'t SearchTask,
        budget: &Budget,
    ) -> Result<Box<dyn Heuristic + 't>, BudgetExhausted> {
        Ok(match self {
            Self::Blind => Box::new(Blind::new(task)),
            Self::Maximum => Box::new(Maximum::new(task, budget)?),
            Self::LandmarkCut => Box::new(LandmarkCut::new(task, budget)?),
        })
    }
}
