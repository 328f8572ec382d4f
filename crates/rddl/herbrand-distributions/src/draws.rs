//! Sources of random numbers, and the draws that they offer.

use crate::choice::{WeightKind, bernoulli, choose};
use crate::error::ParameterError;
use crate::family::Family;
use crate::normal::normal_quantile;

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
    /// The key of a [`RandomGenerator`](crate::RandomGenerator), by [`from_key`](crate::RandomGenerator::from_key).
    Word(u64),
    /// The number that all draws use, by [`Quantiles::at`](crate::Quantiles::at).
    Quantile(f64),
}

/// A source of uniform random numbers for the draws of one step. [`RandomGenerator`](crate::RandomGenerator) and
/// [`Quantiles`](crate::Quantiles) implement it. No draw is consumed: the same site always gives the same number.
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
