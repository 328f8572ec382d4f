//! Heuristics: estimates of the cost from a state to the goal.

mod additive;
mod exploration;
mod landmark_cut;
mod maximum;
mod queue;

use herbrand_ground::ActionId;
use herbrand_limits::{Budget, Spent};
use herbrand_step::Walker;

use crate::task::SearchTask;

pub(crate) use additive::{Additive, Estimate};
pub(crate) use landmark_cut::LandmarkCut;
pub(crate) use maximum::Maximum;

/// An estimate of the cost from a state to the goal.
pub(crate) trait Heuristic {
    /// The estimate for the walker's state; `None` if it is a dead end for certain. Adds the actions that look promising
    /// to `preferred`, if the heuristic has an opinion on that: only valid ones, each once.
    fn evaluate(&mut self, visit: Visit<'_>, preferred: &mut Vec<ActionId>) -> Option<u64>;

    /// The bytes that it holds and that grow with the search.
    fn bytes(&self) -> usize {
        0
    }
}

/// A state that is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Visit<'a> {
    /// A walker in the state.
    pub(crate) walker: &'a Walker,
    /// The number of the state.
    pub(crate) state: u32,
    /// The number of the state from which it was reached; none for the first one.
    pub(crate) parent: Option<u32>,
}

/// What heuristics take an action to cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CostUse {
    /// 1, whatever it does: finds plans soon.
    One,
    /// What it costs plus 1: finds cheap plans without being drawn into long chains of actions that cost nothing.
    PlusOne,
    /// What it costs: admissible heuristics need that.
    Plain,
}

/// No action counts as more, so that sums stay within 32 bits for thousands of actions. Taking an action for cheaper than it is keeps a
/// heuristic admissible.
const MOST: u64 = 1 << 20;

impl CostUse {
    /// What an action of a task is taken to cost.
    pub(crate) fn of(self, task: &SearchTask, action: ActionId) -> u32 {
        let cost = task.costs().least(action).min(MOST) as u32;
        match self {
            Self::One => 1,
            Self::PlusOne => cost + 1,
            Self::Plain => cost,
        }
    }
}

/// The blind heuristic: 0 in goal states, the cost of the cheapest action elsewhere.
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
    fn evaluate(&mut self, visit: Visit<'_>, _: &mut Vec<ActionId>) -> Option<u64> {
        Some(if visit.walker.is_goal() { 0 } else { self.cheapest })
    }
}

/// Which admissible heuristic A* uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Admissible {
    /// None to speak of: the cost of the cheapest action.
    Blind,
    /// The cost of the most expensive fact that is needed, in the delete relaxation (Bonet and Geffner 2001).
    Maximum,
    /// The sum over disjunctive action landmarks that are cuts in the justification graph (Helmert and Domshlak 2009).
    LandmarkCut,
}

impl Admissible {
    pub(crate) fn heuristic<'t>(
        self,
        task: &'t SearchTask,
        budget: &Budget,
    ) -> Result<Box<dyn Heuristic + 't>, Spent> {
        Ok(match self {
            Self::Blind => Box::new(Blind::new(task)),
            Self::Maximum => Box::new(Maximum::new(task, budget)?),
            Self::LandmarkCut => Box::new(LandmarkCut::new(task, budget)?),
        })
    }
}
