//! Policies and their values.

use herbrand_ground::ActionId;
use herbrand_step::{Rounding, State};

use crate::task::TaskError;

/// A policy: it chooses an action for each state of a probabilistic task. Created by
/// [`PolicyKind::policy`](super::PolicyKind::policy). It is deterministic: the same sequence of queries gives the same
/// actions, unless [`PolicyOptions::decision`](super::PolicyOptions::decision) limits are reached. It is an
/// [`Agent`](herbrand_core::Agent) in a [`TaskWalker`](super::TaskWalker).
pub trait Policy: Send {
    /// Forgets what it remembers of a run: a policy that plans while it acts may act otherwise where it has been before. By
    /// default it does nothing.
    fn begin(&mut self) {}

    /// Returns the action to take in a state of
    /// [`ProbabilisticTask::simulator`](crate::ProbabilisticTask::simulator); `None` if the policy gives up, or if
    /// there is nothing to do, as in a goal state or a dead end. Policy iteration returns `None` also in states that no
    /// policy reaches from the start states, and LAO* in states that it did not explore, which its own policy never
    /// reaches. An action that is returned is meant for the simulator's [`apply`](herbrand_step::Walker::apply).
    ///
    /// # Errors
    /// Fails if the state belongs to another task, or, for a policy that plans while it acts, if the budget given to
    /// [`PolicyKind::policy`](super::PolicyKind::policy) is cancelled.
    fn act(&mut self, state: &State) -> Result<Option<ActionId>, TaskError>;

    /// Returns the value of the policy from the start states; `None` if the policy plans while it acts and does not
    /// know it. [`evaluate`](fn@super::evaluate) computes it for such a policy.
    fn value(&self) -> Option<PolicyValue>;

    /// Returns how the policy was computed; `None` if it plans while it acts.
    fn statistics(&self) -> Option<PolicyStatistics> {
        None
    }
}

/// How a policy was computed. [`Policy::statistics`] returns it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PolicyStatistics {
    /// The number of states that were enumerated.
    pub states: usize,
    /// The number of sweeps of value iteration over the states, or the number of policies that policy iteration or LAO*
    /// evaluated.
    pub iterations: u32,
    /// For value iteration, the greatest change of a probability or a cost in the last sweeps; `None` for other planners,
    /// which solve equations.
    pub residual: Option<f64>,
    /// The reason why numbers of the states may be rounded, so that no policy is proven optimal; `None` if all are exact.
    pub rounding: Option<Rounding>,
}

/// The value of a policy from the start states of its task. [`Policy::value`] and [`evaluate`](fn@super::evaluate)
/// return it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PolicyValue {
    /// The probability of ever reaching the goal, from 0 to 1.
    pub goal_probability: f64,
    /// The expected cost of the runs that reach the goal, in terms of the metric
    /// ([`StepCosts::value`](crate::StepCosts::value)); `None` if no run does.
    pub cost: Option<f64>,
    /// Whether the policy is proven optimal: no policy has a higher probability, and none with this probability has a
    /// lower cost, up to rounding. Always `false` if the costs are not [exact](crate::StepCosts::is_exact) or do not
    /// [follow the metric](crate::StepCosts::follows_metric), or if numbers may be
    /// [rounded](PolicyStatistics::rounding).
    pub optimal: bool,
}

/// The value of a state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct StateValue {
    /// The probability of reaching the goal.
    pub(crate) probability: f64,
    /// The sum of the costs of all runs that reach the goal, each weighted with its probability. It is the expected cost of
    /// these runs times `probability`.
    pub(crate) paid: f64,
}

impl StateValue {
    pub(crate) const GOAL: Self = Self {
        probability: 1.0,
        paid: 0.0,
    };

    pub(crate) const NOTHING: Self = Self {
        probability: 0.0,
        paid: 0.0,
    };

    /// Adds the contribution of an outcome with this probability and cost that leads to a state with value `next`.
    pub(crate) fn add(&mut self, probability: f64, cost: f64, next: Self) {
        self.probability += probability * next.probability;
        self.paid += probability * (cost * next.probability + next.paid);
    }

    pub(crate) fn value(self, optimal: bool) -> PolicyValue {
        PolicyValue {
            // Rounding errors may push the sum out of range.
            goal_probability: self.probability.clamp(0.0, 1.0),
            cost: (self.probability > 0.0).then(|| self.paid / self.probability),
            optimal,
        }
    }
}
