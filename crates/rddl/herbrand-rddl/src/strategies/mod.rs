//! Random instances for property tests (feature `strategies`).
//!
//! A sequence of numbers determines every choice: each number selects one of the alternatives. After the end of the sequence
//! the first and simplest alternative is selected. So `proptest` shrinks an instance by shortening the sequence and making
//! its numbers smaller, and every sequence yields a well-typed instance with its domain.
//!
//! ```
//! use herbrand_rddl::strategies::{Shape, instances};
//! use proptest::prelude::*;
//!
//! proptest!(|(instance in instances(&Shape::default()))| {
//!     prop_assert!(!instance.domain.cpfs.is_empty());
//! });
//! ```

mod choices;
mod expression;
mod sketch;

use proptest::prelude::*;

use crate::Instance;

/// The size of the random instances of [`instances`].
#[derive(Clone, Debug)]
pub struct Shape {
    /// The maximum number of pvariables per kind.
    pub pvariables: usize,
    /// The maximum number of objects per type.
    pub objects: usize,
    /// The maximum depth of expressions.
    pub depth: usize,
    /// The maximum number of random choices. Later choices take the simplest alternative.
    pub choices: usize,
    /// The random draws that formulas may contain.
    pub draws: Drawing,
}

/// The random draws that the formulas of random instances may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// No draws: the instance is deterministic.
    None,
    /// Bernoulli draws and choices of items.
    Discrete,
    /// Draws from all distributions.
    All,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            pvariables: 3,
            objects: 3,
            depth: 4,
            choices: 400,
            draws: Drawing::All,
        }
    }
}

/// Returns a strategy for well-typed instances, each with its own domain.
pub fn instances(shape: &Shape) -> BoxedStrategy<Instance> {
    texts(shape)
        .prop_map(|(domain, instance)| {
            Instance::from_text(&domain, &instance).unwrap_or_else(|faults| {
                panic!("a strategy made a faulty text: {faults}\n{domain}\n{instance}")
            })
        })
        .boxed()
}

/// Returns a strategy for the texts of well-typed instances: the domain and the instance.
pub fn texts(shape: &Shape) -> BoxedStrategy<(String, String)> {
    let shape = shape.clone();
    proptest::collection::vec(any::<u32>(), 0..=shape.choices)
        .prop_map(move |numbers| sketch::texts(&shape, numbers))
        .boxed()
}
