//! The LM-cut heuristic.

use herbrand_ground::ActionId;
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::Walker;

use super::queue::FactQueue;
use super::{CostUse, Heuristic, Visit};
use crate::relax::{Lists, NONE, Relaxation};
use crate::task::SearchTask;

/// The LM-cut heuristic (Helmert and Domshlak 2009): the sum of the costs of disjunctive action landmarks. Each landmark is
/// a cut between the state and the goal in the justification graph, in which every operator leads from its most expensive
/// precondition to the facts it adds. The cost of a landmark is subtracted from all its actions before the next one is
/// computed.
///
/// The operators of one action (several if it has conditional effects) share one cost: a cost subtracted from one of them is
/// subtracted from all. So each action is paid for once, however many of its effects happen. The heuristic is therefore
/// admissible with conditional effects (Röger, Pommerening and Helmert 2014 discuss this and the accuracy it loses) and with
/// axioms, whose operators cost nothing.
#[derive(Debug)]
pub(crate) struct LandmarkCut<'t> {
    relaxation: &'t Relaxation,
    /// For each fact, the operators that add it.
    achievers: Lists,
    /// For each action, its operators.
    operators_of: Lists,
    /// For each operator, its original cost.
    costs: Vec<u32>,
    /// The unit of the costs.
    unit: u64,
    /// For each operator, its number of preconditions.
    needs: Vec<u32>,
    /// The state of each operator during an evaluation.
    operators: Vec<Operator>,
    /// The cost of each fact.
    reached: Vec<u32>,
    /// For each fact, its side of the cut.
    sides: Vec<Side>,
    queue: FactQueue,
    open: Vec<u32>,
    cut: Vec<u32>,
    /// The actions of a cut.
    actions: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Operator {
    /// The remaining cost.
    cost: u32,
    /// The number of unreached preconditions.
    left: u32,
    /// The most expensive precondition; `supporter_cost` is its cost.
    supporter: u32,
    supporter_cost: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Neither,
    /// Reachable without crossing the cut.
    Start,
    /// The goal follows from it at no cost.
    Goal,
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
        let needs: Vec<u32> = relaxation
            .preconditions
            .iter()
            .map(|row| row.len() as u32)
            .collect();
        Ok(Self {
            relaxation,
            achievers: relaxation.adds.transposed(relaxation.facts),
            operators_of: by_operator.transposed(actions),
            costs: relaxation.operator_costs(|action| CostUse::Plain.of(task, action)),
            unit: CostUse::Plain.unit(task),
            operators: Vec::with_capacity(needs.len()),
            needs,
            reached: vec![FAR; relaxation.facts],
            sides: vec![Side::Neither; relaxation.facts],
            queue: FactQueue::default(),
            open: Vec::new(),
            cut: Vec::new(),
            actions: Vec::new(),
        })
    }

    /// Computes the cost of every fact.
    fn explore(&mut self, walker: &Walker) {
        self.operators.clear();
        let fresh = self.costs.iter().zip(&self.needs).map(|(&cost, &left)| Operator {
            cost,
            left,
            supporter: NONE,
            supporter_cost: 0,
        });
        self.operators.extend(fresh);
        self.reached.fill(FAR);
        let Self {
            relaxation,
            operators,
            reached,
            queue,
            ..
        } = self;
        relaxation.each_true(walker, |fact| {
            reached[fact as usize] = 0;
            queue.push(0, fact);
        });
        while let Some((cost, fact)) = queue.pop() {
            if cost > reached[fact as usize] {
                continue;
            }
            for &number in relaxation.readers.row(fact) {
                let operator = &mut operators[number as usize];
                operator.left -= 1;
                if operator.left > 0 {
                    continue;
                }
                // Facts are processed in ascending order of cost, so the last precondition is the most expensive one.
                (operator.supporter, operator.supporter_cost) = (fact, cost);
                let added = operator.total();
                relax(relaxation.adds.row(number), added, reached, queue);
            }
        }
    }

    /// Marks the facts from which the goal follows at no cost.
    fn mark_goal_side(&mut self) {
        let goal = self.relaxation.goal;
        self.sides[goal as usize] = Side::Goal;
        self.open.push(goal);
        while let Some(fact) = self.open.pop() {
            for &number in self.achievers.row(fact) {
                let operator = self.operators[number as usize];
                if operator.left > 0 || operator.cost > 0 {
                    continue;
                }
                let side = &mut self.sides[operator.supporter as usize];
                if *side != Side::Goal {
                    *side = Side::Goal;
                    self.open.push(operator.supporter);
                }
            }
        }
    }

    /// Finds the operators that lead into the goal side from facts that are reachable without them.
    fn find_cut(&mut self, walker: &Walker) {
        let Self {
            relaxation,
            operators,
            sides,
            open,
            cut,
            ..
        } = self;
        cut.clear();
        relaxation.each_true(walker, |fact| {
            sides[fact as usize] = Side::Start;
            open.push(fact);
        });
        while let Some(fact) = open.pop() {
            for &number in relaxation.readers.row(fact) {
                let operator = &operators[number as usize];
                if operator.left > 0 || operator.supporter != fact {
                    continue;
                }
                let adds = relaxation.adds.row(number);
                if adds.iter().any(|&add| sides[add as usize] == Side::Goal) {
                    cut.push(number);
                    continue;
                }
                for &add in adds {
                    let side = &mut sides[add as usize];
                    if *side == Side::Neither {
                        *side = Side::Start;
                        open.push(add);
                    }
                }
            }
        }
    }

    /// Subtracts the cost of the cut from all operators of its actions, and returns it. Afterwards `cut` contains the
    /// reached operators among them.
    fn pay(&mut self) -> u32 {
        let price = self
            .cut
            .iter()
            .map(|&number| self.operators[number as usize].cost)
            .min();
        let price = price.unwrap_or(0);
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
                let operator = &mut self.operators[number as usize];
                operator.cost -= price;
                if operator.left == 0 {
                    self.cut.push(number);
                }
            }
        }
        price
    }

    /// Updates the costs of facts after operators have become cheaper.
    fn update(&mut self) {
        let Self {
            relaxation,
            operators,
            reached,
            queue,
            cut,
            ..
        } = self;
        for &number in cut.iter() {
            let added = operators[number as usize].total();
            relax(relaxation.adds.row(number), added, reached, queue);
        }
        while let Some((cost, fact)) = queue.pop() {
            if cost > reached[fact as usize] {
                continue;
            }
            for &number in relaxation.readers.row(fact) {
                let operator = &mut operators[number as usize];
                if operator.left > 0 || operator.supporter != fact || operator.supporter_cost <= cost {
                    continue;
                }
                let before = operator.supporter_cost;
                let needed = relaxation.preconditions.row(number).iter();
                let prices = needed.map(|&fact| (reached[fact as usize], fact));
                if let Some((price, fact)) = prices.max() {
                    (operator.supporter, operator.supporter_cost) = (fact, price);
                }
                if operator.supporter_cost < before {
                    let added = operator.total();
                    relax(relaxation.adds.row(number), added, reached, queue);
                }
            }
        }
    }
}

impl Operator {
    /// Returns the cost of the facts that the operator adds.
    fn total(&self) -> u32 {
        self.supporter_cost.saturating_add(self.cost).min(FAR - 1)
    }
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
    fn evaluate(&mut self, visit: Visit<'_>, _: &mut Vec<ActionId>) -> Option<u64> {
        self.explore(visit.walker);
        let goal = self.relaxation.goal as usize;
        if self.reached[goal] == FAR {
            return None;
        }
        let mut total = 0;
        while self.reached[goal] > 0 {
            self.sides.fill(Side::Neither);
            self.mark_goal_side();
            self.find_cut(visit.walker);
            let price = self.pay();
            if price == 0 {
                // This can only happen if costs overflow their integer type.
                break;
            }
            total += u64::from(price);
            self.update();
        }
        Some(total * self.unit)
    }
}
