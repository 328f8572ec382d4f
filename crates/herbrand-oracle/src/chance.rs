//! Distributions over what happens.

use herbrand_pddl::Probability;

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
/// A rest below 1e-12 is the rounding of fractions such as 1/3 and is nothing; a sum above 1, which the checker lets
/// pass up to 1e-9, is scaled to 1.
pub(crate) fn choice<A, T>(
    alternatives: &[(Probability, A)],
    mut enumerate: impl FnMut(&A) -> Result<Distribution<T>, OracleError>,
) -> Result<Distribution<T>, OracleError> {
    let sum: f64 = alternatives
        .iter()
        .map(|(probability, _)| probability.value())
        .sum();
    let whole = if sum > 1.0 - 1e-12 { sum } else { 1.0 };
    let mut all = Vec::new();
    for (probability, alternative) in alternatives {
        if probability.value() > 0.0 {
            let inner = enumerate(alternative)?.into_iter();
            all.extend(inner.map(|(p, happens)| (probability.value() / whole * p, happens)));
        }
    }
    if sum < whole {
        all.push((1.0 - sum, Vec::new()));
    }
    Ok(all)
}
