//! Planners for chance, by name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use herbrand_limits::{Budget, Limits};

use super::exact::Table;
use super::lao::lao;
use super::policy::Policy;
use super::replan::Replan;
use super::task::ChanceTask;
use super::uct::Uct;
use crate::planner::PlannerKind;
use crate::task::{Determinization, TaskError};

/// The planners for chance of this crate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PolicyKind {
    /// Policy iteration on all states that can be reached: exact.
    PolicyIteration,
    /// LAO* with landmark cuts, on the states that it takes: exact.
    Lao,
    /// UCT: samples walks before each action.
    Uct,
    /// Follows a plan for a task without chance, and makes a new one when something else happens.
    Replan,
}

/// What can be set about planners for chance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PolicyOptions {
    /// What UCT draws, and how a planner that replans breaks ties.
    pub seed: u64,
    /// What one decision may use, of UCT or of a planner that replans. UCT decides by what it has seen until then; a planner
    /// that replans gives up.
    pub decision: Limits,
    /// UCT: how many walks it samples before an action.
    pub iterations: u32,
    /// UCT: the most steps of a walk.
    pub horizon: u32,
    /// UCT: how much it is drawn to actions that it took rarely: the factor of the bound in UCB1.
    pub exploration: f64,
    /// UCT: what the goal loses with each step, as a factor.
    pub discount: f64,
    /// UCT: what it takes a state to be worth that it has not seen before.
    pub leaf: UctLeaf,
    /// Replanning: how chance is resolved for plans.
    pub determinization: Determinization,
    /// Replanning: who plans.
    pub planner: PlannerKind,
}

/// How UCT judges a state that it has not seen before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UctLeaf {
    /// By the length of a relaxed plan.
    RelaxedPlan,
    /// By a walk that draws its actions uniformly, to the goal or as far as the horizon goes: as UCT was proposed.
    RandomWalk,
}

impl Default for PolicyOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            decision: Limits {
                bytes: Some(1 << 30),
                time: Some(Duration::from_secs(10)),
            },
            iterations: 1000,
            horizon: 200,
            // On bundled problems, against exact values: between 0.2 and 0.7 little depends on it.
            exploration: 0.5,
            discount: 0.99,
            leaf: UctLeaf::RelaxedPlan,
            determinization: Determinization::AllOutcomes,
            planner: PlannerKind::Landmarks,
        }
    }
}

impl PolicyKind {
    /// All planners for chance, in the order in which texts list them.
    pub const ALL: [Self; 4] = [Self::PolicyIteration, Self::Lao, Self::Uct, Self::Replan];

    /// The name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PolicyIteration => "policy-iteration",
            Self::Lao => "lao",
            Self::Uct => "uct",
            Self::Replan => "replan",
        }
    }

    /// What it does, in one line.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::PolicyIteration => "a best policy under chance, from all states that can be reached",
            Self::Lao => "a best policy under chance, from the states that it takes: LAO* with landmark cuts",
            Self::Uct => "under chance: samples walks before each action",
            Self::Replan => "under chance: follows a plan and replans when something else happens: FF-Replan",
        }
    }

    /// Whether the policies are best ones.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::PolicyIteration | Self::Lao)
    }

    /// A policy for a task. The budget is for making it. A policy that thinks while it acts has the budget of the options for
    /// each decision, and stops when the budget that it was made within is cancelled.
    ///
    /// # Errors
    /// When an action has too many outcomes, or the budget is spent.
    pub fn policy(
        self,
        task: &ChanceTask,
        options: &PolicyOptions,
        budget: &Budget,
    ) -> Result<Box<dyn Policy>, TaskError> {
        let task = Arc::new(task.clone());
        Ok(match self {
            Self::PolicyIteration => Box::new(Table::exact(task, budget)?),
            Self::Lao => Box::new(lao(task, budget)?),
            Self::Uct => Box::new(Uct::new(task, options, budget)?),
            Self::Replan => Box::new(Replan::new(task, options, budget)?),
        })
    }
}

impl fmt::Display for PolicyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// No planner for chance has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no planner for chance `{0}`")]
pub struct UnknownPolicyPlanner(pub String);

impl FromStr for PolicyKind {
    type Err = UnknownPolicyPlanner;

    fn from_str(name: &str) -> Result<Self, UnknownPolicyPlanner> {
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == name);
        found.ok_or_else(|| UnknownPolicyPlanner(name.to_owned()))
    }
}
