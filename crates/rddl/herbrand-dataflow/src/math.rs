//! Scalar arithmetic. Constant folding and execution share these definitions, so they agree bit for bit.
//!
//! Transcendental functions come from `libm`, so results do not depend on the platform.

/// Converts a whole number to an int; `None` if it is out of range or NaN.
#[inline]
pub(crate) fn to_int(x: f64) -> Option<i64> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    (-LIMIT..LIMIT).contains(&x).then_some(x as i64)
}

/// Returns −1, 0 or 1; `None` for NaN.
#[inline]
pub(crate) fn sign(x: f64) -> Option<i64> {
    (!x.is_nan()).then_some(i64::from(x > 0.0) - i64::from(x < 0.0))
}

/// Divides and rounds down; `None` if `b` is 0.
#[inline]
pub(crate) fn div_int(a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        return None;
    }
    let quotient = a.wrapping_div(b);
    let remainder = a.wrapping_rem(b);
    Some(quotient.wrapping_sub(i64::from(remainder != 0 && (remainder < 0) != (b < 0))))
}

/// Returns the remainder of [`div_int`], with the sign of `b`; `None` if `b` is 0.
#[inline]
pub(crate) fn mod_int(a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        return None;
    }
    let remainder = a.wrapping_rem(b);
    Some(if remainder != 0 && (remainder < 0) != (b < 0) {
        remainder + b
    } else {
        remainder
    })
}

/// Returns the remainder with the sign of `b`.
#[inline]
pub(crate) fn mod_real(a: f64, b: f64) -> f64 {
    let remainder = a % b;
    if remainder != 0.0 && (remainder < 0.0) != (b < 0.0) {
        remainder + b
    } else {
        remainder
    }
}

/// Raises `a` to the power of `b` with wrapping arithmetic; `None` if `b` is negative.
#[inline]
pub(crate) fn pow_int(a: i64, b: i64) -> Option<i64> {
    let (mut base, mut exponent, mut power) = (a, u64::try_from(b).ok()?, 1_i64);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    Some(power)
}

/// Raises `a` to the power of `b`. Squares and square roots are correctly rounded.
#[inline]
#[must_use]
pub fn pow_real(a: f64, b: f64) -> f64 {
    if b == 2.0 {
        a * a
    } else if b == 0.5 && a > 0.0 {
        a.sqrt()
    } else {
        libm::pow(a, b)
    }
}

/// Returns the logarithm of `x` to the given base.
#[inline]
pub(crate) fn log(x: f64, base: f64) -> f64 {
    libm::log(x) / libm::log(base)
}

/// Returns the smaller number; NaN if either is NaN.
#[inline]
pub(crate) fn min_real(a: f64, b: f64) -> f64 {
    if a < b || a.is_nan() { a } else { b }
}

/// Returns the larger number; NaN if either is NaN.
#[inline]
pub(crate) fn max_real(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}
