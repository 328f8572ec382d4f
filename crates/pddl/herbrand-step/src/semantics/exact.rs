//! Sums and products that are rounded only once, so that the order of the operands does not matter.

use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

/// Returns the sum of finite terms, rounded once; infinite if it is outside the range of 64-bit floating-point numbers.
pub(crate) fn sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let plain = terms.clone().try_fold(0.0, |sum, term| {
        let next = sum + term;
        // The rounding error of the addition (Knuth's TwoSum); NaN if an intermediate result overflows.
        let back = next - sum;
        let error = (sum - (next - back)) + (term - back);
        (error == 0.0).then_some(next)
    });
    plain.unwrap_or_else(|| {
        let exact = terms.filter_map(BigRational::from_float);
        rounded(&exact.fold(BigRational::zero(), |sum, term| sum + term))
    })
}

/// Returns the product of finite factors divided by finite non-zero divisors, rounded once; infinite if it is outside the
/// range of 64-bit floating-point numbers.
pub(crate) fn product(
    factors: impl Iterator<Item = f64> + Clone,
    divisors: impl Iterator<Item = f64> + Clone,
) -> f64 {
    // A result that is neither normal nor zero may have been rounded already.
    let exactly =
        |value: f64, error: f64| (error == 0.0 && (value.is_normal() || value == 0.0)).then_some(value);
    let plain = factors.clone().try_fold(1.0_f64, |product, factor| {
        let next = product * factor;
        let vanishes = next == 0.0 && product != 0.0 && factor != 0.0;
        exactly(next, product.mul_add(factor, -next)).filter(|_| !vanishes)
    });
    let plain = plain.and_then(|product| {
        divisors.clone().try_fold(product, |quotient, divisor| {
            let next: f64 = quotient / divisor;
            let vanishes = next == 0.0 && quotient != 0.0;
            exactly(next, next.mul_add(divisor, -quotient)).filter(|_| !vanishes)
        })
    });
    plain.unwrap_or_else(|| {
        let exact = |numbers: &mut dyn Iterator<Item = f64>| {
            let numbers = numbers.filter_map(BigRational::from_float);
            numbers.fold(BigRational::one(), |product, number| product * number)
        };
        let (mut factors, mut divisors) = (factors, divisors);
        rounded(&(exact(&mut factors) / exact(&mut divisors)))
    })
}

fn rounded(value: &BigRational) -> f64 {
    value.to_f64().unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_of(terms: &[f64]) -> f64 {
        sum(terms.iter().copied())
    }

    #[test]
    fn sums_are_rounded_once() {
        for (terms, expected) in [
            (&[][..], 0.0),
            (&[1e308, 1e308, -1e308], 1e308),
            (&[5.0, 1e308, -1e308], 5.0),
            (&[1e308, 1e308, -1e308, -1e308, 1e-300], 1e-300),
            (&[0.1; 10], 1.0),
            (&[1.0, 1e-16, 1e-16], 1.000_000_000_000_000_2),
            (&[f64::MAX, f64::MAX], f64::INFINITY),
            (&[-f64::MAX, -f64::MAX], f64::NEG_INFINITY),
        ] {
            for turn in 0..terms.len().max(1) {
                let mut turned = terms.to_vec();
                turned.rotate_left(turn);
                assert_eq!(sum_of(&turned), expected, "{turned:?}");
            }
        }
    }

    #[test]
    fn products_are_rounded_once() {
        for (factors, divisors, expected) in [
            (&[2.0, 3.0][..], &[4.0][..], 1.5),
            (&[1e308, 1e308], &[1e308], 1e308),
            (&[1.0, 10.0], &[3.0, 10.0], 1.0 / 3.0),
            (&[1e-200, 1e-200, 1e200], &[1e-200], 1.0),
            (&[0.0, 1e308, 1e308], &[], 0.0),
            (&[7.0, 1e308, 1e308], &[], f64::INFINITY),
            (&[5e-324], &[2.0], 0.0),
        ] {
            let found = product(factors.iter().copied(), divisors.iter().copied());
            let close = (found - expected).abs() <= expected.abs() * 1e-15;
            assert!(found == expected || close, "{factors:?} / {divisors:?}: {found}");
        }
    }
}
