//! A potential that counts unsatisfied goal literals.

use herbrand_core::Observer;
use herbrand_core::wrap::Potential;

use crate::aliases::Env;
use crate::error::EnvError;
use crate::suite::Suite;

/// A potential for reward shaping with [`Shaped`](crate::wrap::Shaped): minus [`weight`](Self::weight) times the number
/// of goal literals that do not hold. With discount 1, a step earns the weight for each goal literal that it makes true
/// and loses it for each that it makes false. Of a disjunctive goal, the disjunct with the fewest unsatisfied literals
/// counts; comparisons of numbers never do. Without a goal, and if grounding found it unreachable, the potential is 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GoalCount {
    /// The reward per goal literal. 1 by default; a negative weight makes achieved literals cost.
    pub weight: f64,
}

impl Default for GoalCount {
    fn default() -> Self {
        Self { weight: 1.0 }
    }
}

impl<O: Observer<Suite>> Potential<Suite, O> for GoalCount {
    fn of(&self, env: &Env<O>) -> Result<f64, EnvError> {
        Ok(-self.weight * env.system()?.goal_progress().missing.len() as f64)
    }
}
