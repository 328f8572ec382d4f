//! What operators and comparisons come to.

use herbrand_pddl::{Comparison, Operator};

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Fault {
    Undefined,
    DivisionByZero,
    /// The result is beyond the range of 64-bit floating-point numbers.
    Overflow,
}

pub(crate) fn apply(operator: Operator, left: f64, right: f64) -> Result<f64, Fault> {
    finite(match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide if right == 0.0 => return Err(Fault::DivisionByZero),
        Operator::Divide => left / right,
        Operator::Negate => -left,
    })
}

/// `value` if it is a finite number; all values of a state are.
pub(crate) fn finite(value: f64) -> Result<f64, Fault> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Fault::Overflow)
    }
}

#[expect(clippy::float_cmp, reason = "PDDL compares numbers exactly")]
pub(crate) fn compare(comparison: Comparison, left: f64, right: f64) -> bool {
    match comparison {
        Comparison::Less => left < right,
        Comparison::LessOrEqual => left <= right,
        Comparison::Equal => left == right,
        Comparison::GreaterOrEqual => left >= right,
        Comparison::Greater => left > right,
    }
}
