//! The regularised incomplete gamma functions, and quantiles of the gamma distribution.

use crate::normal::normal_quantile;
use crate::root::{Point, rising_root};
use crate::stirling::poisson_term;

/// Returns P(a, x) and Q(a, x) = 1 − P(a, x). The smaller of the two has full relative precision.
///
/// Uses the series of P below a + 1 and the continued fraction of Q above it (Press et al., "Numerical Recipes", third
/// edition, section 6.2), with Loader's form of their common factor.
pub(super) fn incomplete_gamma(a: f64, x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if x.is_infinite() {
        return (1.0, 0.0);
    }
    if x < a + 1.0 {
        let p = (poisson_term(a, x) * series(a, x)).min(1.0);
        (p, 1.0 - p)
    } else {
        let q = (poisson_term(a, x) * a * fraction(a, x)).min(1.0);
        (1.0 - q, q)
    }
}

/// The series 1 + x / (a + 1) + x² / ((a + 1)(a + 2)) + …
fn series(a: f64, x: f64) -> f64 {
    let (mut sum, mut term, mut n) = (1.0, 1.0, a);
    loop {
        n += 1.0;
        term *= x / n;
        sum += term;
        if term < sum * f64::EPSILON * 0.25 {
            return sum;
        }
    }
}

/// The continued fraction of Γ(a, x) / (x^a e^(−x)), by Lentz's method.
fn fraction(a: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / f64::MIN_POSITIVE;
    let mut d = 1.0 / b;
    let mut value = d;
    let mut i = 1.0;
    loop {
        let numerator = -i * (i - a);
        b += 2.0;
        d = 1.0 / away_from_zero(numerator * d + b);
        c = away_from_zero(b + numerator / c);
        let factor = c * d;
        value *= factor;
        if (factor - 1.0).abs() <= f64::EPSILON || i > 1e7 {
            return value;
        }
        i += 1.0;
    }
}

/// Keeps a divisor of Lentz's method away from 0.
pub(super) fn away_from_zero(x: f64) -> f64 {
    if x.abs() < 1e-300 { 1e-300 } else { x }
}

/// From here on, the normal approximation with three correction terms is exact to rounding.
const ASYMPTOTIC: f64 = 1e10;

/// Returns the x with P(`a`, x) = `u`.
pub(super) fn gamma_quantile(a: f64, u: f64) -> f64 {
    if a == f64::INFINITY {
        return a;
    }
    let z = normal_quantile(u);
    if a >= ASYMPTOTIC {
        return cornish_fisher(a, z);
    }
    let start = gamma_start(a, u, z);
    if start == 0.0 {
        return 0.0;
    }
    rising_root(start, 0.0, f64::INFINITY, |x| {
        let (p, q) = incomplete_gamma(a, x);
        Point {
            excess: if u <= 0.5 { p - u } else { (1.0 - u) - q },
            density: poisson_term(a, x) * a / x,
            bend: (a - 1.0) / x - 1.0,
        }
    })
}

/// Returns a starting point: Wilson and Hilferty's cube for large shapes, the first term of the series of P for small x.
fn gamma_start(a: f64, u: f64, z: f64) -> f64 {
    let third = 1.0 / (9.0 * a);
    let cube = 1.0 - third + z * third.sqrt();
    let hilferty = a * cube * cube * cube;
    if a > 1.0 && cube > 0.3 {
        return hilferty;
    }
    let first = libm::exp((libm::log(u) + libm::lgamma(a + 1.0)) / a);
    if first < 0.5 * (a + 1.0) {
        first
    } else {
        // The tail decreases like e^(−x).
        let tail = -libm::log1p(-u) - libm::lgamma(a);
        (tail + (a - 1.0) * libm::log(tail.max(1.0))).max(0.5 * (a + 1.0))
    }
}

/// Cornish and Fisher's expansion around the normal quantile.
fn cornish_fisher(a: f64, z: f64) -> f64 {
    let root = a.sqrt();
    a + z * root + (z * z - 1.0) / 3.0 + (z * z * z - 7.0 * z) / (36.0 * root)
}
