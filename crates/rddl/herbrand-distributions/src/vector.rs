//! Draws of several numbers at once. Matrices are square, stored row by row. Nothing is allocated.

use super::counting::binomial_quantile;
use super::error::{ParameterError, ParameterFault};
use super::family::Family;
use super::gamma::gamma_quantile;
use super::normal::normal_quantile;
use super::{Draws, Site};

/// Replaces the lower triangle of a symmetric positive definite n × n matrix by its Cholesky factor. The part above the
/// diagonal is neither read nor written.
///
/// Returns whether the matrix is positive definite. If it is not, the factor is incomplete.
#[must_use]
pub fn cholesky(matrix: &mut [f64], n: usize) -> bool {
    for row in 0..n {
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
                return false;
            }
        }
    }
    true
}

/// Factors the covariance of a draw.
fn factor(distribution: &'static str, covariance: &mut [f64], n: usize) -> Result<(), ParameterError> {
    if cholesky(covariance, n) {
        return Ok(());
    }
    Err(ParameterError {
        distribution,
        parameter: "covariance",
        value: f64::NAN,
        fault: ParameterFault::NotPositiveDefinite,
    })
}

/// Replaces z by mean + L z, where `factor` holds L in its lower triangle.
fn transform(mean: &[f64], factor: &[f64], z: &mut [f64]) {
    let n = mean.len();
    for row in (0..n).rev() {
        let dot: f64 = (0..=row).map(|k| factor[row * n + k] * z[k]).sum();
        z[row] = mean[row] + dot;
    }
}

/// Draws from `MultivariateNormal(mean, covariance)` and writes the vector into `into`. The covariance is replaced by its
/// Cholesky factor.
///
/// # Errors
/// Fails if the covariance is not positive definite.
pub fn multivariate_normal(
    draws: &impl Draws,
    site: Site,
    mean: &[f64],
    covariance: &mut [f64],
    into: &mut [f64],
) -> Result<(), ParameterError> {
    factor("MultivariateNormal", covariance, mean.len())?;
    for (z, offset) in into.iter_mut().zip(0..) {
        *z = normal_quantile(draws.uniform(site.offset(offset)));
    }
    transform(mean, covariance, into);
    Ok(())
}

/// Draws from `MultivariateStudent(mean, covariance, degrees)` and writes the vector into `into`. The covariance is
/// replaced by its Cholesky factor.
///
/// # Errors
/// Fails if the covariance is not positive definite, or `degrees` is not positive.
pub fn multivariate_student(
    draws: &impl Draws,
    site: Site,
    mean: &[f64],
    covariance: &mut [f64],
    degrees: f64,
    into: &mut [f64],
) -> Result<(), ParameterError> {
    factor("MultivariateStudent", covariance, mean.len())?;
    draws.standard_students(site, degrees, into)?;
    transform(mean, covariance, into);
    Ok(())
}

/// Draws from `Dirichlet(concentrations)` and writes the vector into `into`.
///
/// # Errors
/// Fails if a concentration is not positive.
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

/// Draws from `Multinomial(trials, probabilities)` and writes the counts into `into`. Each count is binomial given the
/// counts before it.
///
/// # Errors
/// Fails if the number of trials is negative, not an integer or too large, if a probability is negative, or if the
/// probabilities do not sum to 1.
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
    super::Choice::Probabilities
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
