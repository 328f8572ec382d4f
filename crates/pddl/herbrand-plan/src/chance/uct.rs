//! UCT: planning by sampled walks.

use std::hash::Hasher as _;
use std::sync::Arc;

use fxhash::{FxHashMap, FxHasher};
use herbrand_core::Random;
use herbrand_core::uct::{Expansion, Lookahead, Scale, SearchTree, TreeOptions};
use herbrand_ground::ActionId;
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::{State, StateStore, Walker};

use super::kind::{PolicyOptions, UctLeaf};
use super::lao::kind_task;
use super::policy::{Policy, PolicyValue};
use super::rollouts::Rollouts;
use super::task::ProbabilisticTask;
use crate::heuristic::{Additive, CostUse, Estimate};
use crate::projection::Projection;
use crate::task::{SearchTask, TaskError};

/// UCT ([`SearchTree`]): samples walks from the current state and takes the action with the best results.
///
/// A walk ends at the first new state. Its value is `discount` to the power of the length of a relaxed plan, because random
/// walks rarely find the goal. This replaces the random walk of the original UCT, as in PROST (Keller and Eyerich 2012).
/// [`UctLeaf`] selects either, or the mean of many random walks: leaf parallelisation (Cazenave and Jouandeau, "On the
/// parallelization of UCT", 2007). Discounting each step makes UCT prefer the shorter of two certain ways to the goal. States
/// reached in several ways are one node.
///
/// Each decision builds a new tree, with a random stream that depends on the state and the seed only. The value of a state that
/// the run acted in is remembered, and replaces that of its relaxed plan where it is lower, as in real-time dynamic programming
/// (Barto, Bradtke and Singh 1995). Otherwise a run could go in circles among states that only look better than what is left
/// to do.
pub(crate) struct Uct {
    task: Arc<ProbabilisticTask>,
    /// The all-outcomes determinization, for relaxed plans.
    kind: SearchTask,
    projection: Projection,
    /// The random walks from new states, if they are judged by these.
    rollouts: Option<Rollouts>,
    options: PolicyOptions,
    budget: Budget,
    /// The values of the states that the run acted in, as long as they take at most half of the memory of a decision.
    known: FxHashMap<State, f64>,
}

impl Uct {
    pub(crate) fn new(
        task: Arc<ProbabilisticTask>,
        options: &PolicyOptions,
        budget: &Budget,
    ) -> Result<Self, TaskError> {
        let kind = kind_task(&task, budget)?;
        // Built here so that it does not count towards the time of a decision.
        kind.relaxation(budget)?;
        let rollouts = match options.leaf {
            UctLeaf::RelaxedPlan => None,
            UctLeaf::RandomWalks(count) => Some(Rollouts::new(task.searched(), count, budget)?),
        };
        Ok(Self {
            rollouts,
            projection: Projection::new(task.searched(), kind.simulator()),
            kind,
            task,
            options: *options,
            budget: budget.without_limits(),
            known: FxHashMap::default(),
        })
    }
}

impl Policy for Uct {
    fn begin(&mut self) {
        self.known = FxHashMap::default();
    }

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
            rollouts: self.rollouts.as_mut(),
            options: &self.options,
            decision: Budget::new(self.options.decision),
            store: StateStore::new(state.words().len()),
            root: &state,
            known: &self.known,
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
        let known =
            self.known.capacity() * size_of::<(State, f64)>() + self.known.len() * size_of_val(state.words());
        for _ in 0..self.options.iterations {
            let bytes = (tree.bytes() + walks.store.bytes() + known) as u64;
            self.budget.check("looking ahead", bytes)?;
            match walks.decision.check("looking ahead", bytes) {
                Err(BudgetExhausted::Time { .. } | BudgetExhausted::Memory { .. }) => break,
                checked => checked?,
            }
            tree.walk(&mut walks, &mut chance)?;
        }
        let best = best(&tree);
        let value = best.map_or(0.0, |(_, value)| value);
        if self
            .options
            .decision
            .bytes
            .is_none_or(|bytes| known as u64 <= bytes / 2)
        {
            self.known.insert(state, value);
        }
        Ok(best.map(|(action, _)| action))
    }

    fn value(&self) -> Option<PolicyValue> {
        None
    }
}

/// Returns the action of the root with the highest mean, and this mean; `None` if no action has a positive total.
fn best(tree: &SearchTree) -> Option<(ActionId, f64)> {
    let tried = tree.arms().iter().filter(|arm| arm.total > 0.0);
    // Of actions with equal means, the first in the order of the text.
    tried
        .max_by(|one, other| {
            let by_mean = one.mean().total_cmp(&other.mean());
            by_mean.then(other.action.cmp(&one.action))
        })
        .map(|arm| (ActionId::from_index(arm.action as usize), arm.mean()))
}

/// The environment of the walks: the states of the task, evaluated by relaxed plans.
struct Walks<'u> {
    walker: Walker,
    /// A walker of the determinized task.
    kind: Walker,
    heuristic: Additive<'u>,
    task: &'u SearchTask,
    projection: &'u Projection,
    rollouts: Option<&'u mut Rollouts>,
    options: &'u PolicyOptions,
    decision: Budget,
    store: StateStore,
    root: &'u State,
    known: &'u FxHashMap<State, f64>,
}

impl Lookahead for Walks<'_> {
    type Error = TaskError;

    fn return_to_root(&mut self) -> Result<(), TaskError> {
        Ok(self.walker.set_state(self.root)?)
    }

    fn find(&mut self, _depth: usize) -> Result<(usize, bool), TaskError> {
        Ok(self.store.find_or_insert(self.walker.state().words()))
    }

    /// Returns the valid actions, starting with the actions of a relaxed plan so that they are tried first, and the value by
    /// its length.
    fn look(&mut self, _chance: &mut Random) -> Result<Expansion, TaskError> {
        let mut outlook = Expansion::default();
        if self.walker.is_goal() {
            outlook.worth = 1.0;
            return Ok(outlook);
        }
        self.kind.set_state(&self.projection.of(self.walker.state())?)?;
        let Some(length) = self.heuristic.evaluate(&self.kind) else {
            return Ok(outlook);
        };
        let known = self.known.get(self.walker.state()).copied();
        outlook.worth = self
            .options
            .discount
            .powf(length as f64)
            .min(known.unwrap_or(1.0));
        let preferred = self.heuristic.preferred(&self.kind);
        let helpful: Vec<_> = preferred.map(|action| self.task.origin(action)).collect();
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
        // Only the goal has a value. The step may fail if an effect has no result.
        let applied = self.walker.apply(ActionId::from_index(action as usize), chance);
        Ok(applied.is_ok().then_some(0.0))
    }

    /// Returns the value by the relaxed plan, or by random walks.
    fn judge(&mut self, depth: usize, outlook: f64, chance: &mut Random) -> Result<f64, TaskError> {
        let Some(rollouts) = &mut self.rollouts else {
            return Ok(outlook);
        };
        let (state, decision) = (self.walker.state(), &self.decision);
        let steps = (self.options.horizon as usize).saturating_sub(depth);
        let is_over = || decision.check("looking ahead", 0).is_err();
        Ok(rollouts.mean(state, steps, self.options.discount, chance, is_over)?)
    }
}
