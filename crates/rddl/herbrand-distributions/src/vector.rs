//! Draws of vectors. Matrices are square slices of length n · n, stored row by row. Nothing is allocated.
//!
//! The caller supplies the output slice `into`. If slices are shorter than stated, a function may panic.

use crate::counting::binomial_quantile;
use crate::draws::{Draws, Site};
use crate::error::{ParameterError, ParameterFault};
use crate::family::Family;
use crate::gamma::gamma_quantile;
use crate::normal::normal_quantile;

/// Replaces the lower triangle (with the diagonal) of a symmetric positive definite n × n matrix by its Cholesky factor: the
/// L with L Lᵀ equal to the matrix. The part above the diagonal is neither read nor written.
///
/// `matrix` holds at least n · n numbers, row by row; it panics if it is shorter.
///
/// Returns whether the matrix is positive definite. If it is not, the lower triangle is partly overwritten. With `n` 0
/// it is, and with a NaN in the lower triangle it is not.
///
/// # Errors
/// Calls `ask` before each row, and stops with its error.
pub fn cholesky<E>(matrix: &mut [f64], n: usize, mut ask: impl FnMut() -> Result<(), E>) -> Result<bool, E> {
    for row in 0..n {
        ask()?;
        for column in 0..=row {
            let dot: f64 = (0..column)
                .map(|k| matrix[row * n + k] * matrix[column * n + k])
                .sum();
            let rest = matrix[row * n + column] - dot;
            if row != column {
                matrix[row * n + column] = rest / matrix[column * n + column];
            } else if rest > 0.0 {
                matrix[row * n + row] = rest.sqrt();
            } else {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Factors the covariance of a draw.
fn factor<E: From<ParameterError>>(
    distribution: &'static str,
    covariance: &mut [f64],
    n: usize,
    ask: impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    if cholesky(covariance, n, ask)? {
        return Ok(());
    }
    Err(E::from(ParameterError {
        distribution,
        parameter: "covariance",
        value: f64::NAN,
        fault: ParameterFault::NotPositiveDefinite,
    }))
}

/// Replaces z by mean + L z, where `factor` holds L in its lower triangle.
fn transform(mean: &[f64], factor: &[f64], z: &mut [f64]) {
    let n = mean.len();
    for row in (0..n).rev() {
        let dot: f64 = (0..=row).map(|k| factor[row * n + k] * z[k]).sum();
        z[row] = mean[row] + dot;
    }
}

/// Draws a vector of n = `mean.len()` components from `MultivariateNormal(mean, covariance)` and writes it into `into`,
/// which has length n. `covariance` is n × n, row by row; only its lower triangle is read, and it is overwritten by the
/// Cholesky factor. Uses n consecutive sites from `site` on.
///
/// # Errors
/// Fails if the covariance is not positive definite. Calls `ask` before each row of the Cholesky factor, and stops with its
/// error.
///
/// # Panics
/// Panics if `covariance` or `into` is too short.
pub fn multivariate_normal<E: From<ParameterError>>(
    draws: &impl Draws,
    site: Site,
    mean: &[f64],
    covariance: &mut [f64],
    into: &mut [f64],
    ask: impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    factor("MultivariateNormal", covariance, mean.len(), ask)?;
    for (z, offset) in into.iter_mut().zip(0..) {
        *z = normal_quantile(draws.uniform(site.offset(offset)));
    }
    transform(mean, covariance, into);
    Ok(())
}

/// Draws a vector of n = `mean.len()` components from `MultivariateStudent(mean, covariance, degrees)` and writes it into
/// `into`, which has length n. `covariance` is the scale matrix, n × n, row by row; only its lower triangle is read, and it
/// is overwritten by the Cholesky factor. Uses n + 1 consecutive sites from `site` on.
///
/// # Errors
/// Fails if the scale matrix is not positive definite, or `degrees` is not positive. Calls `ask` like
/// [`multivariate_normal`].
///
/// # Panics
/// Panics if `covariance` or `into` is too short.
pub fn multivariate_student<E: From<ParameterError>>(
    draws: &impl Draws,
    site: Site,
    mean: &[f64],
    covariance: &mut [f64],
    degrees: f64,
    into: &mut [f64],
    ask: impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    factor("MultivariateStudent", covariance, mean.len(), ask)?;
    draws.standard_students(site, degrees, into)?;
    transform(mean, covariance, into);
    Ok(())
}

/// Draws a probability vector from `Dirichlet(concentrations)` and writes it into `into`, which has the same length.
/// Uses one site per component, from `site` on. The parts sum to 1. They are NaN if every draw underflows to 0, which
/// only tiny concentrations cause, and some are NaN with an infinite concentration. No concentrations give no parts.
///
/// # Errors
/// Fails if a concentration is not positive. Earlier parts of `into` are then overwritten.
pub fn dirichlet(
    draws: &impl Draws,
    site: Site,
    concentrations: &[f64],
    into: &mut [f64],
) -> Result<(), ParameterError> {
    let mut total = 0.0;
    for ((part, &a), offset) in into.iter_mut().zip(concentrations).zip(0..) {
        if a <= 0.0 || a.is_nan() {
            return Err(ParameterError {
                distribution: "Dirichlet",
                parameter: "a concentration",
                value: a,
                fault: ParameterFault::NotPositive,
            });
        }
        *part = gamma_quantile(a, draws.uniform(site.offset(offset)));
        total += *part;
    }
    into.iter_mut().for_each(|part| *part /= total);
    Ok(())
}

/// Draws from `Multinomial(trials, probabilities)` and writes into `into` the number of trials for each probability, as
/// whole numbers. `into` has the length of `probabilities`. Uses one site per component, from `site` on. Each count is
/// binomial given the counts before it. With 0 trials, all counts are 0.
///
/// # Errors
/// Fails if the number of trials is negative, not an integer or at least 2^53, if a probability is negative, or if the
/// probabilities do not sum to 1 (within 10⁻⁵), as without any. Nothing is written then.
pub fn multinomial(
    draws: &impl Draws,
    site: Site,
    trials: f64,
    probabilities: &[f64],
    into: &mut [f64],
) -> Result<(), ParameterError> {
    Family::Binomial
        .check(trials, 0.0)
        .and_then(|()| Family::Binomial.counted(trials, trials, 0.0))
        .map_err(|error| ParameterError {
            distribution: "Multinomial",
            ..error
        })?;
    crate::choice::WeightKind::Probabilities
        .total(probabilities)
        .map_err(|error| ParameterError {
            distribution: "Multinomial",
            ..error
        })?;
    let (mut left, mut rest) = (trials, 1.0);
    let last = probabilities.len().saturating_sub(1);
    for (i, (count, &p)) in into.iter_mut().zip(probabilities).enumerate() {
        let share = if i == last || p >= rest { 1.0 } else { p / rest };
        let u = draws.uniform(site.offset(u32::try_from(i).unwrap_or(u32::MAX)));
        *count = if share > 0.0 {
            binomial_quantile(left, share, u)
        } else {
            0.0
        };
        left -= *count;
        rest -= p;
    }
    Ok(())
}
