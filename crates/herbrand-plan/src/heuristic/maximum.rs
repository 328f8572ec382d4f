//! The maximum heuristic.

use herbrand_ground::ActionId;
use herbrand_limits::{Budget, Spent};

use super::queue::FactQueue;
use super::{CostUse, Heuristic, Visit};
use crate::relax::Relaxation;
use crate::task::SearchTask;

/// The maximum heuristic (Bonet and Geffner 2001): a set of facts costs what its most expensive fact costs in the delete
/// relaxation. Admissible.
#[derive(Debug)]
pub(crate) struct Maximum<'t> {
    relaxation: &'t Relaxation,
    /// By operator.
    costs: Vec<u32>,
    /// By operator: how many preconditions it has.
    needs: Vec<u32>,
    /// By operator: how many of them have not been reached.
    left: Vec<u32>,
    /// By fact.
    reached: Vec<u32>,
    queue: FactQueue,
}

/// The cost of a fact that has not been reached.
const FAR: u32 = u32::MAX;

impl<'t> Maximum<'t> {
    pub(crate) fn new(task: &'t SearchTask, budget: &Budget) -> Result<Self, Spent> {
        let relaxation = task.relaxation(budget)?;
        let needs = relaxation.preconditions.iter().map(|row| row.len() as u32);
        Ok(Self {
            relaxation,
            costs: relaxation.operator_costs(|action| CostUse::Plain.of(task, action)),
            needs: needs.collect(),
            left: Vec::new(),
            reached: vec![FAR; relaxation.facts],
            queue: FactQueue::default(),
        })
    }
}

impl Heuristic for Maximum<'_> {
    fn evaluate(&mut self, visit: Visit<'_>, _: &mut Vec<ActionId>) -> Option<u64> {
        let Self {
            relaxation,
            costs,
            needs,
            left,
            reached,
            queue,
        } = self;
        left.clone_from(needs);
        reached.fill(FAR);
        queue.clear();
        relaxation.each_true(visit.walker, |fact| {
            reached[fact as usize] = 0;
            queue.push(0, fact);
        });
        while let Some((cost, fact)) = queue.pop() {
            if cost > reached[fact as usize] {
                continue;
            }
            if fact == relaxation.goal {
                return Some(u64::from(cost));
            }
            for &operator in relaxation.readers.row(fact) {
                let left = &mut left[operator as usize];
                *left -= 1;
                if *left > 0 {
                    continue;
                }
                // Facts come in ascending order of cost, so the last precondition is the most expensive one.
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
