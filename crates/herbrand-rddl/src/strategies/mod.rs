//! Random instances for property tests (feature `strategies`).
//!
//! A list of numbers decides about everything: each time there is something to choose, the next number says which of the
//! possibilities it is, and once the list is at its end the first and simplest one is taken. So `proptest` shrinks an instance by
//! making the list shorter and its numbers smaller, and every list gives a well-typed instance with its domain.
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

/// How large random instances are.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The most pvariables of each kind.
    pub pvariables: usize,
    /// The most objects of a type.
    pub objects: usize,
    /// How deep expressions are.
    pub depth: usize,
    /// How many choices are made at random; all that come after them are the simplest.
    pub choices: usize,
    /// Whether there are random draws.
    pub draws: Drawing,
}

/// Whether random instances draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// Everything is certain.
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

/// Well-typed instances, each with a domain of its own.
pub fn instances(shape: &Shape) -> BoxedStrategy<Instance> {
    texts(shape)
        .prop_map(|(domain, instance)| {
            Instance::from_text(&domain, &instance).unwrap_or_else(|faults| {
                panic!("a strategy made a faulty text: {faults}\n{domain}\n{instance}")
            })
        })
        .boxed()
}

/// The texts of well-typed instances: of the domain, and of the instance.
pub fn texts(shape: &Shape) -> BoxedStrategy<(String, String)> {
    let shape = shape.clone();
    proptest::collection::vec(any::<u32>(), 0..=shape.choices)
        .prop_map(move |numbers| sketch::texts(&shape, numbers))
        .boxed()
}
