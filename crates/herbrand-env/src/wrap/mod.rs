//! Wrappers: environments made of environments, by composition.
//!
//! An [`Environment`] is an [`Env`] or a wrapper around another environment. [`Shaped`] adds a potential's change to
//! the reward, [`Costs`] takes off what actions cost, [`Recorded`] writes a trace. A horizon needs no wrapper: it is one
//! of the [`EnvOptions`](crate::EnvOptions).
//!
//! ```
//! use herbrand_env::wrap::{Costs, Environment, GoalCount, Shaped};
//! use herbrand_env::{Env, EnvOptions, PlanningEnv, ProblemChoice, Registry};
//!
//! let env = Env::new(Registry::get("blocks")?, EnvOptions::default())?;
//! let mut env = Shaped::new(Costs::new(env), GoalCount::default());
//! env.reset_to(Some(7), ProblemChoice::Index(0))?;
//! let action = env.env_mut().sample_action()?.expect("something to do");
//! let step = env.step(action)?;
//! assert!(step.reward <= 0.0 || step.goal || env.env().goal_progress()?.missing.len() < 9);
//! # Ok::<(), herbrand_env::EnvError>(())
//! ```

mod costs;
mod recorded;
mod shaped;

pub use costs::Costs;
pub use recorded::Recorded;
pub use shaped::{GoalCount, Potential, Shaped};

use crate::{AgentActionId, Env, EnvError, ProblemChoice, Reset, Step};

/// What can be reset and stepped: an environment, or a wrapper around one.
pub trait Environment {
    /// Begins an episode ([`Env::reset_to`]).
    ///
    /// # Errors
    /// As [`Env::reset_to`], and what wrappers add.
    fn reset_to(&mut self, seed: Option<u64>, choice: ProblemChoice) -> Result<Reset, EnvError>;

    /// Takes an action of the agent ([`Env::step`]).
    ///
    /// # Errors
    /// As [`Env::step`], and what wrappers add.
    fn step(&mut self, action: AgentActionId) -> Result<Step, EnvError>;

    /// The environment at the core.
    fn env(&self) -> &Env;

    /// The environment at the core, to sample from or to set. What is stepped or reset there, no wrapper sees.
    fn env_mut(&mut self) -> &mut Env;
}

impl Environment for Env {
    fn reset_to(&mut self, seed: Option<u64>, choice: ProblemChoice) -> Result<Reset, EnvError> {
        Self::reset_to(self, seed, choice)
    }

    fn step(&mut self, action: AgentActionId) -> Result<Step, EnvError> {
        Self::step(self, action)
    }

    fn env(&self) -> &Env {
        self
    }

    fn env_mut(&mut self) -> &mut Env {
        self
    }
}
