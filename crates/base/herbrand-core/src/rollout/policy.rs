//! Policies of rollouts: how actions are chosen.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::action::Choice;
use crate::random::Random;
use crate::system::System;

/// A policy for [`roll_out`](crate::roll_out): how it chooses the action of each step. Where it has no valid action,
/// the episode ends.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum RolloutPolicy {
    /// The default: a random valid joint action, drawn by [`System::sample`].
    #[default]
    Random,
    /// The first valid choice in the order of [`System::choices`]; no action in systems without discrete fields.
    First,
    /// The empty joint action: every action field keeps its default. The episode ends where that is not valid, as in
    /// PDDL.
    Nothing,
    /// A plan per problem, as a list of joint actions: `plans[problem][step]` is a joint action. The episode ends with
    /// the plan or before the first invalid action; a problem without a plan takes no step.
    Plans(Vec<Vec<Vec<Choice>>>),
    /// A function of the state, such as a policy from a file. The episode ends where it returns no action or an invalid one.
    OfState(StateFunction),
}

/// A function that chooses joint actions, for [`RolloutPolicy::OfState`]: from the number of steps taken, the state and a
/// generator for random actions. The state is a [`System::State`]. Clones are equal; other functions are not.
#[derive(Clone)]
pub struct StateFunction(Arc<ChooseByState>);

type ChooseByState = dyn Fn(u32, &dyn Any, &mut Random) -> Option<Vec<Choice>> + Send + Sync;

impl StateFunction {
    /// Wraps a function of the states of a system. For states of another type it is not called, and there is no action.
    #[must_use]
    pub fn new<T: 'static>(
        choose: impl Fn(u32, &T, &mut Random) -> Option<Vec<Choice>> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(move |elapsed, state, random| {
            choose(elapsed, state.downcast_ref()?, random)
        }))
    }
}

impl PartialEq for StateFunction {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for StateFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StateFunction")
    }
}

impl RolloutPolicy {
    /// Writes the joint action to take in the current state of `system` to `joint`. `problem` and `elapsed` (the
    /// number of steps taken) select the step of a plan; `random` draws random actions. `joint` is cleared first. Pass
    /// it to the step. `random` is drawn from by [`Random`](Self::Random) and [`OfState`](Self::OfState) only.
    ///
    /// Returns `false` if the policy has no valid action: in a dead end, at the end of a plan, or if the next step of the plan
    /// or of the function is invalid. Then the episode ends, and the contents of `joint` do not matter.
    #[inline]
    pub fn choose(
        &self,
        problem: usize,
        elapsed: u32,
        system: &impl System,
        random: &mut Random,
        joint: &mut Vec<Choice>,
    ) -> bool {
        match self {
            Self::Random => system.sample(random, joint),
            Self::First => {
                system.choices(joint);
                joint.truncate(1);
                !joint.is_empty()
            }
            Self::Nothing => {
                joint.clear();
                system.is_valid(joint)
            }
            Self::Plans(plans) => {
                joint.clear();
                let plan = plans.get(problem).map_or(&[][..], Vec::as_slice);
                let Some(step) = plan.get(elapsed as usize) else {
                    return false;
                };
                joint.extend_from_slice(step);
                system.is_valid(joint)
            }
            Self::OfState(function) => {
                let chosen = (function.0)(elapsed, system.state(), random);
                chosen.is_some_and(|chosen| {
                    *joint = chosen;
                    system.is_valid(joint)
                })
            }
        }
    }
}
