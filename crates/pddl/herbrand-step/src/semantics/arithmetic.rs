//! Evaluation of arithmetic operators and comparisons.

use herbrand_pddl::{ArithmeticOperator, Comparison};

/// The reason why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Fault {
    Undefined,
    DivisionByZero,
    /// The result is beyond the range of 64-bit floating-point numbers.
    Overflow,
}

pub(crate) fn apply(operator: ArithmeticOperator, left: f64, right: f64) -> Result<f64, Fault> {
    finite(match operator {
        ArithmeticOperator::Add => left + right,
        ArithmeticOperator::Subtract => left - right,
        ArithmeticOperator::Multiply => left * right,
        ArithmeticOperator::Divide if right == 0.0 => return Err(Fault::DivisionByZero),
        ArithmeticOperator::Divide => left / right,
        ArithmeticOperator::Negate => -left,
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
            (ArithmeticOperator::Add, 7.0, 2.0, Ok(9.0)),
            (ArithmeticOperator::Subtract, 7.0, 2.0, Ok(5.0)),
            (ArithmeticOperator::Multiply, 7.0, 2.0, Ok(14.0)),
            (ArithmeticOperator::Divide, 7.0, 2.0, Ok(3.5)),
            (ArithmeticOperator::Divide, 7.0, 0.0, Err(Fault::DivisionByZero)),
            (ArithmeticOperator::Negate, 7.0, 2.0, Ok(-7.0)),
            (ArithmeticOperator::Multiply, 1e200, 1e200, Err(Fault::Overflow)),
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
