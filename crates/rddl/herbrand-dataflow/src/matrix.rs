//! Algorithms on square matrices, stored row by row in slices. Nothing is allocated. Their time grows with the cube of the
//! size, so they check the enclosing budgets.

use herbrand_distributions::{
    Draws, Site, cholesky, dirichlet, multinomial, multivariate_normal, multivariate_student,
};
use herbrand_limits::{BudgetExhausted, check_enclosing};

use crate::fault::{PASS, ValueError};
use crate::operation::VectorOp;

/// The size of a matrix from which on the budgets are checked.
const LARGE: usize = 64;

/// Checks the enclosing budgets before a pass over the rows of a matrix of size `n`, unless it is small.
fn ask(n: usize) -> Result<(), BudgetExhausted> {
    if n < LARGE { Ok(()) } else { check_enclosing(PASS) }
}

/// Returns the determinant, computed by elimination with partial pivoting. Overwrites the matrix.
fn determinant(matrix: &mut [f64], n: usize) -> Result<f64, BudgetExhausted> {
    let mut product = 1.0;
    for column in 0..n {
        ask(n)?;
        let pivot = pivot_row(matrix, n, column);
        if pivot != column {
            swap_rows(matrix, n, pivot, column);
            product = -product;
        }
        let head = matrix[column * n + column];
        product *= head;
        if head == 0.0 {
            return Ok(0.0);
        }
        for row in column + 1..n {
            let factor = matrix[row * n + column] / head;
            subtract_row(matrix, n, row, column, factor);
        }
    }
    Ok(product)
}

/// Writes the inverse into `inverse` by Gauss–Jordan elimination and overwrites the matrix. Returns `false` if it is
/// singular.
fn invert(matrix: &mut [f64], n: usize, inverse: &mut [f64]) -> Result<bool, BudgetExhausted> {
    inverse.fill(0.0);
    inverse.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
    for column in 0..n {
        ask(n)?;
        let pivot = pivot_row(matrix, n, column);
        swap_rows(matrix, n, pivot, column);
        swap_rows(inverse, n, pivot, column);
        let head = matrix[column * n + column];
        if head == 0.0 {
            return Ok(false);
        }
        for k in 0..n {
            matrix[column * n + k] /= head;
            inverse[column * n + k] /= head;
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = matrix[row * n + column];
            subtract_row(matrix, n, row, column, factor);
            subtract_row(inverse, n, row, column, factor);
        }
    }
    Ok(true)
}

fn pivot_row(matrix: &[f64], n: usize, column: usize) -> usize {
    let size = |row: usize| matrix[row * n + column].abs();
    (column..n).fold(
        column,
        |best, row| if size(row) > size(best) { row } else { best },
    )
}

fn swap_rows(matrix: &mut [f64], n: usize, a: usize, b: usize) {
    for k in 0..n {
        matrix.swap(a * n + k, b * n + k);
    }
}

fn subtract_row(matrix: &mut [f64], n: usize, row: usize, other: usize, factor: f64) {
    for k in 0..n {
        matrix[row * n + k] -= factor * matrix[other * n + k];
    }
}

/// Computes the Moore–Penrose inverse by Hestenes' one-sided Jacobi rotations: A V = U Σ, so A⁺ = V Σ⁻¹ Uᵀ. Singular values
/// below 10⁻¹⁵ of the largest count as 0. Overwrites the matrix. `work` must hold at least n² numbers.
fn pseudo_inverse(
    matrix: &mut [f64],
    n: usize,
    work: &mut [f64],
    inverse: &mut [f64],
) -> Result<(), BudgetExhausted> {
    let v = &mut work[..n * n];
    v.fill(0.0);
    v.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
    for _ in 0..60 {
        let mut rotated = false;
        for p in 0..n {
            ask(n)?;
            for q in p + 1..n {
                rotated |= orthogonalise(matrix, v, n, p, q);
            }
        }
        if !rotated {
            break;
        }
    }
    let square = |matrix: &[f64], column: usize| dot(matrix, n, column, column);
    let largest = (0..n).map(|column| square(matrix, column)).fold(0.0, f64::max);
    inverse.fill(0.0);
    for k in (0..n).filter(|&k| square(matrix, k) > largest * 1e-30) {
        ask(n)?;
        let scale = 1.0 / square(matrix, k);
        for row in 0..n {
            for column in 0..n {
                inverse[row * n + column] += v[row * n + k] * matrix[column * n + k] * scale;
            }
        }
    }
    Ok(())
}

fn dot(matrix: &[f64], n: usize, p: usize, q: usize) -> f64 {
    (0..n).map(|row| matrix[row * n + p] * matrix[row * n + q]).sum()
}

/// Rotates two columns to make them orthogonal. Returns `false` if they already are.
fn orthogonalise(matrix: &mut [f64], v: &mut [f64], n: usize, p: usize, q: usize) -> bool {
    let (pp, qq, pq) = (dot(matrix, n, p, p), dot(matrix, n, q, q), dot(matrix, n, p, q));
    if pq.abs() <= f64::EPSILON * (pp * qq).sqrt() || pq == 0.0 {
        return false;
    }
    let zeta = (qq - pp) / (2.0 * pq);
    let tangent = 1.0_f64.copysign(zeta) / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = cosine * tangent;
    for columns in [matrix, v] {
        for row in 0..n {
            let (x, y) = (columns[row * n + p], columns[row * n + q]);
            columns[row * n + p] = cosine * x - sine * y;
            columns[row * n + q] = sine * x + cosine * y;
        }
    }
    true
}

/// Replaces a symmetric matrix by its lower Cholesky factor, with zeros above the diagonal. Returns `false` if it is not
/// positive definite.
fn cholesky_factor(matrix: &mut [f64], n: usize) -> Result<bool, BudgetExhausted> {
    let factored = cholesky(matrix, n, || ask(n))?;
    for row in 0..n {
        matrix[row * n + row + 1..(row + 1) * n].fill(0.0);
    }
    Ok(factored)
}

/// Applies a vector operation of size `n` to scratch copies of its operands. Fails if it has no value, or if an enclosing
/// budget is spent.
pub(super) fn vector(
    op: VectorOp,
    n: usize,
    given: &mut [f64],
    rest: &mut [f64],
    outputs: &mut [f64],
    draws: &impl Draws,
    site: Site,
) -> Result<(), ValueError> {
    let go_on = || ask(n).map_err(ValueError::from);
    match op {
        VectorOp::MultivariateNormal => {
            let (mean, covariance) = given.split_at_mut(n);
            multivariate_normal(draws, site, mean, covariance, outputs, go_on)?;
        }
        VectorOp::MultivariateStudent => {
            let (mean, more) = given.split_at_mut(n);
            let (covariance, degrees) = more.split_at_mut(n * n);
            multivariate_student(draws, site, mean, covariance, degrees[0], outputs, go_on)?;
        }
        VectorOp::Dirichlet => dirichlet(draws, site, given, outputs)?,
        VectorOp::Multinomial => {
            let (trials, probabilities) = given.split_at_mut(1);
            multinomial(draws, site, trials[0], probabilities, outputs)?;
        }
        VectorOp::Determinant => outputs[0] = determinant(given, n)?,
        VectorOp::Inverse => {
            if !invert(given, n, outputs)? {
                return Err(ValueError::Singular);
            }
        }
        VectorOp::PseudoInverse => pseudo_inverse(given, n, rest, outputs)?,
        VectorOp::Cholesky => {
            outputs.copy_from_slice(given);
            if !cholesky_factor(outputs, n)? {
                return Err(ValueError::NotPositiveDefinite);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use herbrand_distributions::Quantiles;
    use herbrand_limits::{Budget, Limits};

    use super::*;

    thread_local! {
        /// How often the clock of [`checks`] was read.
        static READINGS: Cell<u64> = const { Cell::new(0) };
    }

    /// Runs `work` within a budget that is spent at the check after `limit`. Returns its result and the number of checks.
    fn checks<T>(limit: u64, work: impl FnOnce() -> T) -> (T, u64) {
        let seconds = |count| Duration::from_secs(count);
        let clock = || {
            READINGS.set(READINGS.get() + 1);
            Duration::from_secs(READINGS.get())
        };
        let time = Some(seconds(limit));
        let budget = Budget::by_clock(Limits { bytes: None, time }, "time", clock);
        let before = READINGS.get();
        let result = budget.enclose(work);
        (result, READINGS.get() - before)
    }

    #[test]
    fn large_matrices_ask_the_enclosing_budgets_before_each_row() {
        let n = LARGE;
        for op in [
            VectorOp::Determinant,
            VectorOp::Inverse,
            VectorOp::PseudoInverse,
            VectorOp::Cholesky,
            VectorOp::MultivariateNormal,
            VectorOp::MultivariateStudent,
        ] {
            let run = || {
                let (mean, degrees) = match op {
                    VectorOp::MultivariateNormal => (n, 0),
                    VectorOp::MultivariateStudent => (n, 1),
                    _ => (0, 0),
                };
                let mut given = vec![0.0; mean];
                given.extend((0..n * n).map(|at| if at % (n + 1) == 0 { 2.0 } else { 1.0 }));
                given.resize(given.len() + degrees, 5.0);
                let (mut rest, mut outputs) = (vec![0.0; n * n], vec![0.0; op.outputs(n)]);
                let draws = Quantiles::at(0.5);
                vector(op, n, &mut given, &mut rest, &mut outputs, &draws, Site(0))
            };
            let (result, count) = checks(u64::MAX, run);
            assert_eq!(result, Ok(()), "{op:?}");
            assert!(count >= n as u64, "{op:?} checks {count} times");
            for limit in [0, n as u64 / 2, count - 1] {
                let (result, until_spent) = checks(limit, run);
                assert!(
                    matches!(
                        result,
                        Err(ValueError::BudgetExhausted(BudgetExhausted::Time { .. }))
                    ),
                    "{op:?}: {result:?}"
                );
                assert_eq!(until_spent, limit + 1, "{op:?} ends at once");
            }
        }
    }

    #[test]
    fn inverses_undo_their_matrix() {
        let matrix = [1.0, 2.0, 1.0, 5.0, 1.0, 0.0, 1.0, 1.0, -4.0];
        assert!((determinant(&mut matrix.clone(), 3).unwrap() - 40.0).abs() < 1e-12);
        let (mut inverse, mut pseudo) = ([0.0; 9], [0.0; 9]);
        assert_eq!(invert(&mut matrix.clone(), 3, &mut inverse), Ok(true));
        pseudo_inverse(&mut matrix.clone(), 3, &mut [0.0; 9], &mut pseudo).unwrap();
        for row in 0..3 {
            for column in 0..3 {
                let product: f64 = (0..3)
                    .map(|k| matrix[row * 3 + k] * inverse[k * 3 + column])
                    .sum();
                assert!((product - f64::from(u8::from(row == column))).abs() < 1e-12);
                assert!((pseudo[row * 3 + column] - inverse[row * 3 + column]).abs() < 1e-12);
            }
        }
        assert_eq!(invert(&mut [1.0, 2.0, 2.0, 4.0], 2, &mut [0.0; 4]), Ok(false));
    }

    #[test]
    fn a_singular_matrix_has_a_pseudo_inverse() {
        let mut pseudo = [0.0; 4];
        pseudo_inverse(&mut [1.0, 2.0, 2.0, 4.0], 2, &mut [0.0; 4], &mut pseudo).unwrap();
        for (found, expected) in pseudo.iter().zip([0.04, 0.08, 0.08, 0.16]) {
            assert!((found - expected).abs() < 1e-14);
        }
    }
}
