//! Quantiles of distributions over the non-negative integers: the smallest k with P[X ≤ k] ≥ u.

use crate::beta::incomplete_beta;
use crate::gamma::incomplete_gamma;
use crate::normal::normal_quantile;

/// 2^53: from here on, not every integer is an `f64`.
pub(super) const LARGEST: f64 = 9_007_199_254_740_992.0;

/// The maximum expected count for which probabilities are summed from 0 up.
const FEW: f64 = 40.0;

/// Above this variance, the expansion around the normal quantile has an error below 10⁻⁹ counts.
const ASYMPTOTIC: f64 = 1e10;

/// The quantile of `Poisson(rate)`.
pub(super) fn poisson_quantile(rate: f64, u: f64) -> f64 {
    if rate <= FEW {
        return summed(libm::exp(-rate), u, |k| rate / k);
    }
    let deviation = rate.sqrt();
    let guess = expansion(rate, deviation, 1.0 / deviation, u);
    if rate > ASYMPTOTIC {
        return guess;
    }
    searched(guess, f64::INFINITY, u, |k| incomplete_gamma(k + 1.0, rate).1)
}

/// The quantile of `Binomial(n, p)`.
pub(super) fn binomial_quantile(n: f64, p: f64, u: f64) -> f64 {
    if p >= 1.0 || n == 0.0 {
        return n;
    }
    if n * p <= FEW {
        let odds = p / (1.0 - p);
        return summed(libm::exp(n * libm::log1p(-p)), u, |k| (n + 1.0 - k) / k * odds).min(n);
    }
    let deviation = (n * p * (1.0 - p)).sqrt();
    let guess = expansion(n * p, deviation, (1.0 - 2.0 * p) / deviation, u).min(n);
    if deviation * deviation > ASYMPTOTIC {
        return guess;
    }
    let below = |k: f64| {
        if k >= n {
            1.0
        } else {
            incomplete_beta(n - k, k + 1.0, 1.0 - p, p).0
        }
    };
    searched(guess, n, u, below)
}

/// The quantile of `NegativeBinomial(successes, probability)`.
pub(super) fn negative_binomial_quantile(successes: f64, p: f64, u: f64) -> f64 {
    let (r, q) = (successes, 1.0 - p);
    let mean = r * q / p;
    if mean <= FEW {
        return summed(libm::exp(r * libm::log(p)), u, |k| (r + k - 1.0) / k * q);
    }
    let deviation = mean.sqrt() / p.sqrt();
    let guess = expansion(mean, deviation, (2.0 - p) / (r * q).sqrt(), u);
    if deviation * deviation > ASYMPTOTIC && r > ASYMPTOTIC {
        return guess;
    }
    searched(guess, f64::INFINITY, u, |k| incomplete_beta(r, k + 1.0, p, q).0)
}

/// Sums probabilities from 0 up: `first` is the probability of 0, and `ratio(k)` divides the probability of k by that of k −
/// 1.
fn summed(first: f64, u: f64, ratio: impl Fn(f64) -> f64) -> f64 {
    let (mut k, mut term, mut sum) = (0.0, first, first);
    while sum < u {
        k += 1.0;
        term *= ratio(k);
        let next = sum + term;
        // Rounding may keep the sum below u for ever.
        if next == sum && term < f64::EPSILON {
            return k - 1.0;
        }
        sum = next;
    }
    k
}

/// Returns the first terms of Cornish and Fisher's expansion, rounded up to a count.
fn expansion(mean: f64, deviation: f64, skewness: f64, u: f64) -> f64 {
    let z = normal_quantile(u);
    let bend = skewness * (z * z - 1.0) / 6.0;
    (mean + deviation * (z + bend) - 0.5).ceil().max(0.0)
}

/// Returns the smallest k ≤ `last` with `below(k)` ≥ u, by steps of doubling size from a guess, then bisection. No k above
/// [`LARGEST`] is tried, because adding 1 would not change it.
fn searched(guess: f64, last: f64, u: f64, below: impl Fn(f64) -> f64) -> f64 {
    let (guess, last) = (guess.min(LARGEST), last.min(LARGEST));
    let reached = |k: f64| k >= last || below(k) >= u;
    let (mut low, mut high, mut stride) = (guess - 1.0, guess, 1.0);
    while !reached(high) {
        low = high;
        high = (high + stride).min(last);
        stride *= 2.0;
    }
    stride = 1.0;
    while low >= 0.0 && reached(low) {
        high = low;
        low -= stride;
        stride *= 2.0;
    }
    let mut low = low.max(-1.0);
    while high - low > 1.0 {
        let middle = (low + 0.5 * (high - low)).floor();
        if reached(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}
