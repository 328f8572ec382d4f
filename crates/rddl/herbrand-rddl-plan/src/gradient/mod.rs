//! Planning by gradients of returns with respect to actions or policy weights.
//!
//! A step is [relaxed](Relaxed) so that it can be differentiated in reverse mode. Bools become numbers between 0 and 1,
//! logic becomes a [t-norm](TNorm), and comparisons become sigmoids. Draws become smooth functions of their parameters
//! and of a uniform number. A [`Relaxation`] has other functions for single operators. [`Unrolled`] chains relaxed
//! steps in many lanes and back-propagates through them.
//!
//! There are two planners. [`GradientPlanner`] improves straight-line plans, once or again in every state.
//! [`ReactivePolicy`] trains a small network. Both are evaluated on real steps, not on relaxed ones.
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
mod plans;
mod policy;
mod program;
mod relaxation;
mod smooth;
mod squash;
mod step;
mod tape;
mod training;
mod unroll;

pub use crate::norm::TNorm;
pub use adam::Adam;
pub use network::NeuralNetwork;
pub use planner::GradientPlanner;
pub use policy::ReactivePolicy;
pub use program::{GradientError, Relaxed};
pub use relaxation::{Operator, Relaxation, SmoothFunction};
pub use step::RelaxedStep;
pub use unroll::{Acting, Unrolled};
