//! Episodes over planning problems: environments, suites, bundled domains, rollouts and traces.
//!
//! - [`Engine`] is what steps: a small trait that knows no planning language; [`Planning`] is the one for PDDL.
//! - [`Episode`] runs on an engine: horizon, termination, dead ends.
//! - [`Suite`] is a domain with its problems, compiled when first used; [`Registry`] has the bundled ones.
//! - [`Env`] is the environment to learn in: episodes over the problems of a suite, with one seed for everything.
//! - [`VecEnv`] steps many of them at once, into buffers of the caller.
//! - [`wrap`] has wrappers: shaped rewards, costs, recording.
//! - [`rollout()`] measures a suite with a policy; [`trace`] records walks and replays those of other engines; [`plan`]
//!   executes plans.
//!
//! What is a choice of the agent and what follows from the state is declared beside a domain ([`Config`]) or by
//! PDDLGym's action predicates; an [`ActionSpace`] numbers the agent's actions of one problem.

mod action;
mod config;
mod engine;
mod env;
mod episode;
mod error;
mod info;
mod lifted;
mod observe;
pub mod plan;
mod planning;
mod pool;
#[cfg(feature = "domains")]
mod registry;
mod rollout;
mod seeds;
mod suite;
pub mod trace;
mod vector;
pub mod wrap;

pub use action::{ActionSpace, AgentAction, AgentActions, Argument, Carrier, TooManyActions};
pub use config::{ActionConfig, Ambiguity, Config, ConfigError, GridSymbol};
pub use engine::{AgentActionId, Engine, EngineKind};
pub use env::{Choice, Env, EnvOptions, Horizon, Reset, Snapshot};
pub use episode::{DeadEnd, Episode, EpisodeError, InvalidAction, Rules, Step};
pub use error::EnvError;
pub use info::{Info, RewardParts, StepInfo};
pub use lifted::LiftedPlanning;
pub use observe::{AtomSpace, GoalProgress, Graph, Grid, ObservedId, Part, Role};
pub use planning::{Planning, PlanningError};
#[cfg(feature = "domains")]
pub use registry::Registry;
pub use rollout::{Policy, Rollout, RolloutOptions, rollout, rollout_by, rollout_recorded, rollout_until};
pub use seeds::Streams;
pub use suite::{ActionMode, Instance, ProblemFile, Sizes, Split, Suite, SuiteFiles};
pub use vector::{Autoreset, Batch, Flags, VecEnv, VecError, VecOptions};

pub use herbrand_pddl::{Domain, Problem, Source};
pub use herbrand_step::{Random, Transition};
