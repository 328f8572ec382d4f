//! Rewards shaped by a potential.

use super::Environment;
use crate::{AgentActionId, Env, EnvError, PlanningEnv, ProblemChoice, Reset, Step};

/// How good the current state of an environment is.
pub trait Potential {
    /// The potential of the current state.
    ///
    /// # Errors
    /// When the environment has no state yet.
    fn of(&self, env: &Env) -> Result<f64, EnvError>;
}

/// Any function of the environment is a potential.
impl<F: Fn(&Env) -> f64> Potential for F {
    fn of(&self, env: &Env) -> Result<f64, EnvError> {
        Ok(self(env))
    }
}

/// Minus a weight for each literal that the goal lacks: with discount 1, a step earns the weight for each goal literal
/// that it makes true and loses it for each that it makes false.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GoalCount {
    /// What a literal counts.
    pub weight: f64,
}

impl Default for GoalCount {
    fn default() -> Self {
        Self { weight: 1.0 }
    }
}

impl Potential for GoalCount {
    fn of(&self, env: &Env) -> Result<f64, EnvError> {
        Ok(-self.weight * env.goal_progress()?.missing.len() as f64)
    }
}

/// Adds `discount · Φ(s') − Φ(s)` to the reward of each step from `s` to `s'`.
///
/// That leaves the optimal policies as they are (Ng, Harada and Russell, "Policy invariance under reward
/// transformations", ICML 1999). For this to hold in episodes, the potential of a state that terminates one is 0.
#[derive(Clone, Debug)]
pub struct Shaped<W, P> {
    inner: W,
    potential: P,
    discount: f64,
}

impl<W: Environment, P: Potential> Shaped<W, P> {
    /// `inner` with rewards shaped by `potential`, with discount 1.
    pub fn new(inner: W, potential: P) -> Self {
        Self {
            inner,
            potential,
            discount: 1.0,
        }
    }

    /// The same with another discount, that of the learner.
    #[must_use]
    pub fn with_discount(self, discount: f64) -> Self {
        Self { discount, ..self }
    }

    /// What was wrapped.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Environment, P: Potential> Environment for Shaped<W, P> {
    fn reset_to(&mut self, seed: Option<u64>, choice: ProblemChoice) -> Result<Reset, EnvError> {
        self.inner.reset_to(seed, choice)
    }

    fn step(&mut self, action: AgentActionId) -> Result<Step, EnvError> {
        let before = self.potential.of(self.inner.env())?;
        let step = self.inner.step(action)?;
        let after = if step.terminated {
            0.0
        } else {
            self.potential.of(self.inner.env())?
        };
        Ok(Step {
            reward: step.reward + self.discount * after - before,
            ..step
        })
    }

    fn env(&self) -> &Env {
        self.inner.env()
    }

    fn env_mut(&mut self) -> &mut Env {
        self.inner.env_mut()
    }
}
