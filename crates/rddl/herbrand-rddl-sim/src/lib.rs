//! The simulator of RDDL: compiles instances and steps them, one at a time, in batches and as roll-outs.
//!
//! [`ground::compile`] turns a checked [`Instance`](herbrand_rddl::Instance) into a
//! [`CompiledInstance`](simulate::CompiledInstance): the graph of one step, compiled to programs by `herbrand-dataflow`. A
//! [`RddlSimulator`](simulate::RddlSimulator) is a compiled instance with a current state. A
//! [`RddlSuite`](suite::RddlSuite) is a domain with its instances; it implements [`Problems`](herbrand_core::Problems), so
//! the environments and batches of [`herbrand_core`] run it.
//!
//! ```
//! use herbrand_core::EnvOptions;
//! use herbrand_rddl::Source;
//! use herbrand_rddl_sim::suite::{RddlEnv, RddlSuite};
//! use herbrand_rddl_sim::simulate::FluentVector;
//!
//! let text = "
//!     domain counter {
//!         pvariables {
//!             n   : { state-fluent, int, default = 0 };
//!             add : { action-fluent, bool, default = false };
//!         };
//!         cpfs { n' = n + add; };
//!         reward = n;
//!     }
//!     instance short { domain = counter; horizon = 5; discount = 1.0; }";
//! let suite = RddlSuite::from_sources(&[Source::new("counter", text)])?;
//! let mut env = RddlEnv::observed(suite, FluentVector, EnvOptions::default())?;
//! env.reset(Some(7))?;
//! let mut steps = 0;
//! while let Some(joint) = env.sample()? {
//!     steps += 1;
//!     if env.step(&joint)?.ended() {
//!         break;
//!     }
//! }
//! assert_eq!(steps, 5);
//! # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
//! ```
//!
//! # What is in it
//!
//! ```text
//!   Instance ──ground──▶ CompiledInstance ──simulate──▶ RddlSimulator, Rollouts
//!                                │                       │
//!                                └──────── suite ────────┴──▶ RddlSuite: RddlEnv, RddlVecEnv
//!                                                               ├──▶ trace: walks as JSON Lines
//!                                                               ├──▶ StateRenderer, Pixels
//!                                                               └──▶ server: RDDLSim's protocol over TCP
//! ```
//!
//! # What it is not
//!
//! It does not read RDDL (`herbrand-rddl` does), and it does not choose actions: planners and analyses of a step are in
//! `herbrand-rddl-plan`. The passes over graphs and the loops that execute them are in `herbrand-dataflow`, which knows
//! nothing of fluents.
//!
//! # Where to start
//!
//! `ground::lower` writes the graph of a step, expression by expression; `ground::compile` makes the programs.
//! `simulate::simulator` is the loop of one environment, and `simulate::together` and `simulate::rollouts` are those of many.
//!
//! The crate `herbrand` re-exports the modules of this crate in `herbrand::rddl`: there, read `herbrand_rddl_sim` in the
//! examples as `herbrand::rddl`.

pub mod ground;
#[cfg(feature = "render")]
mod picture;
#[cfg(feature = "png")]
mod pixels;
#[cfg(feature = "server")]
pub mod server;
mod settings;
pub mod simulate;
pub mod suite;
pub mod trace;
#[cfg(feature = "render")]
mod vocabulary;

pub use settings::{EnvSettings, SettingsError};
