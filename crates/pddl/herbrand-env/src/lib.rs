//! Planning problems as environments: suites, agent actions, bundled domains, observations and traces.
//!
//! This crate implements [`herbrand_core`] for PDDL:
//!
//! - [`Planning`] is the [`System`]: a problem with a current state, stepped by the [`Grounded`] or the [`Lifted`] engine.
//! - [`Suite`] is the set of [`Problems`](herbrand_core::Problems): a domain with its problems, each compiled on first use.
//!   [`Registry`] contains the bundled suites.
//! - [`Bits`], [`PackedBits`], [`OneHotByObject`] and [`VisibleBits`] are [`Observer`](herbrand_core::Observer)s.
//! - [`Env`] and [`VecEnv`] are environments over suites. [`PlanningEnv`] adds methods that are specific to PDDL.
//! - `StatePicture`, with the feature `render`, draws states as pictures or as lines of characters.
//! - [`rollout()`] measures a suite with a policy. [`trace`] records walks and replays those of other engines. [`plan`]
//!   executes plans.
//!
//! ```text
//!   domain.pddl, env.toml, problems ──▶ Suite ──instance(i)──▶ Instance   a problem, compiled once
//!                                         │                      │ simulator, ActionSpace, AtomSpace
//!                                         │ Env, VecEnv          ▼
//!                        AgentActionId ───┴──────────────▶ Planning<Grounded>, at a current state
//!                                                                │
//!                        a row of bits ◀── Bits, VisibleBits, … ─┘
//! ```
//!
//! Settings next to the domain ([`Config`]) or PDDLGym's action predicates declare which parameters of an operator the agent
//! chooses; the state determines the others. An [`ActionSpace`] numbers the agent actions of a problem.
//!
//! ```
//! use herbrand_env::{ActionMode, Domain, Env, EnvOptions, PlanningEnv, Problem, Suite};
//!
//! let domain = Domain::from_text(
//!     "(define (domain lamp) (:predicates (on))
//!        (:action switch-on :precondition (not (on)) :effect (on)))",
//! )?;
//! let problem = Problem::from_text("(define (problem dark) (:domain lamp) (:init) (:goal (on)))", &domain)?;
//! let suite = Suite::from_problems(domain, [problem], ActionMode::Declared)?;
//!
//! let mut env = Env::new(suite, EnvOptions::default())?;
//! env.reset(Some(7))?;
//! let action = env.sample_action()?.expect("the lamp is off");
//! assert_eq!(env.instance()?.space().display(action).to_string(), "(switch-on)");
//! let step = env.step(action)?;
//! assert!(step.terminated && step.reward == 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate `herbrand` re-exports this crate as `herbrand::env`: there, read `herbrand_env` in the examples as
//! `herbrand::env`.

mod action;
mod aliases;
mod atoms;
mod config;
mod engine;
mod environment;
mod error;
mod goal;
mod instance;
mod observe;
mod observed;
#[cfg(feature = "render")]
mod picture;
pub mod plan;
mod planning;
#[cfg(feature = "domains")]
mod registry;
mod rollout;
mod settings;
mod suite;
mod time;
pub mod trace;
mod visibility;
#[cfg(feature = "render")]
mod words;

pub use action::ids::{Ids, Numbered, SuiteIds, TooManyIds};
pub use action::{
    ActionSpace, AgentAction, AgentActionId, AgentActions, Argument, Implementation, TooManyActions,
};
pub use aliases::{Env, Snapshot, VecEnv, VecError};
pub use atoms::{
    AtomRole, AtomSpace, GoalProgress, GraphSizes, InstanceLearningGraph, LiftedAtoms, TooManyAtoms,
};
pub use config::{ActionConfig, Ambiguity, Config, ConfigError, ObserveConfig, Remembers};
pub use engine::EngineKind;
pub use environment::{Info, PlanningEnv, RewardParts, StepInfo};
pub use error::{EnvError, PlanningError};
pub use instance::CompiledProblem;
pub use observe::{
    ActionArrays, Bits, BitsAndNumbers, GoalBits, GraphRows, LiftedObserver, NamedObserver, ObservationMode,
    OneHotByObject, PackedBits, VisibleBits,
};
pub use observed::{ObservedAtoms, ObservedId};
#[cfg(feature = "render")]
pub use picture::{ShowFacts, StatePicture};
pub use planning::{
    Grounded, Lifted, LiftedOperator, Planning, SteppingEngine, Symbols, show_grounded, show_lifted,
};
#[cfg(feature = "domains")]
pub use registry::Registry;
pub use rollout::{plan_policy, rollout, rollout_recorded, rollout_until};
pub use suite::{
    ActionMode, Definition, Engines, LiftedSuite, ProblemFile, Sizes, Split, Suite, SuiteFiles, why_never,
};
pub use time::{Agenda, RunningAction, TimedPlan, TimedPlanStep};

pub use herbrand_core::{
    Actions, ActionsMut, Autoreset, Batch, BufferContents, BufferError, DeadEnd, EnvOptions, EpisodeFault,
    EpisodeHorizon, EpisodeStart, Flags, InvalidAction, MaskForm, ProblemChoice, Reset, Rollout,
    RolloutOptions, RolloutPolicy, Step, Streams, System, VecOptions, Widths,
};
pub use herbrand_pddl::{Domain, Problem, Source};
pub use herbrand_step::{Random, StepResult};
