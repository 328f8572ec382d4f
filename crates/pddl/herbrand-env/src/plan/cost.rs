//! The cost of a walk, step by step.

use std::collections::VecDeque;

use herbrand_pddl::MetricDirection;
use herbrand_step::{Simulator, StepError};

use super::validate::{Ways, advance, initial, mean_metric};

/// The number of last lengths of the walk whose states are kept. A walk that is cut to one of them needs no restart.
const MARKS: usize = 64;

/// The value of a metric that is to be minimised after each step of a walk from the initial state. [`of`](Self::of) makes
/// one. A step takes the time of one step of the engine, whatever the length of the walk.
#[derive(Clone, Debug)]
pub struct WalkCost {
    simulator: Simulator,
    /// The possible states after each of the last lengths of the walk, the whole walk last.
    marks: VecDeque<Ways>,
    /// The cost after each number of steps, from 0.
    costs: Vec<Option<f64>>,
}

impl WalkCost {
    /// Starts a walk without steps; `None` if the problem has no metric that is to be minimised.
    ///
    /// # Errors
    /// Fails if the initial state has too many outcomes to enumerate.
    pub fn of(simulator: &Simulator) -> Result<Option<Self>, StepError> {
        let Some((MetricDirection::Minimize, _)) = simulator.task().metric else {
            return Ok(None);
        };
        let mut walk = Self {
            simulator: simulator.clone(),
            marks: VecDeque::new(),
            costs: Vec::new(),
        };
        walk.mark(initial(simulator)?);
        Ok(Some(walk))
    }

    /// Returns the number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.costs.len().saturating_sub(1)
    }

    /// Returns the cost of the walk. `None` if the metric has no value, a step is not an operator that can be executed, or
    /// random draws leave several states.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        self.costs.last().copied().flatten()
    }

    /// Adds a step, an operator in PDDL syntax.
    pub fn push(&mut self, operator: &str) {
        let next = self.marks.back().and_then(|ways| {
            let action = self.simulator.parse_action(operator).ok()?;
            advance(&self.simulator, ways, action, &mut |_| {}).ok()
        });
        // Without a possible state, the cost of longer walks is unknown, too.
        self.mark(next.filter(|ways| ways.len() == 1).unwrap_or_default());
    }

    /// Cuts the walk to at most this number of steps. If many steps are cut, none remains: see [`steps`](Self::steps).
    pub fn cut(&mut self, steps: usize) {
        let surplus = self.steps().saturating_sub(steps);
        if surplus > 0 && surplus >= self.marks.len() {
            self.costs.clear();
            self.marks.clear();
            let start = initial(&self.simulator).unwrap_or_default();
            self.mark(start);
        } else {
            self.costs.truncate(self.costs.len() - surplus);
            self.marks.truncate(self.marks.len() - surplus);
        }
    }

    fn mark(&mut self, ways: Ways) {
        let cost = (ways.len() == 1).then(|| mean_metric(&self.simulator, &ways, self.costs.len()));
        self.costs.push(cost.flatten());
        self.marks.push_back(ways);
        if self.marks.len() > MARKS {
            self.marks.pop_front();
        }
    }
}

/// Returns the value of a metric that is to be minimised after these operators, executed from the initial state. `None` if
/// the problem has no such metric, the metric has no value, a step is not an operator that can be executed, or random draws
/// leave several states. Takes time linear in the number of operators; [`WalkCost`] follows a walk that grows.
pub fn cost_after<'o>(simulator: &Simulator, operators: impl IntoIterator<Item = &'o str>) -> Option<f64> {
    let mut walk = WalkCost::of(simulator).ok()??;
    operators.into_iter().for_each(|operator| walk.push(operator));
    walk.cost()
}
