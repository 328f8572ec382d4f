//! The FF heuristic and the additive heuristic.

use herbrand_ground::ActionId;
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::Walker;

use super::exploration::Exploration;
use super::{CostUse, Heuristic, StateBatch, estimate};
use crate::relax::{DeleteRelaxation, NONE};
use crate::task::SearchTask;

/// The cost of a relaxed plan (FF; Hoffmann and Nebel 2001), with the supporter of each fact chosen by the additive
/// heuristic (Bonet and Geffner 2001; Keyder and Geffner 2008). The valid actions of the relaxed plan are preferred.
#[derive(Debug)]
pub(crate) struct Additive<'t> {
    relaxation: &'t DeleteRelaxation,
    /// The unit of the costs.
    unit: u64,
    estimate: Estimate,
    exploration: Exploration<'t>,
    extraction: Extraction,
}

/// The value that the heuristic returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Estimate {
    /// The cost of the relaxed plan.
    RelaxedPlan,
    /// The additive cost of the goal.
    Sum,
}

/// The data for extracting a relaxed plan.
#[derive(Debug, Default)]
struct Extraction {
    open: Vec<u32>,
    /// For each fact, the number of the last evaluation that marked it.
    marked: Vec<u32>,
    /// For each action, the number of the last evaluation that used it, and how often that plan repeats it.
    used: Vec<(u32, u32)>,
    /// The actions of the relaxed plan.
    plan: Vec<u32>,
    evaluation: u32,
    /// The operators that are not applied exactly once, with their numbers of repetitions, ascending by operator.
    repetitions: Vec<(u32, u32)>,
}

impl<'t> Additive<'t> {
    pub(crate) fn new(
        task: &'t SearchTask,
        costs: CostUse,
        estimate: Estimate,
        budget: &Budget,
    ) -> Result<Self, BudgetExhausted> {
        let relaxation = task.relaxation(budget)?;
        let unit = costs.unit(task);
        let costs = relaxation.operator_costs(|action| costs.of(task, action));
        Ok(Self {
            relaxation,
            unit,
            estimate,
            exploration: Exploration::new(relaxation, costs),
            extraction: Extraction {
                marked: vec![0; relaxation.facts],
                used: vec![(0, 0); task.simulator().task().actions.len()],
                ..Extraction::default()
            },
        })
    }

    /// Returns the facts that the relaxed plan of the last evaluation achieves, including the goal and excluding initially
    /// true facts.
    pub(crate) fn relaxed_facts(&self) -> impl Iterator<Item = u32> + '_ {
        let evaluation = self.extraction.evaluation;
        let marked = self.extraction.marked.iter();
        (0..)
            .zip(marked)
            .filter(move |(_, mark)| **mark == evaluation)
            .map(|(fact, _)| fact)
    }

    /// Extracts a relaxed plan backward from the goal by the cheapest operators, and returns its cost.
    fn extract(&mut self) -> u64 {
        let Extraction {
            open,
            marked,
            used,
            plan,
            evaluation,
            repetitions,
        } = &mut self.extraction;
        open.push(self.relaxation.goal);
        let mut cost = 0;
        while let Some(fact) = open.pop() {
            let operator = self.exploration.supporter(fact);
            if operator == NONE || std::mem::replace(&mut marked[fact as usize], *evaluation) == *evaluation {
                continue;
            }
            open.extend_from_slice(self.relaxation.preconditions.row(operator));
            let action = self.relaxation.actions[operator as usize];
            if action == NONE {
                continue;
            }
            let times = repetitions
                .binary_search_by_key(&operator, |entry| entry.0)
                .map_or(1, |index| repetitions[index].1);
            let (last, before) = &mut used[action as usize];
            if std::mem::replace(last, *evaluation) != *evaluation {
                *before = 0;
                plan.push(action);
            }
            // Operators of one action are applied together, so the action is repeated as often as the most repeated one.
            let more = times.saturating_sub(*before);
            *before += more;
            cost += u64::from(self.exploration.cost(operator)) * u64::from(more);
        }
        cost
    }

    /// Returns the estimate for the walker's state; `None` if it is proven to be a dead end.
    pub(crate) fn evaluate(&mut self, walker: &Walker) -> Option<u64> {
        self.extraction.plan.clear();
        self.extraction.start(self.relaxation, walker);
        if !self.exploration.run(walker, &self.extraction.repetitions) {
            return None;
        }
        let cost = self.extract();
        let coarse = match self.estimate {
            Estimate::RelaxedPlan => cost,
            Estimate::Sum => u64::from(self.exploration.goal_cost()),
        };
        Some(coarse.saturating_mul(self.unit))
    }

    /// Returns the actions of the relaxed plan of the last evaluation that are valid in the walker's state, in any order.
    /// There are none after a dead end.
    pub(crate) fn preferred(&self, walker: &Walker) -> impl Iterator<Item = ActionId> {
        let actions = self.extraction.plan.iter().map(|&action| ActionId::new(action));
        actions.filter(|&action| walker.valid().contains(action))
    }
}

impl Heuristic for Additive<'_> {
    fn estimate(&mut self, batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>) {
        for place in batch.places() {
            estimates.push(estimate(self.evaluate(batch.walker(place))));
            let preferred = self.preferred(batch.walker);
            let start = batch.preferred.len();
            let placed = preferred.map(|action| (place as u32, action));
            batch.preferred.extend(placed);
            // They are tried in the order of the text, because the order of extraction is arbitrary.
            batch.preferred[start..].sort_unstable_by_key(|&(_, action)| action);
        }
    }
}

impl Extraction {
    /// Starts an evaluation.
    fn start(&mut self, relaxation: &DeleteRelaxation, walker: &Walker) {
        if self.evaluation == u32::MAX {
            self.marked.fill(0);
            self.used.fill((0, 0));
            self.evaluation = 0;
        }
        self.evaluation += 1;
        self.repetitions.clear();
        for shift in &relaxation.shifts {
            let times = relaxation.repetitions(shift, walker);
            if times != 1 {
                self.repetitions.push((shift.operator, times));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::heuristic::exploration::MOST;
    use crate::strategies::any_task;

    /// Computes the cost of each fact by the definition: sweeps over all operators until nothing changes.
    fn by_definition(heuristic: &Additive<'_>, walker: &Walker) -> Vec<u32> {
        let relaxation = heuristic.relaxation;
        let mut costs = vec![u32::MAX; relaxation.facts];
        relaxation.each_true(walker, |fact| costs[fact as usize] = 0);
        loop {
            let mut changes = false;
            for operator in 0..relaxation.operators() as u32 {
                let repeated = heuristic.extraction.repetitions.iter();
                let times = repeated.clone().find(|entry| entry.0 == operator);
                let own = heuristic
                    .exploration
                    .cost(operator)
                    .saturating_mul(times.map_or(1, |entry| entry.1));
                let needed = relaxation.preconditions.row(operator).iter();
                let needed: Vec<u32> = needed.map(|&fact| costs[fact as usize]).collect();
                if needed.contains(&u32::MAX) {
                    continue;
                }
                let cost = needed
                    .iter()
                    .fold(own.min(MOST), |sum, &cost| sum.saturating_add(cost).min(MOST));
                for &add in relaxation.adds.row(operator) {
                    if cost < costs[add as usize] {
                        costs[add as usize] = cost;
                        changes = true;
                    }
                }
            }
            if !changes {
                return costs;
            }
        }
    }

    proptest! {
        /// The additive heuristic agrees with its definition, and the relaxed plan reaches the goal.
        #[test]
        fn costs_are_those_of_the_definition(task in any_task(), plus in any::<bool>()) {
            let costs = if plus { CostUse::PlusOne } else { CostUse::One };
            let Ok(mut heuristic) = Additive::new(&task, costs, Estimate::Sum, &Budget::unlimited()) else {
                return Err(TestCaseError::fail("there is no limit"));
            };
            let mut walker = task.simulator().walker();
            let mut rng = herbrand_core::Random::new(1);
            walker.set_state(task.start()).expect("the start is a state of the task");
            for _ in 0..20 {
                let estimate = heuristic.evaluate(&walker);
                let costs = by_definition(&heuristic, &walker);
                let goal = costs[heuristic.relaxation.goal as usize];
                prop_assert_eq!(estimate, (goal != u32::MAX).then_some(u64::from(goal) * heuristic.unit));
                if estimate.is_some() {
                    let mut holds: Vec<bool> = costs.iter().map(|&cost| cost == 0).collect();
                    let plan = heuristic.extraction.plan.clone();
                    prop_assert!(reaches(heuristic.relaxation, &plan, &mut holds));
                }
                let Some(action) = walker.sample(&mut rng) else { break };
                let _ = walker.apply(action, &mut rng);
            }
        }
    }

    /// Returns whether the operators of these actions, and the operators without an action, reach the goal in the
    /// relaxation.
    fn reaches(relaxation: &DeleteRelaxation, plan: &[u32], holds: &mut [bool]) -> bool {
        loop {
            let mut changes = false;
            for (operator, action) in (0..).zip(&relaxation.actions) {
                let needed = relaxation.preconditions.row(operator);
                let happens = *action == NONE || plan.contains(action);
                if happens && needed.iter().all(|&fact| holds[fact as usize]) {
                    for &add in relaxation.adds.row(operator) {
                        changes |= !std::mem::replace(&mut holds[add as usize], true);
                    }
                }
            }
            if !changes {
                return holds[relaxation.goal as usize];
            }
        }
    }
}
