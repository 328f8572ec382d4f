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

use crate::model::Instance;

/// The size of the random instances of [`instances`] and [`texts`]. The default has up to 3 pvariables per kind, 3
/// objects per type, depth 4, 400 choices and all draws.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The maximum number of pvariables per kind. There is at least one state fluent and one action fluent.
    pub pvariables: usize,
    /// The maximum number of objects per type; at least one is made.
    pub objects: usize,
    /// The maximum depth of expressions.
    pub depth: usize,
    /// The maximum length of the sequence of numbers. Each number determines one choice. Later choices take the simplest
    /// alternative.
    pub choices: usize,
    /// The random draws that formulas may contain.
    pub draws: Drawing,
}

/// The random draws that the formulas of random instances may contain: a value of [`Shape::draws`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// No draws: the instance is deterministic.
    None,
    /// Bernoulli draws and choices of items.
    Discrete,
    /// Also draws from distributions of numbers, such as `Poisson` and `Normal`, but not of vectors.
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

/// Returns a `proptest` strategy for well-typed instances of at most the size `shape`, each with its own domain.
pub fn instances(shape: &Shape) -> BoxedStrategy<Instance> {
    texts(shape)
        .prop_map(|(domain, instance)| {
            Instance::from_text(&domain, &instance).unwrap_or_else(|faults| {
                panic!("a strategy made a faulty text: {faults}\n{domain}\n{instance}")
            })
        })
        .boxed()
}

/// Returns a `proptest` strategy for pairs of RDDL texts, a domain and an instance of it, without faults.
/// [`Instance::from_text`] reads such a pair.
pub fn texts(shape: &Shape) -> BoxedStrategy<(String, String)> {
    let shape = shape.clone();
    proptest::collection::vec(any::<u32>(), 0..=shape.choices)
        .prop_map(move |numbers| sketch::texts(&shape, numbers))
        .boxed()
}
