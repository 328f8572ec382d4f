//! Ranks of facts, by which ties between preconditions are broken.

use super::{LandmarkCut, Landmarks};
use crate::task::SearchTask;

/// An order of facts. Any of the most expensive preconditions of an operator can be its supporter, and another choice gives
/// another estimate. No order is best for all tasks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// Facts with higher numbers are preferred.
    Late,
    /// Facts with lower numbers are preferred: goals first.
    Early,
    /// Facts that fewer operators need are preferred.
    FewReaders,
    /// Facts that more operators add are preferred.
    ManyAchievers,
}

const ORDERS: [Order; 4] = [Order::Late, Order::Early, Order::FewReaders, Order::ManyAchievers];

impl LandmarkCut<'_> {
    /// Ranks the facts by the order that gives the start state of the task the highest estimate; by the first such order.
    pub(super) fn choose_ranks(&mut self, task: &SearchTask) {
        let mut walker = task.simulator().walker();
        let went = walker.set_words(task.start().words());
        debug_assert!(went.is_ok(), "the start is a state of the task");
        let mut best = None;
        for order in ORDERS {
            self.ranks = self.by(order);
            let estimate = self.refine(&walker, &mut Landmarks::default());
            if best.as_ref().is_none_or(|(highest, _)| estimate > *highest) {
                best = Some((estimate, self.ranks.clone()));
            }
        }
        if let Some((_, ranks)) = best {
            self.ranks = ranks;
        }
    }

    fn by(&self, order: Order) -> Vec<u32> {
        let rank = |fact: u32| match order {
            Order::Late => fact,
            Order::Early => !fact,
            Order::FewReaders => !(self.relaxation.readers.row(fact).len() as u32),
            Order::ManyAchievers => self.achievers.row(fact).len() as u32,
        };
        (0..self.relaxation.facts as u32).map(rank).collect()
    }
}

#[cfg(test)]
mod tests {
    use herbrand_limits::Budget;
    use proptest::prelude::*;

    use super::*;
    use crate::strategies::any_task;

    proptest! {
        /// The start state gets the highest estimate of all orders, and no order makes a dead end of it alone.
        #[test]
        fn the_order_with_the_highest_estimate_is_chosen(task in any_task()) {
            let mut heuristic = LandmarkCut::new(&task, &Budget::unlimited()).expect("no limit");
            let mut walker = task.simulator().walker();
            walker.set_words(task.start().words()).expect("a state of this task");
            let chosen = heuristic.refine(&walker, &mut Landmarks::default());
            let estimates = ORDERS.map(|order| {
                heuristic.ranks = heuristic.by(order);
                heuristic.refine(&walker, &mut Landmarks::default())
            });
            prop_assert_eq!(Some(chosen), estimates.into_iter().max());
            prop_assert!(estimates.iter().all(|estimate| estimate.is_some() == chosen.is_some()));
        }
    }
}
