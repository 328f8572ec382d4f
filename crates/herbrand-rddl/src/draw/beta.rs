//! The regularised incomplete beta function and the quantiles of the beta and Student distributions.

use super::gamma::away_from_zero;
use super::normal::normal_quantile;
use super::root::{Point, rising_root};
use super::stirling::beta_term;

/// I_x(a, b) and I_y(b, a) = 1 − I_x(a, b), where `y` = 1 − `x`, the smaller of them with full relative precision.
///
/// Lentz's method on the continued fraction, on the side where it converges fast (Press et al., "Numerical Recipes",
/// third edition, section 6.4), with Loader's form of its factor.
pub(super) fn incomplete_beta(a: f64, b: f64, x: f64, y: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if y <= 0.0 {
        return (1.0, 0.0);
    }
    let factor = beta_term(a, b, x, y);
    if x < (a + 1.0) / (a + b + 2.0) {
        let lower = (factor * fraction(a, b, x) / a).min(1.0);
        (lower, 1.0 - lower)
    } else {
        let upper = (factor * fraction(b, a, y) / b).min(1.0);
        (1.0 - upper, upper)
    }
}

fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    let mut m = 1.0;
    loop {
        let n = a + 2.0 * m;
        let even = m * (b - m) * x / ((n - 1.0) * n);
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        value *= d * c;
        let odd = -(a + m) * (a + b + m) * x / (n * (n + 1.0));
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        let factor = d * c;
        value *= factor;
        if (factor - 1.0).abs() <= f64::EPSILON || m > 1e7 {
            return value;
        }
        m += 1.0;
    }
}

/// The x with I_x(`a`, `b`) = `u`.
pub(super) fn beta_quantile(a: f64, b: f64, u: f64) -> f64 {
    let (x, y) = beta_sides(a, b, u, 1.0 - u);
    if x < y { x } else { 1.0 - y }
}

/// x and 1 − x with I_x(a, b) = u, where v = 1 − u: the smaller of x and 1 − x with full relative precision.
fn beta_sides(a: f64, b: f64, u: f64, v: f64) -> (f64, f64) {
    // The root is below the middle exactly if the middle has a larger probability.
    let (half, _) = incomplete_beta(a, b, 0.5, 0.5);
    if u <= half {
        let x = lower_root(a, b, u, v);
        (x, 1.0 - x)
    } else {
        let y = lower_root(b, a, v, u);
        (1.0 - y, y)
    }
}

/// The x ≤ 1/2 with I_x(a, b) = u.
fn lower_root(a: f64, b: f64, u: f64, v: f64) -> f64 {
    let start = beta_start(a, b, u).clamp(1e-300, 0.5);
    rising_root(start, 0.0, 1.0, |x| {
        let y = 1.0 - x;
        let (lower, upper) = incomplete_beta(a, b, x, y);
        Point {
            excess: if u <= 0.5 { lower - u } else { v - upper },
            density: beta_term(a, b, x, y) / (x * y),
            bend: (a - 1.0) / x - (b - 1.0) / y,
        }
    })
}

/// Abramowitz and Stegun's formula 26.5.22 for parameters above 1, the power at the lower end otherwise.
fn beta_start(a: f64, b: f64, u: f64) -> f64 {
    if a >= 1.0 && b >= 1.0 {
        let z = -normal_quantile(u);
        let lambda = (z * z - 3.0) / 6.0;
        let (s, t) = (1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0));
        let h = 2.0 / (s + t);
        let w = z * (h + lambda).max(0.0).sqrt() / h - (t - s) * (lambda + 5.0 / 6.0 - 2.0 / (3.0 * h));
        return a / (a + b * libm::exp(2.0 * w));
    }
    let log_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    libm::exp((libm::log(u) + libm::log(a) + log_beta) / a)
}

/// The quantile of Student's distribution: t² = d (1 − x) / x, where x has the distribution Beta(d / 2, 1 / 2).
pub(super) fn student_quantile(degrees: f64, u: f64) -> f64 {
    if u == 0.5 {
        return 0.0;
    }
    if degrees > 1e12 {
        return normal_quantile(u);
    }
    let tail = 2.0 * u.min(1.0 - u);
    let (x, y) = beta_sides(0.5 * degrees, 0.5, tail, 1.0 - tail);
    (degrees * y / x).sqrt().copysign(u - 0.5)
}
