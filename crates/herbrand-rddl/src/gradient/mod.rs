//! Gradients of returns: what an action, or the weight of a policy, is worth.
//!
//! A step is [relaxed](Relaxed) so that all of it can be differentiated, in reverse mode: bools are numbers between 0 and 1, logic is
//! that of the product t-norm, comparisons are sigmoids, and draws are smooth functions of their parameters and of a uniform number.
//! [`Unrolled`] runs relaxed steps one after the other, in many lanes, and goes back through them. On that stand the planners:
//! [`GradientPlanner`] improves straight-line plans, once or anew in every state; [`ReactivePolicy`] trains a small network. Both are
//! judged by real steps, not by relaxed ones.
//!
//! ```text
//!   plan or network ──▶ actions ──▶ relaxed step ──▶ … ──▶ return
//!        ▲                             │ gradient              │
//!        └────────── Adam ◀────────────┴◀──────────────────────┘
//! ```

mod adam;
mod edge;
mod network;
mod planner;
mod policy;
mod program;
mod smooth;
mod squash;
mod step;
mod tape;
mod unroll;

pub use adam::Adam;
pub use network::Network;
pub use planner::{GradientOptions, GradientPlanner};
pub use policy::{ReactivePolicy, TrainOptions};
pub use program::{GradientError, Relaxed};
pub use step::RelaxedStep;
pub use unroll::{Acting, Unrolled};
