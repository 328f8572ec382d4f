//! Random draws of a step.
//!
//! Every draw is the quantile of one uniform number, so a distribution is defined once, by its quantile function
//! ([`Family::quantile`]), and an implementation of [`Draws`] says only where the numbers come from:
//!
//! * [`Generator`]: a function of the step's key and the draw's site, so draws need no order and no memory;
//! * [`Quantiles`]: one number for all draws of a step, which makes stochastic problems reproducible elsewhere.
//!
//! All arithmetic goes through `libm`, compiled from the same source everywhere: a seed gives the same draws, bit for
//! bit, on every platform.
//!
//! ```
//! use herbrand_rddl::draw::{Draws, Family, Generator, Quantiles, Site};
//!
//! let generator = Generator::keyed(7, 0, 0);
//! let u = generator.uniform(Site(3));
//! assert_eq!(u, Generator::keyed(7, 0, 0).uniform(Site(3)));
//!
//! let median = Quantiles::at(0.5).uniform(Site(0));
//! assert_eq!(Family::Normal.quantile(median, 2.0, 9.0), Ok(2.0));
//! ```

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

pub use choice::{Choice, bernoulli, choose};
pub use error::{ParameterError, ParameterFault};
pub use family::Family;
pub use generator::Generator;
pub use normal::normal_quantile;
pub(crate) use normal::{normal_centre, normal_flank};
pub use quantiles::Quantiles;
pub use vector::{cholesky, dirichlet, multinomial, multivariate_normal, multivariate_student};

/// The place of a draw within a step: each ground draw of a problem has its own.
///
/// A draw with several components takes as many consecutive sites.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site(pub u32);

impl Site {
    /// The site `offset` places further.
    #[must_use]
    pub const fn offset(self, offset: u32) -> Self {
        Self(self.0.wrapping_add(offset))
    }
}

/// What the draws of a step follow from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum DrawKey {
    /// The key of a [`Generator`].
    Word(u64),
    /// The number of [`Quantiles`].
    Quantile(f64),
}

/// The source of uniform numbers of one step.
pub trait Draws {
    /// The number of a site, in the open interval (0, 1). Asking again gives the same number.
    fn uniform(&self, site: Site) -> f64;

    /// The number of one of two sites: of the first one if `first` holds.
    #[inline]
    fn uniform_of_two(&self, first: bool, [a, b]: [Site; 2]) -> f64 {
        self.uniform(if first { a } else { b })
    }

    /// What all numbers follow from, if it is one word or one quantile: with that the step can be repeated.
    fn key(&self) -> Option<DrawKey> {
        None
    }

    /// A draw that is true with probability `p`.
    ///
    /// # Errors
    /// A `p` that is not between 0 and 1.
    #[inline]
    fn bernoulli(&self, site: Site, p: f64) -> Result<bool, ParameterError> {
        bernoulli(self.uniform(site), p)
    }

    /// A draw of a univariate distribution; `second` counts only for families with two parameters.
    ///
    /// # Errors
    /// As for [`Family::quantile`].
    #[inline]
    fn draw(&self, site: Site, family: Family, first: f64, second: f64) -> Result<f64, ParameterError> {
        family.quantile(self.uniform(site), first, second)
    }

    /// A draw of a place in a list of weights.
    ///
    /// # Errors
    /// As for [`Choice::total`].
    #[inline]
    fn choose(&self, site: Site, choice: Choice, weights: &[f64]) -> Result<usize, ParameterError> {
        choose(choice, weights, self.uniform(site))
    }

    /// Fills `into` with draws of the standardised components of a multivariate Student distribution with `degrees`
    /// degrees of freedom. Uses the sites from `site` on, one per component and one more.
    ///
    /// The components share one denominator, as the definition of the distribution asks for: they are uncorrelated
    /// but not independent.
    ///
    /// # Errors
    /// Degrees that are not positive.
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
