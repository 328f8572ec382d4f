//! Scalar arithmetic. Constant folding and execution share these definitions, so they agree bit for bit.
//!
//! Transcendental functions come from `libm`, so results do not depend on the platform.

use crate::operation::{BinaryOp, NaryOp, UnaryOp};

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

/// Returns `a` to the power of `b`. Squares and square roots are correctly rounded; other powers are those of `libm`.
/// NaN if the power is not a real number, such as a root of −1.
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

/// Applies a unary operation that maps a real to a real, such as `Sqrt`, to `x`. Returns NaN for other operations. Also
/// NaN where the function is not defined, such as the square root of −1.
#[inline]
#[must_use]
pub fn real_function(op: UnaryOp, x: f64) -> f64 {
    match op {
        UnaryOp::NegReal => -x,
        UnaryOp::AbsReal => x.abs(),
        UnaryOp::Sqrt => x.sqrt(),
        UnaryOp::Exp => libm::exp(x),
        UnaryOp::Ln => libm::log(x),
        UnaryOp::Sin => libm::sin(x),
        UnaryOp::Cos => libm::cos(x),
        UnaryOp::Tan => libm::tan(x),
        UnaryOp::Asin => libm::asin(x),
        UnaryOp::Acos => libm::acos(x),
        UnaryOp::Atan => libm::atan(x),
        UnaryOp::Sinh => libm::sinh(x),
        UnaryOp::Cosh => libm::cosh(x),
        UnaryOp::Tanh => libm::tanh(x),
        UnaryOp::LnGamma => libm::lgamma(x),
        UnaryOp::Gamma => libm::tgamma(x),
        _ => f64::NAN,
    }
}

/// Applies a unary operation that maps a real to an int; `None` if the result is not an int.
#[inline]
pub(super) fn rounding(op: UnaryOp, x: f64) -> Option<i64> {
    match op {
        UnaryOp::Round => to_int(x.round_ties_even()),
        UnaryOp::Floor => to_int(x.floor()),
        UnaryOp::Ceil => to_int(x.ceil()),
        UnaryOp::Truncate => Some(x as i64),
        _ => sign(x),
    }
}

/// Applies a unary operation to an int.
#[inline]
pub(super) const fn int_function(op: UnaryOp, x: i64) -> i64 {
    match op {
        UnaryOp::NegInt => x.wrapping_neg(),
        UnaryOp::AbsInt => x.wrapping_abs(),
        _ => x.signum(),
    }
}

/// Applies a binary operation to reals.
#[inline]
pub(super) fn real_operation(op: BinaryOp, a: f64, b: f64) -> f64 {
    match op {
        BinaryOp::AddReal => a + b,
        BinaryOp::SubReal => a - b,
        BinaryOp::MulReal => a * b,
        BinaryOp::DivReal => a / b,
        BinaryOp::MinReal => min_real(a, b),
        BinaryOp::MaxReal => max_real(a, b),
        BinaryOp::PowReal => pow_real(a, b),
        BinaryOp::ModReal => mod_real(a, b),
        BinaryOp::Log => log(a, b),
        _ => libm::hypot(a, b),
    }
}

/// Applies a binary operation to ints; `None` for a division by 0 or a negative exponent.
#[inline]
pub(super) fn int_operation(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        BinaryOp::AddInt => a.wrapping_add(b),
        BinaryOp::SubInt => a.wrapping_sub(b),
        BinaryOp::MulInt => a.wrapping_mul(b),
        BinaryOp::DivInt => return div_int(a, b),
        BinaryOp::ModInt => return mod_int(a, b),
        BinaryOp::MinInt => a.min(b),
        BinaryOp::MaxInt => a.max(b),
        _ => return pow_int(a, b),
    })
}

/// Returns the position of the first largest or smallest value, or of the first NaN if there is one.
pub(super) fn first_extreme(op: NaryOp, values: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NAN);
    for (place, value) in values.enumerate() {
        let better = if op == NaryOp::ArgMax {
            value > best.1
        } else {
            value < best.1
        };
        if place == 0 || better || value.is_nan() && !best.1.is_nan() {
            best = (place, value);
        }
    }
    best.0
}

/// Returns whether the real with these bits is a probability.
pub(super) fn is_probability(bits: u64) -> bool {
    (0.0..=1.0).contains(&f64::from_bits(bits))
}
