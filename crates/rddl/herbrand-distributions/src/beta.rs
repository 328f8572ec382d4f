//! The regularised incomplete beta function, and quantiles of the beta and Student distributions.

use crate::gamma::{away_from_zero, gamma_quantile};
use crate::normal::normal_quantile;
use crate::root::{Point, rising_root};
use crate::stirling::{beta_term, stirling_error};

/// Returns I_x(a, b) and I_y(b, a) = 1 − I_x(a, b), where `y` = 1 − `x`. The smaller of the two has full relative precision.
///
/// Uses Lentz's method on the continued fraction, on the side where it converges fast (Press et al., "Numerical Recipes",
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
        if (factor - 1.0).abs() <= f64::EPSILON || m > 1e7 || value.is_nan() {
            return value;
        }
        m += 1.0;
    }
}

/// Returns the x with I_x(`a`, `b`) = `u`.
pub(super) fn beta_quantile(a: f64, b: f64, u: f64) -> f64 {
    let (x, y) = beta_sides(a, b, u, 1.0 - u);
    if x < y { x } else { 1.0 - y }
}

/// Returns x and 1 − x with I_x(a, b) = u, where v = 1 − u. The smaller of the two has full relative precision.
fn beta_sides(a: f64, b: f64, u: f64, v: f64) -> (f64, f64) {
    if a.max(b) >= ASYMPTOTIC {
        return if a.min(b) >= NEARLY_NORMAL {
            cornish_fisher(a, b, u)
        } else if a < b {
            nearly_gamma(a, b, u)
        } else {
            let (y, x) = nearly_gamma(b, a, v.min(1.0 - 0.5 * f64::EPSILON));
            (x, y)
        };
    }
    // The root is below ½ exactly if I at ½ is larger than u.
    let (half, _) = incomplete_beta(a, b, 0.5, 0.5);
    if u <= half {
        let x = lower_root(a, b, u, v);
        (x, 1.0 - x)
    } else {
        let y = lower_root(b, a, v, u);
        (1.0 - y, y)
    }
}

/// Returns the x ≤ 1/2 with I_x(a, b) = u.
fn lower_root(a: f64, b: f64, u: f64, v: f64) -> f64 {
    let start = beta_start(a, b, u);
    if start * b.max(1.0) < f64::EPSILON / 16.0 && (a < 1.0 || b < 1.0) {
        // All but the first term of the series for small x are below the rounding error.
        return start;
    }
    let start = start.clamp(1e-300, 0.5);
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

/// Returns a starting point: Abramowitz and Stegun's formula 26.5.22 if both parameters are at least 1, else the power law
/// at 0.
fn beta_start(a: f64, b: f64, u: f64) -> f64 {
    if a >= 1.0 && b >= 1.0 {
        let z = -normal_quantile(u);
        let lambda = (z * z - 3.0) / 6.0;
        let (s, t) = (1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0));
        let h = 2.0 / (s + t);
        let w = z * (h + lambda).max(0.0).sqrt() / h - (t - s) * (lambda + 5.0 / 6.0 - 2.0 / (3.0 * h));
        return a / (a + b * libm::exp(2.0 * w));
    }
    libm::exp((libm::log(u) + libm::lgamma(a + 1.0) + gamma_ratio(a, b)) / a)
}

/// Returns ln Γ(b) − ln Γ(a + b) without cancellation if b is large or both are small.
fn gamma_ratio(a: f64, b: f64) -> f64 {
    if b < 16.0 {
        return libm::lgamma(b + 1.0) - libm::lgamma(a + b + 1.0) + libm::log((a + b) / b);
    }
    let stirling = stirling_error(b) - stirling_error(a + b);
    a - a * libm::log(a + b) - (b - 0.5) * libm::log1p(a / b) + stirling
}

/// If the larger parameter is at least this, 1 − x is not precise enough for the continued fraction, but approximations are
/// exact to ten digits or more: [`cornish_fisher`] if the smaller parameter is at least [`NEARLY_NORMAL`], [`nearly_gamma`]
/// below that.
const ASYMPTOTIC: f64 = 1e10;
const NEARLY_NORMAL: f64 = 1e6;

/// Wise's approximation for `a` far below `b`: −ln(1 − x) is nearly distributed as Gamma(a) / (b + (a − 1) / 2).
fn nearly_gamma(a: f64, b: f64, u: f64) -> (f64, f64) {
    let exponent = gamma_quantile(a, u) / (b + 0.5 * (a - 1.0));
    (-libm::expm1(-exponent), libm::exp(-exponent))
}

/// Returns the quantile and its complement by Cornish and Fisher's expansion around the normal quantile.
fn cornish_fisher(a: f64, b: f64, u: f64) -> (f64, f64) {
    let (n, product) = (a + b, a * b);
    let deviation = (product / (n + 1.0)).sqrt() / n;
    let skewness = 2.0 * (b - a) * (n + 1.0).sqrt() / ((n + 2.0) * product.sqrt());
    let spread = (a - b) * (a - b) * (n + 1.0) - product * (n + 2.0);
    let kurtosis = 6.0 * spread / product / ((n + 2.0) * (n + 3.0));
    let z = normal_quantile(u);
    let bend = skewness * (z * z - 1.0) / 6.0 + kurtosis * (z * z * z - 3.0 * z) / 24.0
        - skewness * skewness * (2.0 * z * z * z - 5.0 * z) / 36.0;
    let shift = deviation * (z + bend);
    (a / n + shift, b / n - shift)
}

/// Returns the quantile of Student's distribution: t² = d (1 − x) / x, where x has the distribution Beta(d / 2, 1 / 2).
pub(super) fn student_quantile(degrees: f64, u: f64) -> f64 {
    if u == 0.5 {
        return 0.0;
    }
    if degrees >= ASYMPTOTIC {
        // Cornish and Fisher's expansion around the normal quantile.
        let z = normal_quantile(u);
        return z + (z * z * z + z) / (4.0 * degrees);
    }
    let tail = 2.0 * u.min(1.0 - u);
    let (x, y) = beta_sides(0.5 * degrees, 0.5, tail, 1.0 - tail);
    (degrees * y / x).sqrt().copysign(u - 0.5)
}
