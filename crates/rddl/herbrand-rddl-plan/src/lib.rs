//! Planners and analyses of problems in RDDL: everything that looks ahead from a state.
//!
//! A planner is an [`Agent`](herbrand_core::Agent): it chooses a joint action in each state of a compiled problem, a
//! [`CompiledInstance`](herbrand_rddl_sim::simulate::CompiledInstance). [`plan::evaluate`] runs an agent for whole
//! episodes, and [`plan::compare`] compares plans on the same random numbers.
//!
//! ```
//! use std::sync::Arc;
//! use herbrand_rddl_sim::suite::RddlSuite;
//! use herbrand_rddl_plan::plan::{EvaluateOptions, PlanOptions, SamplingPlanner, evaluate};
//!
//! let suite = RddlSuite::bundled("rddl/mountain-car")?;
//! let options = PlanOptions { lookahead: Some(5), candidates: Some(20), ..PlanOptions::default() };
//! let mut planner = SamplingPlanner::new(Arc::clone(suite.compiled(0)?), options);
//! let options = EvaluateOptions { steps: 3, episodes: 1, ..EvaluateOptions::default() };
//! let evaluation = evaluate(&mut suite.simulator(0)?, &mut planner, &options)?;
//! assert_eq!(evaluation.returns.len(), 1);
//! # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
//! ```
//!
//! # What is in it
//!
//! ```text
//!   Process ──roll-outs──▶ plan       random shooting, cross-entropy, trees (UCT), plans in files
//!      │                     ▲
//!      │                     └─────── portfolio: each planner in turn, the best plan of all ──▶ planners, by name
//!      ▼                              ▲
//!   StepGraph ──relax──▶ gradient ────┘   straight-line plans and small networks, by gradients
//!      ├──intervals──▶ interval           bounds of all fluents and of the return
//!      ├──diagrams──▶ xadd                one function per fluent, as a decision diagram
//!      └──reads──▶ network                the dependencies between fluents of two steps
//!
//!   ExactStep ──enumerate──▶ space        all states and transitions of a finite problem
//!                              └──▶ exact ──▶ table  an optimal policy, by dynamic programming, and as data
//! ```
//!
//! [`plan`] and [`portfolio`] need roll-outs only, so they work for every problem. [`gradient`], [`interval`], [`xadd`] and
//! [`network`] analyse the graph of one step, a [`StepGraph`](herbrand_rddl_sim::ground::StepGraph). A problem can have values
//! that an analysis does not support; the analysis then fails with a typed error that names the value.
//!
//! # What it is not
//!
//! It does not step problems: the simulator does, and it does not depend on this crate. Nothing here reads RDDL. The planners
//! of PDDL are in `herbrand-plan`; tree search for any language is in `herbrand-core`.
//!
//! # Where to start
//!
//! Read [`plan`] first: its `StraightLinePlanner` and its options are used by the other planners. The analyses are independent of each
//! other and of the planners.
//!
//! The crate `herbrand` re-exports the modules of this crate in `herbrand::rddl`: there, read `herbrand_rddl_plan` in the
//! examples as `herbrand::rddl`.

#[cfg(feature = "render")]
mod chart;
pub mod exact;
pub mod gradient;
mod inputs;
pub mod interval;
pub mod network;
mod norm;
pub mod plan;
pub mod planners;
pub mod portfolio;
pub mod space;
pub mod table;
pub mod xadd;
