//! Smooth functions with their derivatives.

use herbrand_dataflow::{UnaryOp, pow_real, real_function};
use herbrand_distributions::Family;

use super::program::{Pair, Smooth};

/// The logistic function 1 / (1 + e⁻ˣ).
#[inline]
pub(super) fn sigmoid(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + libm::exp(-x))
    } else {
        let e = libm::exp(x);
        e / (1.0 + e)
    }
}

fn sigmoid_slope(x: f64) -> f64 {
    let s = sigmoid(x);
    s * (1.0 - s)
}

/// The log-odds, made finite for 0 and 1.
pub(super) fn logit(p: f64) -> f64 {
    let p = p.clamp(1e-12, 1.0 - 1e-12);
    libm::log(p / (1.0 - p))
}

/// A smooth floor, which rises shortly before the next whole number.
fn floor(x: f64, w: f64) -> (f64, f64) {
    let n = x.floor();
    (
        n + sigmoid(w * (x - n - 1.0)),
        w * sigmoid_slope(w * (x - n - 1.0)),
    )
}

/// Returns a function of one number and its derivative. `w` is the sharpness.
pub(super) fn unary(op: Smooth, x: f64, w: f64) -> (f64, f64) {
    match op {
        Smooth::Same => (x, 1.0),
        Smooth::Not => (1.0 - x, -1.0),
        Smooth::Sign => {
            let t = libm::tanh(w * x);
            (t, w * (1.0 - t * t))
        }
        Smooth::Floor => floor(x, w),
        Smooth::Ceil => {
            let (value, slope) = floor(-x, w);
            (-value, slope)
        }
        Smooth::Truncate if x >= 0.0 => floor(x, w),
        Smooth::Truncate => unary(Smooth::Ceil, x, w),
        Smooth::Round => {
            let n = x.floor();
            let y = w * (x - n - 0.5);
            (n + sigmoid(y), w * sigmoid_slope(y))
        }
        Smooth::Function(op) => (real_function(op, x), slope(op, x)),
    }
}

/// Returns the derivative of a function of reals.
fn slope(op: UnaryOp, x: f64) -> f64 {
    match op {
        UnaryOp::NegReal => -1.0,
        UnaryOp::AbsReal if x == 0.0 => 0.0,
        UnaryOp::AbsReal => x.signum(),
        UnaryOp::Sqrt => 0.5 / x.max(1e-300).sqrt(),
        UnaryOp::Exp => libm::exp(x),
        UnaryOp::Ln => 1.0 / x,
        UnaryOp::Sin => libm::cos(x),
        UnaryOp::Cos => -libm::sin(x),
        UnaryOp::Tan => 1.0 + libm::tan(x).powi(2),
        UnaryOp::Asin => 1.0 / (1.0 - x * x).sqrt(),
        UnaryOp::Acos => -1.0 / (1.0 - x * x).sqrt(),
        UnaryOp::Atan => 1.0 / (1.0 + x * x),
        UnaryOp::Sinh => libm::cosh(x),
        UnaryOp::Cosh => libm::sinh(x),
        UnaryOp::Tanh => 1.0 - libm::tanh(x).powi(2),
        // A closed form is not worth it.
        _ => numeric(x, |x| real_function(op, x)),
    }
}

/// Approximates a derivative by central differences.
fn numeric(x: f64, f: impl Fn(f64) -> f64) -> f64 {
    let h = 1e-5 * x.abs().max(1e-3);
    (f(x + h) - f(x - h)) / (2.0 * h)
}

/// Returns a function of two numbers and its derivatives. `w` is the sharpness.
pub(super) fn binary(op: Pair, a: f64, b: f64, w: f64) -> (f64, f64, f64) {
    match op {
        Pair::Add => (a + b, 1.0, 1.0),
        Pair::Sub => (a - b, 1.0, -1.0),
        Pair::Mul => (a * b, b, a),
        Pair::Div => (a / b, 1.0 / b, -a / (b * b)),
        // If both are equal, each gets half of the gradient, so that a number at a bound can leave it.
        Pair::Min | Pair::Max if a == b => (a, 0.5, 0.5),
        Pair::Min if a < b => (a, 1.0, 0.0),
        Pair::Max if a > b => (a, 1.0, 0.0),
        Pair::Min | Pair::Max => (b, 0.0, 1.0),
        Pair::Pow => {
            let value = pow_real(a, b);
            let by_base = if b == 0.0 { 0.0 } else { b * pow_real(a, b - 1.0) };
            let by_exponent = if a > 0.0 { value * libm::log(a) } else { 0.0 };
            (value, by_base, by_exponent)
        }
        Pair::Quotient => {
            let (value, slope) = floor(a / b, w);
            (value, slope / b, -slope * a / (b * b))
        }
        Pair::Remainder => {
            let (quotient, slope) = floor(a / b, w);
            (a - b * quotient, 1.0 - slope, slope * a / b - quotient)
        }
        Pair::Log => {
            let (x, base) = (libm::log(a), libm::log(b));
            (x / base, 1.0 / (a * base), -x / (b * base * base))
        }
        Pair::Hypot => {
            let value = libm::hypot(a, b);
            let by = |x: f64| if value == 0.0 { 0.0 } else { x / value };
            (value, by(a), by(b))
        }
        Pair::Both(norm) => norm.both(a, b),
        Pair::Either(norm) => norm.either(a, b),
        Pair::Same(norm) => norm.same(a, b),
        Pair::Less(halves) => {
            let x = w * (b + 0.5 * f64::from(halves) - a);
            let slope = w * sigmoid_slope(x);
            (sigmoid(x), -slope, slope)
        }
        Pair::Equal => {
            let t = libm::tanh(w * (a - b));
            let slope = -2.0 * w * t * (1.0 - t * t);
            (1.0 - t * t, slope, -slope)
        }
    }
}

/// Returns a draw as a function of its parameters, with its derivatives. For real draws they are the derivatives of the
/// quantile, for counts those of the mean, because quantiles of counts are step functions.
pub(super) fn draw(family: Family, u: f64, a: f64, b: f64) -> (f64, f64, f64) {
    // A relaxed step may have a fractional number of trials.
    let first = match family {
        Family::Binomial => a.round(),
        _ => a,
    };
    let value = family.quantile(u, first, b).unwrap_or(f64::NAN);
    match family {
        Family::Uniform => (value, 1.0 - u, u),
        Family::Normal => {
            let deviation = b.max(1e-12).sqrt();
            (value, 1.0, 0.5 * (value - a) / (deviation * deviation))
        }
        Family::Exponential => (value, value / a, 0.0),
        Family::Poisson => (value, 1.0, 0.0),
        Family::Binomial => (value, b, a),
        Family::NegativeBinomial => (value, (1.0 - b) / b, -a / (b * b)),
        Family::Geometric => (value, -1.0 / (a * a), 0.0),
        _ => {
            let quantile = |a: f64, b: f64| family.quantile(u, a, b).unwrap_or(value);
            let by_first = numeric(a, |a| quantile(a, b));
            let by_second = if family.arity() == 2 {
                numeric(b, |b| quantile(a, b))
            } else {
                0.0
            };
            (value, by_first, by_second)
        }
    }
}
