//! The planners for probabilistic tasks, by name.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use herbrand_limits::{Budget, Limits};

use super::exact::Table;
use super::lao::lao;
use super::policy::Policy;
use super::replan::Replan;
use super::task::ProbabilisticTask;
use super::uct::Uct;
use crate::planner::PlannerKind;
use crate::task::{Determinization, TaskError};

herbrand_text::named! {
    /// The planners of this crate for probabilistic tasks. [`policy`](Self::policy) runs one of them.
    /// [`evaluate`](fn@super::evaluate) judges the policy exactly, and [`herbrand_core::evaluate()`] by simulated episodes.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum PolicyKind {
        /// Policy iteration on all reachable states. The policy is optimal.
        PolicyIteration = "policy-iteration",
        /// Value iteration on all reachable states. Policy iteration proves its policy, or corrects it if values converge
        /// slowly. The policy is optimal.
        ValueIteration = "value-iteration",
        /// LAO* with the LM-cut heuristic, on as few states as it needs. The policy is optimal.
        Lao = "lao",
        /// UCT: samples random walks from the current state before each action. The policy is not optimal. It gives up
        /// where no walk has a positive value, so also with 0 [`PolicyOptions::iterations`].
        Uct = "uct",
        /// Follows a plan for a determinized task and replans after an outcome that the plan did not foresee (FF-Replan).
        /// The policy is not optimal. It gives up where the planner returns no plan, and keeps to that in later queries of
        /// the state.
        Replan = "replan",
    }
    /// Returns the name of the planner, such as `lao`, which `FromStr` reads back.
    pub fn as_str; parses, or UnknownPolicyPlanner: UnknownPolicyPlanner
}

/// The options of planners for probabilistic tasks, used by UCT and replanning only. Pass them to
/// [`PolicyKind::policy`]. The default has 1 GiB and 10 seconds per decision, 1000 walks of at most 200 steps, an
/// exploration of 0.5, a discount of 0.99, relaxed plans, all outcomes and [`PlannerKind::Landmarks`]. No value is
/// checked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PolicyOptions {
    /// The seed of UCT's random draws, and of the tie-breaking in a replanner's searches.
    pub seed: u64,
    /// The limits of one decision by UCT or a replanner, that is, of one [`Policy::act`]. At a limit, UCT decides by
    /// the walks sampled so far, and a replanner gives up.
    pub decision: Limits,
    /// For UCT, the maximum number of walks sampled before an action is chosen.
    pub iterations: u32,
    /// For UCT, the maximum number of steps per walk. With 0, UCT always gives up.
    pub horizon: u32,
    /// For UCT, the weight of exploration: the factor of the confidence bound in UCB1. Larger values try more actions.
    pub exploration: f64,
    /// For UCT, the factor per step by which a goal further away is worth less, from 0 to 1.
    pub discount: f64,
    /// For UCT, how a state that is new in the search tree is evaluated.
    pub leaf: UctLeaf,
    /// For replanning, how the task is made deterministic.
    pub determinization: Determinization,
    /// For replanning, the planner for the deterministic task.
    pub planner: PlannerKind,
}

/// How UCT evaluates a state that is new in its tree: a value of [`PolicyOptions::leaf`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UctLeaf {
    /// By the discount to the power of the length of a relaxed plan from the state; 0 if there is none.
    RelaxedPlan,
    /// By the mean value of this many walks of uniformly random actions up to the goal or the horizon. The original UCT
    /// makes one. The value of a walk is the discount to the power of its number of steps; 0 if it does not reach the goal.
    /// 64 walks or more are made together on the bit-sliced engine ([`SlicedTask`](herbrand_step::SlicedTask)) if that is
    /// likely to be faster, with the same draws.
    RandomWalks(NonZeroU32),
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
            // On the bundled problems, any value between 0.2 and 0.7 gives about the same results.
            exploration: 0.5,
            discount: 0.99,
            leaf: UctLeaf::RelaxedPlan,
            determinization: Determinization::AllOutcomes,
            planner: PlannerKind::Landmarks,
        }
    }
}

impl PolicyKind {
    /// Returns a description of the planner in one line, for lists of planners.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::PolicyIteration => "a best policy under chance, from all states that can be reached",
            Self::ValueIteration => {
                "a best policy under chance, by sweeps over all states that can be reached"
            }
            Self::Lao => "a best policy under chance, from the states that it takes: LAO* with landmark cuts",
            Self::Uct => "under chance: samples walks before each action",
            Self::Replan => "under chance: follows a plan and replans when something else happens: FF-Replan",
        }
    }

    /// Returns whether the planner's policies are optimal by the criterion of this module: no policy reaches the goal
    /// with a higher probability, and none with that probability at a lower expected cost, by
    /// [`ProbabilisticTask::costs`].
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.covers_all_states() || matches!(self, Self::Lao)
    }

    /// Returns whether the planner's policies have an action for every state that any policy reaches.
    #[must_use]
    pub const fn covers_all_states(self) -> bool {
        matches!(self, Self::PolicyIteration | Self::ValueIteration)
    }

    /// Creates a policy for a task within a budget. The optimal planners compute the whole policy in this call. UCT and
    /// replanning plan in each call of [`Policy::act`] instead: they use the limits in the options for each decision,
    /// and `act` fails if `budget` is cancelled. The policy keeps a copy of `task`.
    ///
    /// # Errors
    /// Fails if an action has more outcomes than [`Options::outcome_limit`](herbrand_step::Options::outcome_limit) of
    /// the simulator, or if the budget is exceeded. Replanning with [`Determinization::MostLikely`] takes any number of
    /// outcomes.
    pub fn policy(
        self,
        task: &ProbabilisticTask,
        options: &PolicyOptions,
        budget: &Budget,
    ) -> Result<Box<dyn Policy>, TaskError> {
        let task = Arc::new(task.clone());
        Ok(match self {
            Self::PolicyIteration => Box::new(Table::exact(task, false, budget)?),
            Self::ValueIteration => Box::new(Table::exact(task, true, budget)?),
            Self::Lao => Box::new(lao(task, budget)?),
            Self::Uct => Box::new(Uct::new(task, options, budget)?),
            Self::Replan => Box::new(Replan::new(task, options, budget)?),
        })
    }
}

/// The error for an unknown name of a planner for probabilistic tasks; contains the name. `FromStr` of [`PolicyKind`]
/// returns it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no probabilistic planner `{0}`")]
pub struct UnknownPolicyPlanner(pub String);
