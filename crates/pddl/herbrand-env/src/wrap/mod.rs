//! Wrappers: environments composed of environments.
//!
//! An [`Environment`] is an [`Env`](crate::Env) or a wrapper around another environment. [`Shaped`] adds the difference of a
//! potential to the reward, [`Costs`] subtracts action costs, [`Recorded`] writes a trace. [`herbrand_core::wrap`] contains
//! the wrappers that do not depend on a planning language. A horizon needs no wrapper because it is one of the
//! [`EnvOptions`](crate::EnvOptions).
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
//! assert!(step.reward <= 0.0 || step.goal || env.env().system()?.goal_progress().missing.len() < 9);
//! # Ok::<(), herbrand_env::EnvError>(())
//! ```

mod costs;
mod goal_count;
mod recorded;

pub use costs::Costs;
pub use goal_count::GoalCount;
pub use herbrand_core::wrap::{Environment, Potential, Shaped};
pub use recorded::Recorded;
