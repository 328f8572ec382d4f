//! How a rollout chooses its actions.

use herbrand_step::Random;

use crate::plan::Plan;
use crate::{AgentActionId, Engine, EnvError, Suite};

/// How a rollout chooses its actions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// Uniformly among the valid actions.
    #[default]
    Random,
    /// The valid action of the lowest number.
    First,
    /// For each problem of the suite the steps of a plan, to its end or to the first step that is not valid.
    Plans(Vec<Vec<AgentActionId>>),
}

impl Policy {
    /// The policy that follows plans, one for each problem of `suite`. Steps are operators, each of which stands for
    /// the agent's action that it carries out, or the agent's actions themselves.
    ///
    /// # Errors
    /// When a step names neither, there are not as many plans as problems, or a problem is at fault.
    pub fn plans(suite: &Suite, plans: &[Plan]) -> Result<Self, EnvError> {
        if plans.len() != suite.len() {
            return Err(EnvError::PlanCount {
                plans: plans.len(),
                problems: suite.len(),
            });
        }
        let steps = plans.iter().enumerate().map(|(index, plan)| {
            let instance = suite.instance(index)?;
            let steps = plan.steps.iter().map(|step| {
                instance
                    .find_action(&step.action)
                    .ok_or_else(|| EnvError::PlanStep {
                        line: step.line,
                        action: step.action.clone(),
                    })
            });
            steps.collect()
        });
        Ok(Self::Plans(steps.collect::<Result<_, EnvError>>()?))
    }

    /// Puts the action after `elapsed` steps of an episode of `problem` into `joint`; false when there is none.
    #[inline]
    pub(super) fn choose(
        &self,
        problem: usize,
        elapsed: u32,
        engine: &impl Engine,
        random: &mut Random,
        joint: &mut Vec<AgentActionId>,
    ) -> bool {
        match self {
            Self::Random => engine.sample(random, joint),
            Self::First => {
                engine.valid_actions(joint);
                joint.truncate(1);
                !joint.is_empty()
            }
            Self::Plans(plans) => {
                joint.clear();
                joint.extend(plans[problem].get(elapsed as usize));
                engine.is_valid(joint)
            }
        }
    }
}
