//! Interval bounds of all fluents and of the return over a number of steps.
//!
//! Each value of a step is computed with intervals instead of numbers, starting from the initial state and from all possible
//! actions that satisfy the preconditions. Whatever the policy, simulated values are within the bounds as long as its actions
//! do so. A step narrows the state to values with which the episode goes on: state invariants hold, and no termination condition
//! does. A value that occurs several times in a sum counts once. The bounds may still be too wide, because other operands that
//! depend on each other are treated as independent.
//!
//! ```
//! use herbrand_limits::Budget;
//! use herbrand_rddl_plan::interval::{DrawCoverage, HorizonBounds};
//! use herbrand_rddl_sim::suite::RddlSuite;
//!
//! let suite = RddlSuite::bundled("rddl/mountain-car")?;
//! let bounds = HorizonBounds::new(&suite.compiled(0)?.instance, 20, DrawCoverage::Support, &Budget::unlimited())?;
//! assert_eq!(bounds.steps.len(), 20);
//! // A step costs at most a tenth, and the summit pays two at most.
//! assert!(bounds.total.high < 2.01 && bounds.total.low > -2.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backward;
mod draw;
mod horizon;
mod linear;
mod value;

pub use horizon::{HorizonBounds, LostBound, StartBounds, StepBounds};
pub use value::Interval;

/// The outcomes of each random draw that [`HorizonBounds`] cover. Only with [`DrawCoverage::Support`], the default, are
/// all simulated values within the bounds. [`HorizonBounds::new`] takes one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum DrawCoverage {
    /// All outcomes with positive probability.
    #[default]
    Support,
    /// The outcomes between two quantiles of the draw, given as probabilities from 0 to 1, lower first, which is not
    /// checked. A choice of items, a random vector, and a distribution whose parameters may be out of range cover all
    /// outcomes with positive probability.
    Between(f64, f64),
    /// The mean of the distribution. Bools, items, vectors and distributions without a mean, or whose parameters may be
    /// out of range, cover all outcomes with positive probability.
    Mean,
}
