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
pub use error::{ParameterError, ParameterFault};
pub use family::Family;
pub use generator::RandomGenerator;
pub use normal::{normal_centre, normal_flank, normal_quantile};
pub use quantiles::Quantiles;
pub use vector::{cholesky, dirichlet, multinomial, multivariate_normal, multivariate_student};

/// The number of a random draw within a step: a source of [`Draws`] returns a uniform number per site. Each ground draw of
/// an RDDL problem has its own site (`Sites` of `herbrand-rddl` assigns them), so evaluators in any order draw the same
/// numbers.
///
/// A draw of a vector takes consecutive sites: one per component, and one more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site(pub u32);

impl Site {
    /// Returns the site whose number is greater by `offset`; numbers wrap around at 2^32.
    #[must_use]
    pub const fn offset(self, offset: u32) -> Self {
        Self(self.0.wrapping_add(offset))
    }
}

/// A key from which all random numbers of one step can be reproduced. [`Draws::key`] returns it; traces store it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum DrawKey {
    /// The key of a [`RandomGenerator`], by [`RandomGenerator::from_key`].
    Word(u64),
    /// The number that all draws use, by [`Quantiles::at`].
    Quantile(f64),
}

/// A source of uniform random numbers for the draws of one step.
pub trait Draws {
    /// Returns the uniform random number that belongs to `site`, in the open interval (0, 1). Repeated calls return the same
    /// number.
    fn uniform(&self, site: Site) -> f64;

    /// Returns the uniform number of the first site if `first` holds, else of the second.
    #[inline]
    fn uniform_of_two(&self, first: bool, [a, b]: [Site; 2]) -> f64 {
        self.uniform(if first { a } else { b })
    }

    /// Returns the key that reproduces all numbers of the step; `None`, the default, if the source has no such key.
    fn key(&self) -> Option<DrawKey> {
        None
    }

    /// Draws a bool that is true with probability `p`, from the uniform number of `site`.
    ///
    /// # Errors
    /// Fails if `p` is not between 0 and 1.
    #[inline]
    fn bernoulli(&self, site: Site, p: f64) -> Result<bool, ParameterError> {
        bernoulli(self.uniform(site), p)
    }

    /// Draws a number from the distribution `family` with the parameters `first` and `second`, in RDDL's order, such as mean
    /// and variance of `Normal`. Families with one parameter ignore `second`. The result is the quantile at the uniform
    /// number of `site`.
    ///
    /// # Errors
    /// Fails like [`Family::quantile`].
    #[inline]
    fn draw(&self, site: Site, family: Family, first: f64, second: f64) -> Result<f64, ParameterError> {
        family.quantile(self.uniform(site), first, second)
    }

    /// Draws an index into `weights`, from the uniform number of `site`. `choice` says whether the weights are
    /// probabilities.
    ///
    /// # Errors
    /// Fails like [`WeightKind::total`].
    #[inline]
    fn choose(&self, site: Site, choice: WeightKind, weights: &[f64]) -> Result<usize, ParameterError> {
        choose(choice, weights, self.uniform(site))
    }

    /// Fills `into` with standardised components of a multivariate Student distribution with `degrees` degrees of freedom:
    /// location 0 and the identity as scale matrix. Uses one site per component and one more, from `site` on.
    ///
    /// The components share one denominator, as the definition of the distribution requires: they are uncorrelated but not
    /// independent.
    ///
    /// # Errors
    /// Fails if `degrees` is not positive.
    fn standard_students(&self, site: Site, degrees: f64, into: &mut [f64]) -> Result<(), ParameterError> {
        let shared = site.offset(u32::try_from(into.len()).unwrap_or(u32::MAX));
        let square = Family::ChiSquare.quantile(self.uniform(shared), degrees, 0.0)?;
        let scale = (degrees / square).sqrt();
        for (component, offset) in into.iter_mut().zip(0..) {
            *component = normal_quantile(self.uniform(site.offset(offset))) * scale;
        }
        Ok(())
    }
}
