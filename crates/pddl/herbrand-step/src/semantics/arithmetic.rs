//! Evaluation of arithmetic operators and comparisons.

use herbrand_pddl::{Comparison, Operator};

/// The reason why an expression has no value.
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

/// Returns `value` if it is finite, as every number in a state must be.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_those_of_arithmetic() {
        for (operator, left, right, expected) in [
            (Operator::Add, 7.0, 2.0, Ok(9.0)),
            (Operator::Subtract, 7.0, 2.0, Ok(5.0)),
            (Operator::Multiply, 7.0, 2.0, Ok(14.0)),
            (Operator::Divide, 7.0, 2.0, Ok(3.5)),
            (Operator::Divide, 7.0, 0.0, Err(Fault::DivisionByZero)),
            (Operator::Negate, 7.0, 2.0, Ok(-7.0)),
            (Operator::Multiply, 1e200, 1e200, Err(Fault::Overflow)),
        ] {
            assert_eq!(apply(operator, left, right), expected, "{operator:?}");
        }
    }

    #[test]
    fn comparisons_are_exact() {
        use Comparison::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
        for (left, right, true_ones) in [
            (1.0, 2.0, vec![Less, LessOrEqual]),
            (2.0, 2.0, vec![LessOrEqual, Equal, GreaterOrEqual]),
            (2.0, 1.0, vec![GreaterOrEqual, Greater]),
        ] {
            for comparison in [Less, LessOrEqual, Equal, GreaterOrEqual, Greater] {
                let expected = true_ones.contains(&comparison);
                assert_eq!(
                    compare(comparison, left, right),
                    expected,
                    "{left} {comparison:?} {right}"
                );
            }
        }
    }
}
