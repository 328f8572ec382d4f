//! UCT: looking ahead by sampling.

use std::hash::Hasher as _;
use std::sync::Arc;

use fxhash::FxHasher;
use herbrand_core::Random;
use herbrand_core::uct::{Lookahead, Outlook, Scale, SearchTree, TreeOptions};
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

/// UCT ([`SearchTree`]): samples walks from the state, and takes the action that did best.
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
        let mut chance = Random::new(self.options.seed).stream(hasher.finish());
        let mut walks = Walks {
            walker: self.task.searched().walker(),
            kind: self.kind.simulator().walker(),
            heuristic: Additive::new(&self.kind, CostUse::One, Estimate::RelaxedPlan, &self.budget)?,
            task: &self.kind,
            projection: &self.projection,
            options: &self.options,
            store: StateStore::new(state.words().len()),
            root: &state,
        };
        walks.return_to_root()?;
        if walks.walker.is_goal() {
            return Ok(None);
        }
        let mut tree = SearchTree::new(TreeOptions {
            horizon: self.options.horizon as usize,
            exploration: self.options.exploration,
            discount: self.options.discount,
            scale: Scale::Unit,
        });
        let decision = Budget::new(self.options.decision);
        for _ in 0..self.options.iterations {
            let bytes = (tree.bytes() + walks.store.bytes()) as u64;
            self.budget.check("looking ahead", bytes)?;
            match decision.check("looking ahead", bytes) {
                Err(Spent::Time { .. } | Spent::Memory { .. }) => break,
                checked => checked?,
            }
            tree.walk(&mut walks, &mut chance)?;
        }
        Ok(best(&tree))
    }

    fn value(&self) -> Option<PolicyValue> {
        None
    }
}

/// The action of the root with the highest mean; `None` if none was worth anything.
fn best(tree: &SearchTree) -> Option<ActionId> {
    let tried = tree.arms().iter().filter(|arm| arm.total > 0.0);
    // The first of equals, in the order of the text.
    tried
        .max_by(|one, other| {
            let by_mean = one.mean().total_cmp(&other.mean());
            by_mean.then(other.action.cmp(&one.action))
        })
        .map(|arm| ActionId::from_index(arm.action as usize))
}

/// What walks go through: the states of the task, judged by relaxed plans.
struct Walks<'u> {
    walker: Walker,
    /// In the task in which the agent chooses outcomes.
    kind: Walker,
    heuristic: Additive<'u>,
    task: &'u SearchTask,
    projection: &'u Projection,
    options: &'u PolicyOptions,
    store: StateStore,
    root: &'u State,
}

impl Lookahead for Walks<'_> {
    type Error = TaskError;

    fn return_to_root(&mut self) -> Result<(), TaskError> {
        Ok(self.walker.set_state(self.root)?)
    }

    fn find(&mut self, _depth: usize) -> Result<(usize, bool), TaskError> {
        Ok(self.store.find_or_insert(self.walker.state().words()))
    }

    /// Actions of a relaxed plan come first, so that they are tried first.
    fn look(&mut self, _chance: &mut Random) -> Result<Outlook, TaskError> {
        let mut outlook = Outlook::default();
        if self.walker.is_goal() {
            outlook.worth = 1.0;
            return Ok(outlook);
        }
        self.kind.set_state(&self.projection.of(self.walker.state())?)?;
        let visit = Visit {
            walker: &self.kind,
            state: 0,
            parent: None,
        };
        let mut preferred = Vec::new();
        let Some(length) = self.heuristic.evaluate(visit, &mut preferred) else {
            return Ok(outlook);
        };
        outlook.worth = self.options.discount.powf(length as f64);
        let helpful: Vec<_> = preferred.iter().map(|&action| self.task.origin(action)).collect();
        let valid = self.walker.valid().iter();
        let (first, rest): (Vec<_>, Vec<_>) = valid.partition(|action| helpful.contains(action));
        outlook.actions = first
            .into_iter()
            .chain(rest)
            .map(|action| action.index() as u32)
            .collect();
        Ok(outlook)
    }

    fn step(&mut self, action: u32, chance: &mut Random) -> Result<Option<f64>, TaskError> {
        // Only the goal pays. Effects may have no result here.
        let applied = self.walker.apply(ActionId::from_index(action as usize), chance);
        Ok(applied.is_ok().then_some(0.0))
    }

    /// By the relaxed plan, or by a random walk, which leaves the walker elsewhere.
    fn judge(&mut self, depth: usize, outlook: f64, chance: &mut Random) -> Result<f64, TaskError> {
        if self.options.leaf == UctLeaf::RelaxedPlan {
            return Ok(outlook);
        }
        let mut worth = 1.0;
        for _ in depth..self.options.horizon as usize {
            if self.walker.is_goal() {
                return Ok(worth);
            }
            worth *= self.options.discount;
            let Some(action) = self.walker.sample(chance) else {
                break;
            };
            if self.walker.apply(action, chance).is_err() {
                break;
            }
        }
        Ok(0.0)
    }
}
