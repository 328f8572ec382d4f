//! Planning under chance: policies instead of plans.
//!
//! What a policy is judged by, first things first:
//!
//! 1. the probability that it ever reaches the goal, which is to be as high as can be;
//! 2. what it costs on average *where it reaches the goal*, which is to be as low as can be among the policies that are best
//!    by the first criterion.
//!
//! This is the criterion of Teichteil-Königsbuch ("Stochastic safest and shortest path problems", AAAI 2012). Unlike the
//! expected cost of a stochastic shortest path problem it makes sense where dead ends cannot be avoided, and it needs no
//! made-up price of failure.
//!
//! ```text
//!   Simulator ──▶ ChanceTask ──▶ PolicyKind::policy ──▶ dyn Policy ──▶ evaluate    its exact value, by all states that it reaches
//!                                                             │
//!                                                             └──────▶ simulate    its value over many runs, with an error
//! ```
//!
//! [`PolicyKind::PolicyIteration`] and [`PolicyKind::Lao`] are exact: they enumerate states, all or those that they need.
//! [`PolicyKind::Uct`] and [`PolicyKind::Replan`] think while they act, and know nothing about their own value.

mod evaluate;
mod exact;
mod improve;
mod kind;
mod lao;
mod model;
mod policy;
mod replan;
mod solve;
mod task;
mod uct;

pub use evaluate::evaluate;
pub use kind::{PolicyKind, PolicyOptions, UctLeaf, UnknownPolicyPlanner};
pub use policy::{Policy, PolicyValue, Run, RunOptions, RunStatistics, simulate};
pub use task::ChanceTask;
