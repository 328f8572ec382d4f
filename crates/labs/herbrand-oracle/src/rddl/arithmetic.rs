//! Arithmetic operators, functions and comparisons of RDDL.

use herbrand_rddl::{Binary, Comparison, Range, Unary, Value};

use super::error::RddlEvaluationError;

/// Returns a value as a real number.
pub(super) const fn number(value: Value) -> f64 {
    match value {
        Value::Bool(b) => b as u8 as f64,
        Value::Int(i) => i as f64,
        Value::Real(r) => r,
        Value::Item(item) => item as f64,
    }
}

/// Returns a value as an int; `None` for reals and items.
const fn whole(value: Value) -> Option<i64> {
    match value {
        Value::Bool(b) => Some(b as i64),
        Value::Int(i) => Some(i),
        _ => None,
    }
}

/// Converts a real without fraction to an int. Fails if it does not fit in 64 bits.
fn int(real: f64) -> Result<Value, RddlEvaluationError> {
    // 2^63 is the smallest power of two that does not fit.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if (-LIMIT..LIMIT).contains(&real) {
        Ok(Value::Int(real as i64))
    } else {
        Err(RddlEvaluationError::NotAnInt(real))
    }
}

pub(super) fn unary(operator: Unary, operand: Value, range: Range) -> Result<Value, RddlEvaluationError> {
    if let (Some(i), Range::Int) = (whole(operand), range) {
        return Ok(Value::Int(match operator {
            Unary::Minus => i.wrapping_neg(),
            Unary::Abs => i.wrapping_abs(),
            Unary::Sign => i.signum(),
            // Rounding does not change an int.
            _ => i,
        }));
    }
    let x = number(operand);
    Ok(Value::Real(match operator {
        Unary::Not => return Ok(Value::Bool(operand != Value::Bool(true))),
        Unary::Sign if x.is_nan() => return Err(RddlEvaluationError::NotAnInt(x)),
        Unary::Sign => return Ok(Value::Int(i64::from(x > 0.0) - i64::from(x < 0.0))),
        Unary::Round => return int(libm::rint(x)),
        Unary::Floor => return int(x.floor()),
        Unary::Ceil => return int(x.ceil()),
        Unary::Minus => -x,
        Unary::Plus => x,
        Unary::Abs => x.abs(),
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => libm::exp(x),
        Unary::Ln => libm::log(x),
        Unary::Sin => libm::sin(x),
        Unary::Cos => libm::cos(x),
        Unary::Tan => libm::tan(x),
        Unary::Asin => libm::asin(x),
        Unary::Acos => libm::acos(x),
        Unary::Atan => libm::atan(x),
        Unary::Sinh => libm::sinh(x),
        Unary::Cosh => libm::cosh(x),
        Unary::Tanh => libm::tanh(x),
        Unary::LnGamma => libm::lgamma(x),
        Unary::Gamma => libm::tgamma(x),
    }))
}

pub(super) fn binary(
    operator: Binary,
    a: Value,
    b: Value,
    range: Range,
) -> Result<Value, RddlEvaluationError> {
    match (whole(a), whole(b), range) {
        (Some(a), Some(b), Range::Int) => ints(operator, a, b).map(Value::Int),
        _ => Ok(Value::Real(reals(operator, number(a), number(b)))),
    }
}

fn ints(operator: Binary, a: i64, b: i64) -> Result<i64, RddlEvaluationError> {
    Ok(match operator {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::Div | Binary::Mod | Binary::Fmod if b == 0 => {
            return Err(RddlEvaluationError::DivisionByZero);
        }
        Binary::Div => {
            let quotient = a.wrapping_div(b);
            // The quotient is rounded towards zero so far; `div` rounds down.
            let is_above = a.wrapping_rem(b) != 0 && (a < 0) != (b < 0);
            quotient - i64::from(is_above)
        }
        Binary::Mod | Binary::Fmod => {
            let rest = a.wrapping_rem(b);
            if rest != 0 && (rest < 0) != (b < 0) {
                rest + b
            } else {
                rest
            }
        }
        Binary::Pow => match u64::try_from(b) {
            Ok(exponent) => power(a, exponent),
            Err(_) => return Err(RddlEvaluationError::NegativeExponent(b)),
        },
        Binary::Divide | Binary::Log | Binary::Hypot => reals(operator, a as f64, b as f64) as i64,
    })
}

/// Returns the power modulo 2^64, by repeated squaring.
const fn power(mut base: i64, mut exponent: u64) -> i64 {
    let mut power = 1i64;
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent /= 2;
    }
    power
}

fn reals(operator: Binary, a: f64, b: f64) -> f64 {
    match operator {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::Div => (a / b).floor(),
        Binary::Fmod | Binary::Mod => {
            let rest = libm::fmod(a, b);
            if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
                rest + b
            } else {
                rest
            }
        }
        Binary::Min | Binary::Max if a.is_nan() || b.is_nan() => f64::NAN,
        // Of 0 and -0, returns the second operand. The standard library does not specify the result.
        Binary::Min if a < b => a,
        Binary::Max if a > b => a,
        Binary::Min | Binary::Max => b,
        Binary::Pow => libm::pow(a, b),
        Binary::Log => libm::log(a) / libm::log(b),
        Binary::Hypot => libm::hypot(a, b),
    }
}

pub(super) fn compare(comparison: Comparison, a: Value, b: Value) -> bool {
    let order = match (a, b) {
        (Value::Item(a), Value::Item(b)) => a.partial_cmp(&b),
        _ => match (whole(a), whole(b)) {
            (Some(a), Some(b)) => a.partial_cmp(&b),
            _ => number(a).partial_cmp(&number(b)),
        },
    };
    match comparison {
        Comparison::Equal => order.is_some_and(|order| order.is_eq()),
        Comparison::Unequal => order.is_none_or(|order| order.is_ne()),
        Comparison::Less => order.is_some_and(|order| order.is_lt()),
        Comparison::LessOrEqual => order.is_some_and(|order| order.is_le()),
        Comparison::Greater => order.is_some_and(|order| order.is_gt()),
        Comparison::GreaterOrEqual => order.is_some_and(|order| order.is_ge()),
    }
}
