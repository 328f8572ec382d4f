//! Draws of one of several values.

use crate::error::{ParameterError, ParameterFault};

/// The RDDL distribution that draws one of several values: it determines how the weights are interpreted.
/// Passed to [`choose`] and [`Draws::choose`](crate::Draws::choose).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WeightKind {
    /// `Discrete`: probabilities that sum to 1.
    Probabilities,
    /// `UnnormDiscrete`: weights, divided by their sum.
    Weights,
}

/// The maximum difference between 1 and a sum of probabilities.
const TOLERANCE: f64 = 1e-5;

impl WeightKind {
    /// Returns the name of the distribution in RDDL.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Probabilities => "Discrete",
            Self::Weights => "UnnormDiscrete",
        }
    }

    /// Checks the weights and returns the total by which they are divided: 1 for [`WeightKind::Probabilities`], their
    /// sum for [`WeightKind::Weights`]. No weights are a fault too.
    ///
    /// # Errors
    /// Fails if a weight is negative or NaN, if probabilities do not sum to 1 (within 10⁻⁵), or if the sum of weights is 0
    /// or not finite.
    #[inline]
    pub fn total(self, weights: &[f64]) -> Result<f64, ParameterError> {
        let fault = |parameter, value, fault| ParameterError {
            distribution: self.name(),
            parameter,
            value,
            fault,
        };
        let mut total = 0.0;
        for &weight in weights {
            if weight < 0.0 || weight.is_nan() {
                return Err(fault("a weight", weight, ParameterFault::Negative));
            }
            total += weight;
        }
        match self {
            Self::Probabilities if (total - 1.0).abs() > TOLERANCE => {
                Err(fault("the probabilities", total, ParameterFault::SumNotOne))
            }
            Self::Weights if total == 0.0 || !total.is_finite() => {
                Err(fault("the weights", total, ParameterFault::SumNotPositive))
            }
            Self::Probabilities => Ok(1.0),
            Self::Weights => Ok(total),
        }
    }
}

/// Draws one of several values: returns the index of the first weight whose cumulative sum (divided by the total for
/// [`WeightKind::Weights`]) exceeds the uniform number `u`; 0 if none does, because of rounding. `u` must be between 0
/// and 1, which is not checked.
///
/// # Errors
/// Fails like [`WeightKind::total`].
#[inline]
pub fn choose(choice: WeightKind, weights: &[f64], u: f64) -> Result<usize, ParameterError> {
    let total = choice.total(weights)?;
    let mut sum = 0.0;
    let chosen = weights.iter().position(|&weight| {
        sum += weight;
        u < sum / total
    });
    Ok(chosen.unwrap_or(0))
}

/// Draws an event of probability `p`: returns whether `u` ≤ `p`, where `u` is a uniform number in (0, 1), which is not
/// checked. With `p` 0 the event never happens, with 1 it always does.
///
/// # Errors
/// Fails if `p` is not between 0 and 1, or is NaN.
#[inline]
pub fn bernoulli(u: f64, p: f64) -> Result<bool, ParameterError> {
    if (0.0..=1.0).contains(&p) {
        return Ok(u <= p);
    }
    Err(ParameterError {
        distribution: "Bernoulli",
        parameter: "probability",
        value: p,
        fault: ParameterFault::NotAProbability,
    })
}
