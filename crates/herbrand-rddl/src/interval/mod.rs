//! Bounds of all fluents, and of the return, over a number of steps.
//!
//! Every value of a step is computed with intervals in place of numbers, starting from the initial state and from all values that
//! actions may take. What the simulator does is within the bounds, whoever acts; the bounds may be wider than what can happen,
//! because values that depend on each other are taken to be independent.
//!
//! ```
//! use herbrand_limits::Budget;
//! use herbrand_rddl::interval::{HorizonBounds, Spread};
//! use herbrand_rddl::suite::RddlSuite;
//!
//! let suite = RddlSuite::bundled("rddl/mountain-car")?;
//! let bounds = HorizonBounds::new(&suite.process(0)?.instance, 20, Spread::Support, &Budget::unlimited())?;
//! assert_eq!(bounds.steps.len(), 20);
//! // A step costs at most a tenth, and the summit pays two at most.
//! assert!(bounds.total.high < 2.01 && bounds.total.low > -2.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod draw;
mod horizon;
mod value;

pub use horizon::{HorizonBounds, Start, StepBounds};
pub use value::Interval;

/// What draws are taken to come to.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Spread {
    /// Whatever has a probability, however small.
    #[default]
    Support,
    /// What lies between two quantiles. A choice of items may be any item.
    Between(f64, f64),
    /// The mean of the distribution; what has none, and bools and items, may come to whatever has a probability.
    Mean,
}
