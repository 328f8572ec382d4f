//! Distributions over what happens.

use herbrand_pddl::Probability;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use crate::OracleError;

/// The most combinations that are enumerated.
const LIMIT: usize = 1 << 12;

/// What can happen, each with its probability.
pub(crate) type Distribution<T> = Vec<(f64, Vec<T>)>;

/// Nothing happens, for certain.
pub(crate) fn nothing<T>() -> Distribution<T> {
    vec![(1.0, Vec::new())]
}

/// Both happen, independently.
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

/// One of the alternatives happens, or nothing with what is left of 1.
///
/// What is left is that of exact fractions. A sum above 1, which the checker lets pass up to 1e-9, is scaled to 1.
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
