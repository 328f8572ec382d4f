//! The max heuristic.

use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::Walker;

use super::queue::FactQueue;
use super::{CostUse, Heuristic, StateBatch};
use crate::relax::DeleteRelaxation;
use crate::task::SearchTask;

/// The max heuristic h^max (Bonet and Geffner 2001): the cost of a set of facts is the cost of its most expensive fact in
/// the delete relaxation. It is admissible.
#[derive(Debug)]
pub(crate) struct Maximum<'t> {
    relaxation: &'t DeleteRelaxation,
    /// The cost of each operator.
    costs: Vec<u32>,
    /// The unit of the costs.
    unit: u64,
    /// For each operator, its number of preconditions.
    needs: Vec<u32>,
    /// For each operator, its number of unreached preconditions.
    left: Vec<u32>,
    /// The cost of each fact.
    reached: Vec<u32>,
    queue: FactQueue,
}

/// The cost of an unreached fact.
const FAR: u32 = u32::MAX;

impl<'t> Maximum<'t> {
    pub(crate) fn new(task: &'t SearchTask, budget: &Budget) -> Result<Self, BudgetExhausted> {
        let relaxation = task.relaxation(budget)?;
        let needs = relaxation.preconditions.iter().map(|row| row.len() as u32);
        Ok(Self {
            relaxation,
            costs: relaxation.operator_costs(|action| CostUse::Plain.of(task, action)),
            unit: CostUse::Plain.unit(task),
            needs: needs.collect(),
            left: Vec::new(),
            reached: vec![FAR; relaxation.facts],
            queue: FactQueue::default(),
        })
    }

    fn evaluate(&mut self, walker: &Walker) -> Option<u64> {
        let Self {
            relaxation,
            costs,
            unit,
            needs,
            left,
            reached,
            queue,
        } = self;
        left.clone_from(needs);
        reached.fill(FAR);
        queue.clear();
        relaxation.each_true(walker, |fact| {
            reached[fact as usize] = 0;
            queue.push(0, fact);
        });
        while let Some((cost, fact)) = queue.pop() {
            if cost > reached[fact as usize] {
                continue;
            }
            if fact == relaxation.goal {
                return Some(u64::from(cost) * *unit);
            }
            for &operator in relaxation.readers.row(fact) {
                let left = &mut left[operator as usize];
                *left -= 1;
                if *left > 0 {
                    continue;
                }
                // Facts are processed in ascending order of cost, so the last precondition is the most expensive one.
                let added = cost.saturating_add(costs[operator as usize]).min(FAR - 1);
                for &add in relaxation.adds.row(operator) {
                    if added < reached[add as usize] {
                        reached[add as usize] = added;
                        queue.push(added, add);
                    }
                }
            }
        }
        None
    }
}

impl Heuristic for Maximum<'_> {
    fn estimate(&mut self, batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>) {
        batch.each(estimates, |walker| self.evaluate(walker));
    }

    fn is_admissible(&self) -> bool {
        true
    }
}
