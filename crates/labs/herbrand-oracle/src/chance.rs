//! Exact enumeration of the outcomes of probabilistic effects.

use herbrand_pddl::Probability;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use crate::error::OracleError;

/// The maximum number of combinations that are enumerated.
const LIMIT: usize = 1 << 12;

/// A list of outcomes. Each outcome is a probability and the changes that it makes.
pub(crate) type Distribution<T> = Vec<(f64, Vec<T>)>;

/// Returns the distribution that certainly makes no change.
pub(crate) fn nothing<T>() -> Distribution<T> {
    vec![(1.0, Vec::new())]
}

/// Returns the joint distribution of two independent distributions. Fails if there are more than [`LIMIT`] combinations.
pub(crate) fn product<T: Clone>(
    left: &Distribution<T>,
    right: &Distribution<T>,
) -> Result<Distribution<T>, OracleError> {
    if left.len().saturating_mul(right.len()) > LIMIT {
        return Err(OracleError::TooManyOutcomes(LIMIT));
    }
    let pairs = left.iter().flat_map(|(p, first)| {
        right
            .iter()
            .map(move |(q, second)| (p * q, [first.as_slice(), second].concat()))
    });
    Ok(pairs.collect())
}

/// Returns the distribution of a draw: one of the alternatives, or no change with the remaining probability.
///
/// The remaining probability is computed with exact fractions. If the probabilities sum to more than 1, which the checker
/// accepts up to 1 + 1e-9, they are divided by their sum.
pub(crate) fn choice<A, T>(
    alternatives: &[(Probability, A)],
    mut enumerate: impl FnMut(&A) -> Result<Distribution<T>, OracleError>,
) -> Result<Distribution<T>, OracleError> {
    let one = BigRational::one();
    let sum = alternatives
        .iter()
        .fold(BigRational::zero(), |sum, (probability, _)| {
            sum + exact(*probability)
        });
    let whole = if sum > one { sum.clone() } else { one };
    let mut all = Vec::new();
    for (probability, alternative) in alternatives {
        if *probability != Probability::ZERO {
            let share = float(&(exact(*probability) / &whole));
            let inner = enumerate(alternative)?.into_iter();
            all.extend(inner.map(|(p, happens)| (share * p, happens)));
        }
    }
    if sum < whole {
        all.push((float(&(whole - sum)), Vec::new()));
    }
    Ok(all)
}

fn exact(probability: Probability) -> BigRational {
    let (numerator, denominator) = (probability.numerator(), probability.denominator());
    BigRational::new(numerator.into(), denominator.into())
}

fn float(value: &BigRational) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}
