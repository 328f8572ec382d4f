//! How a rollout chooses its actions.

use crate::{Choice, Random, System};

/// How a rollout chooses its actions.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Policy {
    /// At random among the valid joint actions, as [`System::sample`] does.
    #[default]
    Random,
    /// The first valid choice of the first field ([`System::choices`]). Systems without discrete fields have none.
    First,
    /// No choice at all: every action field keeps its default.
    Nothing,
    /// For each problem the joint actions of a plan, to its end or to the first step that is not valid.
    Plans(Vec<Vec<Vec<Choice>>>),
}

impl Policy {
    /// Writes the joint action after `elapsed` steps of an episode of `problem` to `joint`; `false` if there is none.
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
        }
    }
}
