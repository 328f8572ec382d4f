//! The cost of a walk.

use crate::request::JointTexts;

/// The cost of a walk that grows and is cut, by the metric of a problem. [`Played::cost`](crate::Played::cost) returns one.
pub trait WalkCosts: Send + std::fmt::Debug {
    /// Returns the number of steps of the walk.
    fn steps(&self) -> usize;

    /// Adds a step.
    fn push(&mut self, step: &JointTexts);

    /// Cuts the walk to this number of steps or fewer; a caller then adds the missing steps again.
    fn cut(&mut self, steps: usize);

    /// Returns the cost of the walk; `None` if it is unknown.
    fn cost(&self) -> Option<f64>;
}
