//! Distributions and sources of random numbers.
//!
//! Every draw is the quantile of one uniform number. A distribution is therefore defined once, by its quantile function
//! ([`Family::quantile`]), and an implementation of [`Draws`] only supplies the uniform numbers:
//!
//! * [`RandomGenerator`]: a function of the step's key and the draw's site, independent of the order of draws;
//! * [`Quantiles`]: the same number for all draws of a step, which makes stochastic problems reproducible in other engines.
//!
//! All arithmetic goes through `libm`, compiled from the same source everywhere. A seed gives the same draws, bit for bit,
//! on every platform.
//!
//! ```
//! use herbrand_distributions::{Draws, Family, Quantiles, RandomGenerator, Site};
//!
//! let generator = RandomGenerator::keyed(7, 0, 0);
//! let u = generator.uniform(Site(3));
//! assert_eq!(u, RandomGenerator::keyed(7, 0, 0).uniform(Site(3)));
//!
//! let median = Quantiles::at(0.5).uniform(Site(0));
//! assert_eq!(Family::Normal.quantile(median, 2.0, 9.0), Ok(2.0));
//! ```
//!
//! # What it is not
//!
//! There is no state to seed or advance: a source of [`Draws`] is a value, and asking it twice gives the same number. The
//! generator of actions and of episodes, which has a state, is `Random` of `herbrand-core`. There are no densities and no
//! fitting of parameters.
//!
//! # Where to start
//!
//! [`Family`] lists the univariate distributions; each has a module with its quantile function (`beta`, `gamma`, `normal`
//! and so on). [`WeightKind`] is a draw of one of several weights. `vector` has the distributions of vectors.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::rddl::draw`: there, read `herbrand_distributions` in the
//! examples as `herbrand::rddl::draw`.

mod beta;
mod choice;
mod counting;
mod draws;
mod error;
mod family;
mod gamma;
mod generator;
mod normal;
mod quantiles;
mod root;
mod stirling;
mod vector;

pub use choice::{WeightKind, bernoulli, choose};
pub use draws::{DrawKey, Draws, Site};
pub use error::{ParameterError, ParameterFault};
pub use family::Family;
pub use generator::RandomGenerator;
pub use normal::{normal_centre, normal_flank, normal_quantile};
pub use quantiles::Quantiles;
pub use vector::{cholesky, dirichlet, multinomial, multivariate_normal, multivariate_student};
