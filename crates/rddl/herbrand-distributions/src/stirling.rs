//! Terms of densities that would cancel for large parameters (Loader, "Fast and accurate computation of binomial
//! probabilities", 2000).

use std::f64::consts::PI;

/// Returns ln Γ(x + 1) − (x + 1/2) ln x + x − ln √(2π): the error of Stirling's formula for x!.
pub(super) fn stirling_error(x: f64) -> f64 {
    if x < 16.0 {
        return libm::lgamma(x + 1.0) - (x + 0.5) * libm::log(x) + x - 0.5 * libm::log(2.0 * PI);
    }
    // The asymptotic series: B_2k / (2k (2k − 1) x^(2k − 1)).
    const SERIES: [f64; 6] = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1260.0,
        -1.0 / 1680.0,
        1.0 / 1188.0,
        -691.0 / 360_360.0,
    ];
    let square = 1.0 / (x * x);
    SERIES.iter().rev().fold(0.0, |sum, c| sum * square + c) / x
}

/// Returns x ln(x / m) + m − x without cancellation if x is near m.
pub(super) fn deviance(x: f64, m: f64) -> f64 {
    let difference = x - m;
    if difference.abs() >= 0.1 * (x + m) {
        return x * libm::log(x / m) + m - x;
    }
    let v = difference / (x + m);
    let mut sum = difference * v;
    let mut term = 2.0 * x * v;
    for j in 1..1000 {
        term *= v * v;
        let next = sum + term / f64::from(2 * j + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// Returns x^a e^(−x) / Γ(a + 1).
pub(super) fn poisson_term(a: f64, x: f64) -> f64 {
    libm::exp(-stirling_error(a) - deviance(a, x)) / (2.0 * PI * a).sqrt()
}

/// Returns x^a y^b / B(a, b), where y = 1 − x.
pub(super) fn beta_term(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let stirling = stirling_error(n) - stirling_error(a) - stirling_error(b);
    let deviance = deviance(a, n * x) + deviance(b, n * y);
    let product = a * b;
    let square = if product >= f64::MIN_POSITIVE {
        product / (2.0 * PI * n)
    } else {
        a / n * b / (2.0 * PI)
    };
    libm::exp(stirling - deviance) * square.sqrt()
}
