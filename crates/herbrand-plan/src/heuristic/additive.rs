//! The FF heuristic, on the costs of the additive one.

use herbrand_ground::ActionId;
use herbrand_limits::{Budget, Spent};
use herbrand_step::Walker;

use super::queue::FactQueue;
use super::{CostUse, Heuristic, Visit};
use crate::relax::{NONE, Relaxation};
use crate::task::SearchTask;

/// The cost of a relaxed plan (Hoffmann and Nebel 2001), whose operators are chosen by the additive heuristic (Bonet and
/// Geffner 2001; Keyder and Geffner 2008). The actions of the relaxed plan that are valid are preferred.
#[derive(Debug)]
pub(crate) struct Additive<'t> {
    relaxation: &'t Relaxation,
    estimate: Estimate,
    /// By operator, as they are before any fact is reached.
    fresh: Vec<Progress>,
    /// By operator.
    progress: Vec<Progress>,
    /// By operator: its cost, repetitions apart.
    costs: Vec<u32>,
    /// By fact: its cost, and the operator that made it true at that cost.
    reached: Vec<Reached>,
    queue: FactQueue,
    extraction: Extraction,
}

/// What the heuristic returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Estimate {
    /// The cost of the relaxed plan.
    RelaxedPlan,
    /// The additive cost of the goal.
    Sum,
}

#[derive(Clone, Copy, Debug)]
struct Progress {
    /// How many preconditions have not been reached.
    left: u32,
    /// Its own cost and that of the preconditions that have been reached.
    cost: u32,
}

#[derive(Clone, Copy, Debug)]
struct Reached {
    cost: u32,
    supporter: u32,
}

/// The state of a fact that has not been reached.
const FAR: Reached = Reached {
    cost: u32::MAX,
    supporter: NONE,
};

/// Sums end here: facts that cost as much are reached, but not told apart.
const MOST: u32 = u32::MAX - 1;

/// What is needed to take a relaxed plan out.
#[derive(Debug, Default)]
struct Extraction {
    open: Vec<u32>,
    /// By fact: the evaluation that marked it last.
    marked: Vec<u32>,
    /// By action: the evaluation that used it last, and how often its plan repeats it.
    used: Vec<(u32, u32)>,
    /// The actions of the plan.
    plan: Vec<u32>,
    evaluation: u32,
    /// By operator: how often it has to happen, where that is not once.
    repetitions: Vec<(u32, u32)>,
}

impl<'t> Additive<'t> {
    pub(crate) fn new(
        task: &'t SearchTask,
        costs: CostUse,
        estimate: Estimate,
        budget: &Budget,
    ) -> Result<Self, Spent> {
        let relaxation = task.relaxation(budget)?;
        let costs = relaxation.operator_costs(|action| costs.of(task, action));
        let needs = relaxation.preconditions.iter().map(|row| row.len() as u32);
        let fresh: Vec<Progress> = needs
            .zip(&costs)
            .map(|(left, &cost)| Progress { left, cost })
            .collect();
        Ok(Self {
            relaxation,
            estimate,
            progress: fresh.clone(),
            fresh,
            costs,
            reached: vec![FAR; relaxation.facts],
            queue: FactQueue::default(),
            extraction: Extraction {
                marked: vec![0; relaxation.facts],
                used: vec![(0, 0); task.simulator().task().actions.len()],
                ..Extraction::default()
            },
        })
    }

    /// The facts that the last evaluation's relaxed plan goes through, the goal among them, those that were true left out.
    pub(crate) fn relaxed_facts(&self) -> impl Iterator<Item = u32> + '_ {
        let evaluation = self.extraction.evaluation;
        let marked = self.extraction.marked.iter();
        (0..)
            .zip(marked)
            .filter(move |(_, mark)| **mark == evaluation)
            .map(|(fact, _)| fact)
    }

    /// Finds what each fact costs, up to the goal. False if the goal is not reached.
    fn explore(&mut self, walker: &Walker) -> bool {
        let Self {
            relaxation,
            fresh,
            progress,
            reached,
            queue,
            ..
        } = self;
        progress.copy_from_slice(fresh);
        reached.fill(FAR);
        queue.clear();
        for &(operator, times) in &self.extraction.repetitions {
            let cost = &mut progress[operator as usize].cost;
            *cost = cost.saturating_mul(times).min(MOST);
        }
        relaxation.each_true(walker, |fact| {
            reached[fact as usize].cost = 0;
            queue.push(0, fact);
        });
        while let Some((cost, fact)) = queue.pop() {
            if cost > reached[fact as usize].cost {
                continue;
            }
            if fact == relaxation.goal {
                return true;
            }
            for &operator in relaxation.readers.row(fact as usize) {
                let state = &mut progress[operator as usize];
                state.left -= 1;
                state.cost = state.cost.saturating_add(cost).min(MOST);
                if state.left > 0 {
                    continue;
                }
                let cost = state.cost;
                for &add in relaxation.adds.row(operator as usize) {
                    let to = &mut reached[add as usize];
                    if cost < to.cost {
                        *to = Reached {
                            cost,
                            supporter: operator,
                        };
                        queue.push(cost, add);
                    }
                }
            }
        }
        false
    }

    /// Takes a relaxed plan out, going back from the goal by the cheapest operators.
    fn extract(&mut self) -> u64 {
        let Extraction {
            open,
            marked,
            used,
            plan,
            evaluation,
            repetitions,
        } = &mut self.extraction;
        plan.clear();
        open.push(self.relaxation.goal);
        let mut cost = 0;
        while let Some(fact) = open.pop() {
            let operator = self.reached[fact as usize].supporter;
            if operator == NONE || std::mem::replace(&mut marked[fact as usize], *evaluation) == *evaluation {
                continue;
            }
            open.extend_from_slice(self.relaxation.preconditions.row(operator as usize));
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
            // Operators of one action happen together; the action is repeated as often as one of them needs.
            let more = times.saturating_sub(*before);
            *before += more;
            cost += u64::from(self.costs[operator as usize]) * u64::from(more);
        }
        cost
    }
}

impl Heuristic for Additive<'_> {
    fn evaluate(&mut self, visit: Visit<'_>, preferred: &mut Vec<ActionId>) -> Option<u64> {
        self.extraction.start(self.relaxation, visit.walker);
        if !self.explore(visit.walker) {
            return None;
        }
        let cost = self.extract();
        let valid = visit.walker.valid();
        let actions = self.extraction.plan.iter().map(|&action| ActionId::new(action));
        let start = preferred.len();
        preferred.extend(actions.filter(|&action| valid.contains(action)));
        // In the order of the text: the order of extraction is an accident.
        preferred[start..].sort_unstable();
        Some(match self.estimate {
            Estimate::RelaxedPlan => cost,
            Estimate::Sum => u64::from(self.reached[self.relaxation.goal as usize].cost),
        })
    }
}

impl Extraction {
    /// Begins an evaluation.
    fn start(&mut self, relaxation: &Relaxation, walker: &Walker) {
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
