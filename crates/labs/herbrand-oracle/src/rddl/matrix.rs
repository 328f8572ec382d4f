//! Functions of square matrices, by textbook methods that are easy to check.

use herbrand_rddl::Matrix;

use super::error::RddlEvaluationError;

/// A square matrix, row by row.
pub(super) type Rows = Vec<Vec<f64>>;

pub(super) fn apply(function: Matrix, matrix: Rows) -> Result<Rows, RddlEvaluationError> {
    match function {
        Matrix::Inverse => inverse(matrix).ok_or(RddlEvaluationError::Matrix("inverse")),
        Matrix::Cholesky => cholesky(&matrix).ok_or(RddlEvaluationError::Matrix("Cholesky factor")),
        Matrix::PseudoInverse => Ok(pseudoinverse(&matrix)),
    }
}

/// Returns the row, from `step` on, with the largest absolute value in column `step`.
fn pivot(matrix: &Rows, step: usize) -> usize {
    let size = |row: &usize| matrix[*row][step].abs();
    let rows = step..matrix.len();
    rows.max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(step)
}

/// Returns the determinant by Gaussian elimination: the product of the pivots, negated for each exchange of rows.
pub(super) fn determinant(mut matrix: Rows) -> f64 {
    let mut product = 1.0;
    for step in 0..matrix.len() {
        let best = pivot(&matrix, step);
        if matrix[best][step] == 0.0 {
            return 0.0;
        }
        if best != step {
            matrix.swap(best, step);
            product = -product;
        }
        product *= matrix[step][step];
        let row = matrix[step].clone();
        for below in &mut matrix[step + 1..] {
            let factor = below[step] / row[step];
            for (element, above) in below.iter_mut().zip(&row).skip(step) {
                *element -= factor * above;
            }
        }
    }
    product
}

/// Returns the inverse by Gauss-Jordan elimination; `None` if the matrix is singular.
fn inverse(mut matrix: Rows) -> Option<Rows> {
    let size = matrix.len();
    for (row, elements) in matrix.iter_mut().enumerate() {
        elements.extend((0..size).map(|column| if row == column { 1.0 } else { 0.0 }));
    }
    for step in 0..size {
        let best = pivot(&matrix, step);
        matrix.swap(best, step);
        let divisor = matrix[step][step];
        if divisor == 0.0 || divisor.is_nan() {
            return None;
        }
        matrix[step].iter_mut().for_each(|element| *element /= divisor);
        let row = matrix[step].clone();
        for (index, other) in matrix.iter_mut().enumerate() {
            if index != step {
                let factor = other[step];
                other
                    .iter_mut()
                    .zip(&row)
                    .for_each(|(element, above)| *element -= factor * above);
            }
        }
    }
    Some(matrix.into_iter().map(|row| row[size..].to_vec()).collect())
}

fn cholesky(matrix: &Rows) -> Option<Rows> {
    let size = matrix.len();
    let mut factor = vec![vec![0.0; size]; size];
    for row in 0..size {
        for column in 0..=row {
            let dot: f64 = (0..column).map(|k| factor[row][k] * factor[column][k]).sum();
            let rest = matrix[row][column] - dot;
            factor[row][column] = if row == column {
                if rest <= 0.0 || rest.is_nan() {
                    return None;
                }
                rest.sqrt()
            } else {
                rest / factor[column][column]
            };
        }
    }
    Some(factor)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Returns the pseudoinverse by Greville's method (1960). It processes the columns in order; each column is either linearly
/// independent of the previous ones or not.
fn pseudoinverse(matrix: &Rows) -> Rows {
    let size = matrix.len();
    // The rows of the pseudoinverse of the columns processed so far.
    let mut rows: Rows = Vec::new();
    for column in 0..size {
        let a: Vec<f64> = matrix.iter().map(|row| row[column]).collect();
        let d: Vec<f64> = rows.iter().map(|row| dot(row, &a)).collect();
        let c: Vec<f64> = (0..size)
            .map(|i| a[i] - (0..column).map(|k| matrix[i][k] * d[k]).sum::<f64>())
            .collect();
        let length = dot(&c, &c);
        let is_new = length > 1e-20 * dot(&a, &a).max(f64::MIN_POSITIVE);
        let b: Vec<f64> = if is_new {
            c.iter().map(|x| x / length).collect()
        } else {
            let scale = 1.0 + dot(&d, &d);
            (0..size)
                .map(|i| rows.iter().zip(&d).map(|(row, x)| row[i] * x).sum::<f64>() / scale)
                .collect()
        };
        for (row, x) in rows.iter_mut().zip(&d) {
            row.iter_mut().zip(&b).for_each(|(element, y)| *element -= x * y);
        }
        rows.push(b);
    }
    rows
}
