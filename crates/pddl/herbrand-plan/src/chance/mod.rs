//! Planning for probabilistic tasks: policies instead of plans.
//!
//! Policies are judged by two criteria, in this order:
//!
//! 1. the probability that the policy ever reaches the goal, to be maximised;
//! 2. the expected cost of the runs *that reach the goal*, to be minimised among the policies that are optimal by the first
//!    criterion.
//!
//! This is the criterion of Teichteil-Königsbuch ("Stochastic safest and shortest path problems", AAAI 2012). Unlike the
//! expected cost of a stochastic shortest path problem, it is defined even if dead ends cannot be avoided, and it needs no
//! artificial penalty for failure.
//!
//! ```text
//!   Simulator ──▶ ProbabilisticTask ──▶ PolicyKind::policy ──▶ dyn Policy ──▶ evaluate    its exact value, by all states that it reaches
//!                                                             │
//!                         └──▶ TaskWalker ────────────────────┴──▶ core::evaluate    its value over many runs, with an error
//! ```
//!
//! [`PolicyKind::PolicyIteration`], [`PolicyKind::ValueIteration`] and [`PolicyKind::Lao`] are exact: they enumerate all
//! states, or the states they need. [`policy_table`] lists the states of a policy with their actions and values, and an
//! [`ActionTable`] stores the actions.
//! [`PolicyKind::Uct`] and [`PolicyKind::Replan`] plan while they act, and do not know their value.

mod evaluate;
mod exact;
mod improve;
mod kind;
mod lao;
mod model;
mod policy;
mod replan;
mod rollouts;
mod saved;
mod solve;
mod sweep;
mod table;
mod task;
mod uct;
mod walker;

pub use evaluate::evaluate;
pub use kind::{PolicyKind, PolicyOptions, UctLeaf, UnknownPolicyPlanner};
pub use policy::{Policy, PolicyStatistics, PolicyValue};
pub use saved::{ActionRow, ActionTable, ActionTableError, TabledPolicy};
pub use table::{ActionValue, PolicyTable, TableState, policy_table};
pub use task::ProbabilisticTask;
pub use walker::TaskWalker;
