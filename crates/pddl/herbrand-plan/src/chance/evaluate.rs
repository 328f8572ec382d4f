//! The exact value of a policy.

use herbrand_limits::Budget;

use super::policy::{Policy, PolicyValue};
use super::table::Followed;
use super::task::ProbabilisticTask;
use crate::task::TaskError;

/// Computes the exact value of a policy (the probability that it reaches the goal, and its expected cost), up to
/// rounding. It follows all outcomes of the policy's actions from the start states. The policy is queried once per
/// state that is not a goal state, in breadth-first order, as if a run began there. If it gives up, or returns an action that is not valid or
/// whose numeric effects have no result, the state counts as a dead end. [`PolicyValue::optimal`] is that of
/// [`Policy::value`], and `false` if the policy does not know its value. Policies that plan while they act, such as
/// UCT, are asked for an action in each state that they can reach, so this takes long.
///
/// # Errors
/// Fails if a query of the policy fails, if an action has more outcomes than the simulator's limit, or if the budget is
/// exhausted.
pub fn evaluate(
    task: &ProbabilisticTask,
    policy: &mut dyn Policy,
    budget: &Budget,
) -> Result<PolicyValue, TaskError> {
    let followed = Followed::new(task, policy, false, budget)?;
    Ok(followed.value(policy))
}
