//! Random models for property tests (feature `strategies`): [`tasks`], [`domains`] and [`problems`] for `proptest`.
//!
//! A model is made in two steps. The strategies generate a *sketch*: a tree of plain choices that is valid whatever the
//! choices are, so that `proptest` can shrink it freely, leave parts out or move a choice towards the first alternative.
//! Then the sketch is *resolved* into a model: a choice picks among what is declared, in scope and of the right type. So
//! every model is well formed, and leaving out a part of a failing one leaves the others as they are.
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

use crate::{Domain, Problem};

pub use shape::{Recursion, Shape};

/// Well-formed domains.
pub fn domains(shape: &Shape) -> BoxedStrategy<Domain> {
    generate::domain(shape)
        .prop_map(|sketch| sketch.resolve())
        .boxed()
}

/// Well-formed problems of a domain, random or not. Its constants are their first objects.
pub fn problems(shape: &Shape, domain: &Domain) -> BoxedStrategy<Problem> {
    let domain = domain.clone();
    generate::problem(shape)
        .prop_map(move |sketch| sketch.resolve(&domain))
        .boxed()
}

/// Well-formed domains, each with a problem.
pub fn tasks(shape: &Shape) -> BoxedStrategy<(Domain, Problem)> {
    (generate::domain(shape), generate::problem(shape))
        .prop_map(|(domain, problem)| {
            let domain = domain.resolve();
            let problem = problem.resolve(&domain);
            (domain, problem)
        })
        .boxed()
}
