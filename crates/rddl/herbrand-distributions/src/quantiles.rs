//! One uniform number for all draws of a step.

use crate::draws::{DrawKey, Draws, Site};
use crate::error::ParameterError;
use crate::family::Family;

/// A source of draws that returns one uniform number for all of them: every draw of a step is the `u`-quantile of its
/// distribution. [`at`](Self::at) creates one.
///
/// With it, policies can be compared under common random numbers, and other engines can reproduce trajectories.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quantiles {
    u: f64,
}

impl Quantiles {
    /// Creates a source whose draws all use `u`. A number outside the open interval (0, 1) becomes the nearest number
    /// inside it. NaN stays NaN.
    #[must_use]
    pub fn at(u: f64) -> Self {
        Self {
            u: u.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0),
        }
    }

    /// Returns the number in (0, 1) that all draws use; NaN if it was created with NaN.
    #[must_use]
    pub const fn u(&self) -> f64 {
        self.u
    }
}

impl Draws for Quantiles {
    #[inline]
    fn uniform(&self, _site: Site) -> f64 {
        self.u
    }

    fn key(&self) -> Option<DrawKey> {
        Some(DrawKey::Quantile(self.u))
    }

    /// Each component is the quantile of its own marginal distribution. With a shared denominator, none of them would be.
    fn standard_students(&self, _site: Site, degrees: f64, into: &mut [f64]) -> Result<(), ParameterError> {
        into.fill(Family::Student.quantile(self.u, degrees, 0.0)?);
        Ok(())
    }
}
