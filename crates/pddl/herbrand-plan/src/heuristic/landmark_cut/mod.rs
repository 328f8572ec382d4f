//! The LM-cut heuristic.

mod cut;
mod landmarks;
mod ranks;

use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::Walker;

use super::queue::FactQueue;
use super::{CostUse, Heuristic, StateBatch};
use crate::relax::{DeleteRelaxation, Lists, NONE};
use crate::task::SearchTask;

use cut::Side;
pub(crate) use landmarks::Landmarks;

/// The LM-cut heuristic (Helmert and Domshlak 2009): the sum of the costs of disjunctive action landmarks. Each landmark is
/// a cut between the state and the goal in the justification graph, in which every operator leads from its most expensive
/// precondition to the facts it adds. The cost of a landmark is subtracted from all its actions before the next one is
/// computed.
///
/// The operators of one action (several if it has conditional effects) share one cost: a cost subtracted from one of them is
/// subtracted from all. So each action is paid for once, however many of its effects happen. The heuristic is therefore
/// admissible with conditional effects (Röger, Pommerening and Helmert 2014 discuss this and the accuracy it loses) and with
/// axioms, whose operators cost nothing.
///
/// The landmarks of a state that do not contain an action are landmarks of its successor by that action, too: a plan from
/// the successor, preceded by the action, is a plan from the state (Pommerening and Helmert 2013). An evaluation can start
/// with these, and then looks only for the missing ones.
#[derive(Debug)]
pub(crate) struct LandmarkCut<'t> {
    relaxation: &'t DeleteRelaxation,
    /// For each fact, the operators that add it.
    achievers: Lists,
    /// For each action, its operators.
    operators_of: Lists,
    /// For each operator, its original cost and its number of preconditions.
    costs: Vec<u32>,
    needs: Vec<u32>,
    /// The unit of the costs.
    unit: u64,
    /// For each fact, its rank: of equally expensive preconditions, the one of the highest rank is the supporter.
    ranks: Vec<u32>,
    /// For each operator during an evaluation: its remaining cost; its number of unreached preconditions; its most expensive
    /// precondition, or [`NONE`] if it is unreached; and the cost of that precondition.
    remaining: Vec<u32>,
    left: Vec<u32>,
    supporters: Vec<u32>,
    supporter_costs: Vec<u32>,
    /// The cost of each fact.
    reached: Vec<u32>,
    queue: FactQueue,
    /// For each fact, its side of the cut, and the facts that have one.
    sides: Vec<Side>,
    sided: Vec<u32>,
    open: Vec<u32>,
    /// The operators of a cut.
    cut: Vec<u32>,
    /// The actions of a cut.
    actions: Vec<u32>,
}

/// The cost of an unreached fact.
const FAR: u32 = u32::MAX;

impl<'t> LandmarkCut<'t> {
    pub(crate) fn new(task: &'t SearchTask, budget: &Budget) -> Result<Self, BudgetExhausted> {
        let relaxation = task.relaxation(budget)?;
        let actions = task.simulator().task().actions.len();
        let owners = relaxation
            .actions
            .iter()
            .map(|&action| (action != NONE).then_some(action));
        let mut by_operator = Lists::default();
        owners.for_each(|owner| by_operator.push(owner));
        let operators = relaxation.operators();
        let needs = relaxation.preconditions.iter().map(|row| row.len() as u32);
        let achievers = relaxation.adds.transposed(relaxation.facts);
        let mut heuristic = Self {
            relaxation,
            achievers,
            ranks: Vec::new(),
            operators_of: by_operator.transposed(actions),
            costs: relaxation.operator_costs(|action| CostUse::Plain.of(task, action)),
            needs: needs.collect(),
            unit: CostUse::Plain.unit(task),
            remaining: vec![0; operators],
            left: vec![0; operators],
            supporters: vec![NONE; operators],
            supporter_costs: vec![0; operators],
            reached: vec![FAR; relaxation.facts],
            queue: FactQueue::default(),
            sides: vec![Side::Neither; relaxation.facts],
            sided: Vec::new(),
            open: Vec::new(),
            cut: Vec::new(),
            actions: Vec::new(),
        };
        heuristic.choose_ranks(task);
        Ok(heuristic)
    }

    /// Returns the unit of the costs of landmarks.
    pub(crate) const fn unit(&self) -> u64 {
        self.unit
    }

    /// Returns the estimate for the walker's state; `None` for a dead end. `landmarks` has the known landmarks of the
    /// state, and gets the new ones.
    pub(crate) fn refine(&mut self, walker: &Walker, landmarks: &mut Landmarks) -> Option<u64> {
        self.remaining.copy_from_slice(&self.costs);
        let mut total = 0;
        for (price, actions) in landmarks.iter() {
            total += u64::from(price);
            for &action in actions {
                for &number in self.operators_of.row(action) {
                    self.remaining[number as usize] -= price;
                }
            }
        }
        self.explore(walker);
        let goal = self.relaxation.goal as usize;
        if self.reached[goal] == FAR {
            return None;
        }
        while self.reached[goal] > 0 {
            self.find_cut();
            let price = self.pay();
            if price == 0 {
                // This can only happen if costs overflow their integer type.
                break;
            }
            landmarks.push(price, &self.actions);
            total += u64::from(price);
            self.update();
        }
        Some(total * self.unit)
    }

    /// Computes the cost of every fact, or finds that the goal costs nothing.
    fn explore(&mut self, walker: &Walker) {
        self.left.copy_from_slice(&self.needs);
        self.supporters.fill(NONE);
        self.reached.fill(FAR);
        self.queue.clear();
        let relaxation = self.relaxation;
        let (reached, queue) = (self.reached.as_mut_slice(), &mut self.queue);
        let ranks = self.ranks.as_slice();
        let (left, supporters) = (self.left.as_mut_slice(), self.supporters.as_mut_slice());
        relaxation.each_true(walker, |fact| {
            reached[fact as usize] = 0;
            queue.push(0, fact);
        });
        while let Some((cost, fact)) = queue.pop() {
            if cost > reached[fact as usize] {
                continue;
            }
            if cost == 0 && fact == relaxation.goal {
                return;
            }
            for &number in relaxation.readers.row(fact) {
                let operator = number as usize;
                left[operator] -= 1;
                if left[operator] > 0 {
                    continue;
                }
                // Facts are processed in ascending order of cost, so the last precondition is the most expensive one.
                let needed = relaxation.preconditions.row(number).iter();
                let equal = needed.filter(|&&fact| reached[fact as usize] == cost);
                let highest = equal.max_by_key(|&&fact| ranks[fact as usize]);
                supporters[operator] = highest.copied().unwrap_or(fact);
                self.supporter_costs[operator] = cost;
                let added = sum(cost, self.remaining[operator]);
                relax(relaxation.adds.row(number), added, reached, queue);
            }
        }
    }

    /// Subtracts the cost of the cut from all operators of its actions, and returns it. Afterwards `actions` has the actions
    /// of the cut, and `cut` the reached operators among theirs.
    fn pay(&mut self) -> u32 {
        let prices = self.cut.iter().map(|&number| self.remaining[number as usize]);
        let price = prices.min().unwrap_or(0);
        self.actions.clear();
        let owners = self
            .cut
            .iter()
            .map(|&number| self.relaxation.actions[number as usize]);
        self.actions.extend(owners);
        self.actions.sort_unstable();
        self.actions.dedup();
        self.cut.clear();
        for &action in &self.actions {
            for &number in self.operators_of.row(action) {
                self.remaining[number as usize] -= price;
                if self.supporters[number as usize] != NONE {
                    self.cut.push(number);
                }
            }
        }
        price
    }

    /// Updates the costs of facts after operators have become cheaper.
    fn update(&mut self) {
        let relaxation = self.relaxation;
        let (reached, queue) = (self.reached.as_mut_slice(), &mut self.queue);
        let (supporters, remaining) = (self.supporters.as_mut_slice(), self.remaining.as_slice());
        for &number in &self.cut {
            let added = sum(self.supporter_costs[number as usize], remaining[number as usize]);
            relax(relaxation.adds.row(number), added, reached, queue);
        }
        while let Some((cost, fact)) = queue.pop() {
            if cost > reached[fact as usize] {
                continue;
            }
            for &number in relaxation.readers.row(fact) {
                let operator = number as usize;
                let before = self.supporter_costs[operator];
                // An unreached operator has no supporter.
                if supporters[operator] != fact || before <= cost {
                    continue;
                }
                let needed = relaxation.preconditions.row(number).iter();
                let prices = needed.map(|&fact| (reached[fact as usize], self.ranks[fact as usize], fact));
                if let Some((price, _, fact)) = prices.max() {
                    supporters[operator] = fact;
                    self.supporter_costs[operator] = price;
                }
                if self.supporter_costs[operator] < before {
                    let added = sum(self.supporter_costs[operator], remaining[operator]);
                    relax(relaxation.adds.row(number), added, reached, queue);
                }
            }
        }
    }
}

/// Returns the cost of the facts that an operator adds: that of its supporter and its own.
#[inline]
fn sum(supporter: u32, operator: u32) -> u32 {
    supporter.saturating_add(operator).min(FAR - 1)
}

/// Lowers the costs of facts to `cost`.
#[inline]
fn relax(adds: &[u32], cost: u32, reached: &mut [u32], queue: &mut FactQueue) {
    for &add in adds {
        if cost < reached[add as usize] {
            reached[add as usize] = cost;
            queue.push(cost, add);
        }
    }
}

impl Heuristic for LandmarkCut<'_> {
    fn estimate(&mut self, batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>) {
        batch.each(estimates, |walker| self.refine(walker, &mut Landmarks::default()));
    }

    fn is_admissible(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use herbrand_core::{Random, uniform_below};
    use proptest::prelude::*;

    use super::cut::tests::web;
    use super::*;
    use crate::strategies::any_task;

    /// The number of states of a walk.
    const STATES: usize = 12;

    /// Checks that an estimate is the sum of the prices of its landmarks, and that these leave nothing to pay: each operator has
    /// its cost without their prices, and the goal costs nothing any more.
    fn check_paid(
        heuristic: &mut LandmarkCut<'_>,
        walker: &Walker,
        landmarks: &Landmarks,
        estimate: u64,
    ) -> Result<(), TestCaseError> {
        let sum: u64 = landmarks.iter().map(|(price, _)| u64::from(price)).sum();
        prop_assert_eq!(estimate, sum * heuristic.unit);
        for (number, action) in heuristic.relaxation.actions.iter().enumerate() {
            let own = landmarks.iter().filter(|(_, actions)| actions.contains(action));
            let paid: u32 = own.map(|(price, _)| price).sum();
            prop_assert!(
                paid <= heuristic.costs[number],
                "an action is paid for more than once"
            );
            prop_assert_eq!(heuristic.remaining[number], heuristic.costs[number] - paid);
        }
        heuristic.explore(walker);
        prop_assert_eq!(heuristic.reached[heuristic.relaxation.goal as usize], 0);
        Ok(())
    }

    /// Compares along a walk, on which each state begins with the landmarks of the state before that do not contain the action.
    fn check(task: &SearchTask, seed: u64) -> Result<(), TestCaseError> {
        let mut heuristic = LandmarkCut::new(task, &Budget::unlimited()).expect("no limit");
        let mut walker = task.simulator().walker();
        walker
            .set_words(task.start().words())
            .expect("a state of this task");
        let mut random = Random::new(seed);
        let mut landmarks = Landmarks::default();
        for _ in 0..STATES {
            let before = landmarks.clone();
            let Some(estimate) = heuristic.refine(&walker, &mut landmarks) else {
                break;
            };
            prop_assert!(landmarks.words().starts_with(before.words()));
            check_paid(&mut heuristic, &walker, &landmarks, estimate)?;
            let valid: Vec<_> = walker.valid().iter().collect();
            let Some(last) = valid.len().checked_sub(1) else {
                break;
            };
            let action = valid[uniform_below(&mut random, last as u32 + 1) as usize];
            if walker.apply(action, &mut random).is_err() {
                break;
            }
            let all = std::mem::take(&mut landmarks);
            landmarks.extend_without(all.words(), action);
            let kept = all
                .iter()
                .filter(|(_, actions)| !actions.contains(&action.number()));
            prop_assert!(landmarks.iter().eq(kept));
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn landmarks_of_the_state_before_are_completed(task in any_task(), seed in any::<u64>()) {
            check(&task, seed)?;
        }

        /// Here, most actions cost something, and landmarks have prices above 1.
        #[test]
        fn dear_landmarks_of_the_state_before_are_completed(
            facts in 4..12_u32,
            actions in 6..30_u32,
            seed in any::<u64>(),
        ) {
            check(&web(facts, actions, seed), seed)?;
        }
    }
}
