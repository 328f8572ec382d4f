//! Conversion of number literals to values.

use crate::model::{Number, Probability};

/// The reason why a literal is not a valid number or probability.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NumberFault {
    /// Too large, or with too many digits for an exact fraction.
    OutOfRange,
    /// A fraction with denominator zero.
    ZeroDenominator,
    /// A number outside of the interval from 0 to 1.
    NotAProbability,
}

/// Returns the value of a literal such as `-1.5`, `2e3` or `1/3`.
pub(crate) fn number(literal: &str) -> Result<Number, NumberFault> {
    let (numerator, denominator) = literal.split_once('/').unwrap_or((literal, "1"));
    // Rust parses every decimal that the lexer accepts.
    let read = |text: &str| text.parse::<f64>().map_err(|_| NumberFault::OutOfRange);
    let (numerator, denominator) = (read(numerator)?, read(denominator)?);
    if denominator == 0.0 {
        return Err(NumberFault::ZeroDenominator);
    }
    Number::new(numerator / denominator).ok_or(NumberFault::OutOfRange)
}

/// Returns the exact value of a literal such as `0.25`, `1` or `1/3`.
pub(crate) fn probability(literal: &str) -> Result<Probability, NumberFault> {
    let (numerator, denominator) = literal.split_once('/').unwrap_or((literal, "1"));
    let (numerator, scale) = decimal(numerator)?;
    let (denominator, _) = decimal(denominator)?;
    let denominator = denominator.checked_mul(scale).ok_or(NumberFault::OutOfRange)?;
    if denominator == 0 {
        return Err(NumberFault::ZeroDenominator);
    }
    if numerator > denominator {
        return Err(NumberFault::NotAProbability);
    }
    let divisor = gcd(numerator, denominator);
    let lowest = |value: u128| u64::try_from(value / divisor).map_err(|_| NumberFault::OutOfRange);
    Probability::new(lowest(numerator)?, lowest(denominator)?).ok_or(NumberFault::NotAProbability)
}

/// Returns a decimal as a fraction whose denominator is a power of ten.
fn decimal(text: &str) -> Result<(u128, u128), NumberFault> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (negative, whole) = match whole.strip_prefix('-') {
        Some(whole) => (true, whole),
        None => (false, whole),
    };
    let fraction = fraction.trim_end_matches('0');
    let mut value: u128 = 0;
    for digit in whole.bytes().chain(fraction.bytes()) {
        let digit = u128::from(digit - b'0');
        value = value
            .checked_mul(10)
            .and_then(|value| value.checked_add(digit))
            .ok_or(NumberFault::OutOfRange)?;
    }
    if value == 0 {
        return Ok((0, 1));
    }
    if negative {
        return Err(NumberFault::NotAProbability);
    }
    let exponent: i64 = exponent.parse().map_err(|_| NumberFault::OutOfRange)?;
    let exponent = exponent.saturating_sub(i64::try_from(fraction.len()).unwrap_or(i64::MAX));
    let power = u32::try_from(exponent.unsigned_abs())
        .ok()
        .and_then(|exponent| 10u128.checked_pow(exponent))
        .ok_or(NumberFault::OutOfRange)?;
    if exponent >= 0 {
        Ok((value.checked_mul(power).ok_or(NumberFault::OutOfRange)?, 1))
    } else {
        Ok((value, power))
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_exact() {
        let rows = [
            ("0", Some((0, 1))),
            ("1", Some((1, 1))),
            ("1.0", Some((1, 1))),
            ("0.25", Some((1, 4))),
            (".5", Some((1, 2))),
            ("+0.5", Some((1, 2))),
            ("1/3", Some((1, 3))),
            ("2/6", Some((1, 3))),
            ("0.5/2", Some((1, 4))),
            ("5e-1", Some((1, 2))),
            ("0.1e1", Some((1, 1))),
            (
                "0.30000000000000004",
                Some((7_500_000_000_000_001, 25_000_000_000_000_000)),
            ),
            (
                "0.5000000000000000000000000000000000000000000000000000",
                Some((1, 2)),
            ),
            ("-0", Some((0, 1))),
        ];
        for (literal, expected) in rows {
            let value = probability(literal)
                .ok()
                .map(|p| (p.numerator(), p.denominator()));
            assert_eq!(value, expected, "{literal}");
        }
    }

    #[test]
    fn what_is_no_probability() {
        let rows = [
            ("1/0", NumberFault::ZeroDenominator),
            ("1.5", NumberFault::NotAProbability),
            ("-0.5", NumberFault::NotAProbability),
            ("3/2", NumberFault::NotAProbability),
            (
                "0.3333333333333333333333333333333333333333333",
                NumberFault::OutOfRange,
            ),
            ("1e-99999999999999999999", NumberFault::OutOfRange),
            ("1e-400", NumberFault::OutOfRange),
        ];
        for (literal, expected) in rows {
            assert_eq!(probability(literal), Err(expected), "{literal}");
        }
    }

    #[test]
    fn numbers() {
        let rows = [
            ("1/4", Ok(0.25)),
            ("-3", Ok(-3.0)),
            ("1.", Ok(1.0)),
            ("1e400", Err(NumberFault::OutOfRange)),
            ("1/0", Err(NumberFault::ZeroDenominator)),
        ];
        for (literal, expected) in rows {
            assert_eq!(number(literal).map(Number::value), expected, "{literal}");
        }
    }
}
