//! Random models for property tests (feature `strategies`): [`tasks`], [`domains`] and [`problems`] for `proptest`.
//!
//! A model is made in two steps. First, a strategy generates a *sketch*: a tree of numbers that encode choices. Every
//! sketch is valid, so `proptest` can shrink it freely by removing parts or moving choices towards the first alternative.
//! Second, the sketch is *resolved* to a model: each choice selects among the elements that are declared, in scope and of
//! the right type. So every model is well formed, and removing a part of a failing model leaves the other parts as they are.
//!
//! ```
//! use herbrand_pddl::strategies::{Shape, tasks};
//! use proptest::prelude::*;
//!
//! proptest!(|((domain, problem) in tasks(&Shape::default()))| {
//!     prop_assert_eq!(problem.domain_fingerprint, domain.fingerprint());
//! });
//! ```

mod domain;
mod effect;
mod formula;
mod generate;
mod needs;
mod problem;
mod scope;
mod shape;
mod sketch;

use proptest::strategy::{BoxedStrategy, Strategy};

use crate::model::{Domain, Problem};

pub use shape::{Recursion, Shape};

/// Returns a strategy for random well-formed domains of this shape. [`problems`] makes problems of one, and [`tasks`]
/// both at once. Panics if a range of the shape is empty.
pub fn domains(shape: &Shape) -> BoxedStrategy<Domain> {
    generate::domain(shape)
        .prop_map(|sketch| sketch.resolve())
        .boxed()
}

/// Returns a strategy for random well-formed problems of `domain`, which need not be a random one. Its constants are
/// the first objects of the problems. Panics if a range of the shape is empty.
pub fn problems(shape: &Shape, domain: &Domain) -> BoxedStrategy<Problem> {
    let domain = domain.clone();
    generate::problem(shape)
        .prop_map(move |sketch| sketch.resolve(&domain))
        .boxed()
}

/// Returns a strategy for random well-formed domains, each with a problem of it. Panics if a range of the shape is
/// empty.
pub fn tasks(shape: &Shape) -> BoxedStrategy<(Domain, Problem)> {
    (generate::domain(shape), generate::problem(shape))
        .prop_map(|(domain, problem)| {
            let domain = domain.resolve();
            let problem = problem.resolve(&domain);
            (domain, problem)
        })
        .boxed()
}
