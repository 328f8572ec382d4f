//! UCT: looking ahead by sampling.

use std::hash::Hasher as _;
use std::sync::Arc;

use fxhash::FxHasher;
use herbrand_core::Random;
use herbrand_ground::ActionId;
use herbrand_limits::{Budget, Spent};
use herbrand_step::{State, StateStore, Walker};

use super::kind::{PolicyOptions, UctLeaf};
use super::lao::kind_task;
use super::policy::{Policy, PolicyValue};
use super::task::ChanceTask;
use crate::heuristic::{Additive, CostUse, Estimate, Heuristic as _, Visit};
use crate::projection::Projection;
use crate::task::{SearchTask, TaskError};

/// UCT (Kocsis and Szepesvári 2006, "Bandit based Monte-Carlo planning"): samples walks from the state, choosing at each
/// state that was seen before the action with the highest upper confidence bound (UCB1), and takes the action that did best.
///
/// A walk ends at the first state that is new. There it is worth `discount` to the power of the length of a relaxed plan,
/// for a goal is rarely found by chance; as PROST does (Keller and Eyerich 2012), this is in place of a random walk to the
/// end, which [`UctLeaf`] has too. A step takes the discount off what follows, so that of two sure ways the shorter one is taken. States that are
/// reached in several ways are one. Each decision begins anew and draws what its state and the seed say, so the policy does
/// the same whenever it comes to a state again.
pub(crate) struct Uct {
    task: Arc<ChanceTask>,
    /// Makes relaxed plans.
    kind: SearchTask,
    projection: Projection,
    options: PolicyOptions,
    budget: Budget,
}

impl Uct {
    pub(crate) fn new(
        task: Arc<ChanceTask>,
        options: &PolicyOptions,
        budget: &Budget,
    ) -> Result<Self, TaskError> {
        let kind = kind_task(&task, budget)?;
        // Made now, so that decisions do not pay for it.
        kind.relaxation(budget)?;
        Ok(Self {
            projection: Projection::new(task.searched(), kind.simulator()),
            kind,
            task,
            options: *options,
            budget: budget.without_limits(),
        })
    }
}

impl Policy for Uct {
    fn act(&mut self, state: &State) -> Result<Option<ActionId>, TaskError> {
        let state = self.task.project(state)?;
        let mut hasher = FxHasher::default();
        state.words().iter().for_each(|&word| hasher.write_u64(word));
        let mut search = Search {
            walker: self.task.searched().walker(),
            kind: self.kind.simulator().walker(),
            heuristic: Additive::new(&self.kind, CostUse::One, Estimate::RelaxedPlan, &self.budget)?,
            task: &self.kind,
            projection: &self.projection,
            options: &self.options,
            chance: Random::new(self.options.seed).stream(hasher.finish()),
            store: StateStore::new(state.words().len()),
            nodes: Vec::new(),
            arms: 0,
            path: Vec::new(),
        };
        search.walker.set_state(&state)?;
        if search.walker.is_goal() {
            return Ok(None);
        }
        search.find()?;
        let decision = Budget::new(self.options.decision);
        for _ in 0..self.options.iterations {
            self.budget.check("looking ahead", search.bytes())?;
            match decision.check("looking ahead", search.bytes()) {
                Err(Spent::Time { .. } | Spent::Memory { .. }) => break,
                checked => checked?,
            }
            search.sample(&state)?;
        }
        Ok(search.best())
    }

    fn value(&self) -> Option<PolicyValue> {
        None
    }
}

/// A state that was seen.
struct Node {
    visits: u32,
    /// Empty in a goal state and in a dead end.
    arms: Vec<Arm>,
    /// What it is worth before anything was tried.
    estimate: f64,
}

/// An action of a state.
#[derive(Clone, Copy)]
struct Arm {
    action: ActionId,
    visits: u32,
    /// The sum of what walks were worth that took it.
    total: f64,
}

struct Search<'u> {
    walker: Walker,
    /// In the task in which the agent chooses outcomes.
    kind: Walker,
    heuristic: Additive<'u>,
    task: &'u SearchTask,
    projection: &'u Projection,
    options: &'u PolicyOptions,
    chance: Random,
    store: StateStore,
    nodes: Vec<Node>,
    /// How many arms there are.
    arms: usize,
    /// The nodes of a walk, each with the arm that was taken.
    path: Vec<(usize, usize)>,
}

impl Search<'_> {
    /// The node of the walker's state, and whether it is new.
    fn find(&mut self) -> Result<(usize, bool), TaskError> {
        let (number, is_new) = self.store.find_or_insert(self.walker.state().words());
        if is_new {
            let node = self.look()?;
            self.arms += node.arms.len();
            self.nodes.push(node);
        }
        Ok((number, is_new))
    }

    /// Judges the walker's state. Actions of a relaxed plan come first, so that they are tried first.
    fn look(&mut self) -> Result<Node, TaskError> {
        let mut node = Node {
            visits: 0,
            arms: Vec::new(),
            estimate: 0.0,
        };
        if self.walker.is_goal() {
            node.estimate = 1.0;
            return Ok(node);
        }
        self.kind.set_state(&self.projection.of(self.walker.state())?)?;
        let visit = Visit {
            walker: &self.kind,
            state: 0,
            parent: None,
        };
        let mut preferred = Vec::new();
        let Some(length) = self.heuristic.evaluate(visit, &mut preferred) else {
            return Ok(node);
        };
        node.estimate = self.options.discount.powf(length as f64);
        let helpful: Vec<_> = preferred.iter().map(|&action| self.task.origin(action)).collect();
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        for action in self.walker.valid().iter() {
            let arm = Arm {
                action,
                visits: 0,
                total: 0.0,
            };
            if helpful.contains(&action) {
                first.push(arm);
            } else {
                rest.push(arm);
            }
        }
        first.append(&mut rest);
        node.arms = first;
        Ok(node)
    }

    /// One walk, from the state that is the root.
    fn sample(&mut self, root: &State) -> Result<(), TaskError> {
        self.walker.set_state(root)?;
        self.path.clear();
        let mut at = 0;
        let mut worth = loop {
            let node = &self.nodes[at];
            if node.arms.is_empty() {
                break node.estimate;
            }
            if self.path.len() >= self.options.horizon as usize {
                break 0.0;
            }
            let arm = node.choose(self.options.exploration);
            // Counted at once: a walk that comes back to this state takes another action in the end, rather than the same one
            // round and round to the horizon.
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.arms[arm].visits += 1;
            let action = node.arms[arm].action;
            self.path.push((at, arm));
            if self.walker.apply(action, &mut self.chance).is_err() {
                // The effects have no result here.
                break 0.0;
            }
            let (next, is_new) = self.find()?;
            at = next;
            if is_new {
                break self.leaf(at);
            }
        };
        for &(node, arm) in self.path.iter().rev() {
            worth *= self.options.discount;
            self.nodes[node].arms[arm].total += worth;
        }
        Ok(())
    }

    /// What the walker's state is worth, which is new and has this node. A random walk leaves the walker elsewhere.
    fn leaf(&mut self, node: usize) -> f64 {
        let node = &self.nodes[node];
        if self.options.leaf == UctLeaf::RelaxedPlan || node.arms.is_empty() {
            return node.estimate;
        }
        let mut worth = 1.0;
        for _ in self.path.len()..self.options.horizon as usize {
            if self.walker.is_goal() {
                return worth;
            }
            worth *= self.options.discount;
            let Some(action) = self.walker.sample(&mut self.chance) else {
                break;
            };
            if self.walker.apply(action, &mut self.chance).is_err() {
                break;
            }
        }
        0.0
    }

    /// The action of the root with the highest mean; `None` if none was worth anything.
    fn best(&self) -> Option<ActionId> {
        let tried = self.nodes[0].arms.iter().filter(|arm| arm.total > 0.0);
        // The first of equals, in the order of the text.
        tried
            .max_by(|one, other| {
                let by_mean = one.mean().total_cmp(&other.mean());
                by_mean.then(other.action.cmp(&one.action))
            })
            .map(|arm| arm.action)
    }

    fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.arms * size_of::<Arm>();
        (nodes + self.store.bytes()) as u64
    }
}

impl Arm {
    fn mean(&self) -> f64 {
        self.total / f64::from(self.visits.max(1))
    }
}

impl Node {
    /// The first arm that was never taken, or else the one with the highest upper confidence bound.
    fn choose(&self, exploration: f64) -> usize {
        let log = f64::from(self.visits.max(1)).ln();
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        for (index, arm) in self.arms.iter().enumerate() {
            if arm.visits == 0 {
                return index;
            }
            let bound = arm.mean() + exploration * (log / f64::from(arm.visits)).sqrt();
            if bound > highest {
                (best, highest) = (index, bound);
            }
        }
        best
    }
}
